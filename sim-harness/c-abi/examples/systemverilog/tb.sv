// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A plain test bench: the RTL, a memory, a core that does random things, and the model beside the RTL, twice:
//
// 1. bound to it (last line): lwp_model_check compares every output and register in every cycle and names what differs;
// 2. as a second unit on the same wires: lwp_model, for benches that want to look at both.
//
//   +seed=N     what is random (default 1)
//   +cycles=N   how long (default 20000)
//   +inject=N   in cycle N the RTL's strap `core_id` changes: a fault that must be found

module tb;
  import lwp_pkg::*;
  import lwp_state_pkg::*;

  localparam logic [63:0] Block       = 64'h1_0000;  // the control block
  localparam logic [63:0] Buffer      = 64'h1_0800;  // the ring buffer, 16 records
  localparam int unsigned MemoryWords = 1024;        // 8 KiB from Block on; what lies elsewhere page-faults
  localparam logic [63:0] Msr0All     = 64'h8000_000F;
  localparam int unsigned RetireLanes = 4;

  // Signals of the unit have the names of its ports, so that .* connects them.
  logic                    clk_i = 1'b0, rst_ni = 1'b0;
  config_t                 cfg_i = '0;
  logic [1:0]              cpl_i = '0;
  logic                    smm_i = 1'b0;
  logic [2:0]              op_mode_i = Mode64;
  logic                    partial_i = 1'b0;
  lane_t [RetireLanes-1:0] lanes_i = '0;
  logic                    alloc_valid_i = 1'b0, fill_valid_i = 1'b0, replay_abort_i = 1'b0;
  logic [2:0]              alloc_entry_i = '0, fill_entry_i = '0;
  logic [63:0]             fill_ip_i = '0;
  logic [LatencyW-1:0]     fill_latency_i = '0;
  source_e                 fill_source_i = SourceNone;
  logic [31:0]             entropy_i = '0;
  logic                    ctl_valid_i = 1'b0;
  ctl_op_e                 ctl_op_i = OpLlwpcb;
  logic [3:0]              ctl_word_i = '0;
  logic [63:0]             ctl_wdata_i = '0, ctl_ds_base_i = '0;
  logic                    mem_gnt_i = 1'b0, mem_rvalid_i = 1'b0, mem_err_i = 1'b0;
  logic [63:0]             mem_rdata_i = '0;
  logic                    pf_ack_i = 1'b0, irq_ack_i = 1'b0;

  logic             stall_o, cut_valid_o, drain_o, flush_req_o, addr_track_o;
  logic [LaneW-1:0] cut_lane_o;
  logic             rsp_valid_o, rsp_fault_write_o, mem_req_o, pf_valid_o, pf_write_o, pf_abort_o, irq_o;
  fault_e           rsp_fault_o;
  mem_cmd_e         mem_cmd_o;
  logic [7:0]       mem_be_o;
  logic [63:0]      rsp_rdata_o, rsp_fault_addr_o, mem_addr_o, mem_wdata_o, pf_addr_o;
  logic [31:0]      msr0_o;
  state_t           state_o, model_probe;

  lwp #(.RetireLanes(RetireLanes)) u_lwp (.*);

  // The model's own outputs are not needed here, its registers are.
  lwp_model #(.RetireLanes(RetireLanes)) u_model (
    .stall_o(), .cut_valid_o(), .cut_lane_o(), .drain_o(), .flush_req_o(), .addr_track_o(), .rsp_valid_o(), .rsp_fault_o(),
    .rsp_fault_write_o(), .rsp_rdata_o(), .rsp_fault_addr_o(), .mem_req_o(), .mem_cmd_o(), .mem_be_o(), .mem_addr_o(),
    .mem_wdata_o(), .pf_valid_o(), .pf_write_o(), .pf_abort_o(), .pf_addr_o(), .irq_o(), .msr0_o(),
    .state_o(model_probe), .*
  );

  // Randomness of our own: a seed repeats a run.
  logic [63:0] random_state = '0;

  function automatic logic [31:0] random();
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state[47:16];
  endfunction

  function automatic logic one_in(int unsigned n);
    return (random() % n) == 0;
  endfunction

  int unsigned seed = 1, last_cycle = 20_000, inject = 0, cycle = 0;
  int unsigned records = 0, faults = 0, interrupts = 0, differing = 0;

  always #5 clk_i = !clk_i;

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("cycles=%d", last_cycle));
    void'($value$plusargs("inject=%d", inject));
    random_state = {32'h9E37_79B9, seed};
    repeat (20) void'(random());
    random_straps();
    write_block();
    repeat (3) @(negedge clk_i);
    rst_ni = 1'b1;
    while (cycle < last_cycle) begin
      @(negedge clk_i);
      if ((inject != 0) && (cycle == inject)) cfg_i.core_id = ~cfg_i.core_id;
    end
    if (differing != 0) $fatal(1, "%0d cycles in which lwp_model differs from the RTL", differing);
    // A comparison of units that do nothing would be none.
    if (records < last_cycle / 500) $fatal(1, "%0d records are too few: the stimulus is at fault", records);
    $display("seed %0d: %0d cycles compared, %0d records, %0d page faults, %0d interrupts, no mismatch", seed,
             u_lwp.u_check.cycles, records, faults, interrupts);
    $finish;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      cycle++;
      if (state_o != model_probe) differing++;
      answer();
      operate();
      retire();
      acknowledge();
    end
  end

  // Legal choices, another set for each seed.
  task automatic random_straps();
    {cfg_i.present, cfg_i.avail_ire, cfg_i.avail_bre, cfg_i.avail_dme, cfg_i.avail_int} = '1;
    {cfg_i.latency_filter, cfg_i.level_filter, cfg_i.data_source, cfg_i.one_per_instr, cfg_i.address_gate} = '1;
    {cfg_i.gather_policy, cfg_i.gather_target, cfg_i.collision, cfg_i.head_flush} = 4'(random());
    {cfg_i.missed_mode, cfg_i.write_on_full, cfg_i.latency_source} = 3'(random());
    cfg_i.gather_select = 2'(random() % 3);
    cfg_i.leave_policy = 2'(random() % 3);
    cfg_i.prediction = 2'(random() % 3);
    cfg_i.tail_nth = 4'd1;
    cfg_i.core_id = 8'(random());
    cfg_i.lfsr_seed = random() | 32'd1;
  endtask

  ////////////
  // Memory //
  ////////////

  logic [63:0] memory[MemoryWords];
  logic        mem_busy = 1'b0;

  task automatic write_block();
    for (int i = 0; i < int'(MemoryWords); i++) memory[i] = '0;
    memory[0] = {4'd3, 28'd512, 32'h8000_0000};  // Random, BufferSize, Flags: interrupt
    memory[1] = Buffer;
    memory[4] = 64'd256;                         // no filter, Threshold
    for (int e = 0; e < 3; e++) memory[5+e] = {32'd5, 6'(e + 1), 26'(12 + 9 * e)};  // EventCounter, EventId, EventInterval
  endtask

  // Grants when it likes, answers when it likes, and now and then the page is not there.
  task automatic answer();
    mem_gnt_i <= one_in(2);
    mem_rvalid_i <= 1'b0;
    if (mem_busy && one_in(2)) begin
      mem_rvalid_i <= 1'b1;
      mem_busy <= 1'b0;
    end
    if (mem_req_o && mem_gnt_i) access();
  endtask

  task automatic access();
    logic absent = (mem_addr_o < Block) || (mem_addr_o >= Block + 8 * MemoryWords) || one_in(200);
    int unsigned at = 32'((mem_addr_o - Block) / 8) % MemoryWords;
    mem_busy <= 1'b1;
    mem_err_i <= absent;
    mem_rdata_i <= absent ? '0 : memory[at];
    if (!absent && (mem_cmd_o == MemWrite)) begin
      for (int b = 0; b < 8; b++) if (mem_be_o[b]) memory[at][8*b +: 8] = mem_wdata_o[8*b +: 8];
      if ((mem_addr_o >= Buffer) && (mem_addr_o[4:0] == '0)) records++;
    end
  endtask

  //////////
  // Core //
  //////////

  logic ctl_busy = 1'b0, enabled = 1'b0;

  // An operation stands until it is accepted; nothing else is asked before its answer.
  task automatic operate();
    ctl_op_e op = one_in(3) ? ctl_op_e'(4'(random() % 7)) : OpLlwpcb;
    if (!enabled) op = OpWrMsr0;
    if (ctl_valid_i && !stall_o) begin
      ctl_valid_i <= 1'b0;
      enabled <= enabled || ((ctl_op_i == OpWrMsr0) && (cpl_i == 2'd0));
    end
    if (rsp_valid_o) ctl_busy <= 1'b0;
    if (!ctl_busy && one_in(enabled ? 150 : 4)) begin
      ctl_busy <= 1'b1;
      ctl_valid_i <= 1'b1;
      ctl_op_i <= op;
      ctl_word_i <= 4'(random());
      ctl_wdata_i <= (op == OpWrMsr0) ? Msr0All : one_in(10) ? {32'd0, random()} : Block;
    end
  endtask

  // Enters and leaves ring 3; a change takes a cycle in which nothing retires.
  task automatic retire();
    logic change = (cpl_i == 2'd3) ? one_in(300) : one_in(5);
    if (change) cpl_i <= ~cpl_i;
    partial_i <= !change && one_in(40);
    for (int l = 0; l < int'(RetireLanes); l++) lanes_i[l] <= (change || one_in(4)) ? '0 : random_lane();
    {alloc_valid_i, alloc_entry_i, fill_entry_i, fill_valid_i} <= 8'(random());
    fill_ip_i <= {32'd0, random()};
  endtask

  function automatic lane_t random_lane();
    lane_t lane;
    lane.valid = !one_in(3);
    lane.counts = !one_in(20);
    lane.ip = {32'h0, random()};
    lane.branch_kind = one_in(2) ? BranchNone : 4'(random() % 11);
    {lane.branch_taken, lane.branch_pred_valid, lane.branch_pred_ok} = 3'(random());
    lane.branch_next = {32'h0, random()};
    for (int p = 0; p < int'(LoadPorts); p++) begin
      lane.loads[p].miss = one_in(3);
      lane.loads[p].addr_valid = !one_in(8);
      lane.loads[p].is_tagged = 1'b0;
      lane.loads[p].addr = {32'd0, random()};
      lane.loads[p].latency = 31'(random() % 400);
      lane.loads[p].source = source_e'(3'(random()));
    end
    return lane;
  endfunction

  // The interrupt's handler takes all records: the tail follows the head.
  task automatic acknowledge();
    irq_ack_i <= irq_o && one_in(4);
    if (irq_o && irq_ack_i) begin
      interrupts++;
      memory[2][63:32] = memory[2][31:0];
    end
    pf_ack_i <= pf_valid_o && one_in(4);
    if (pf_valid_o && pf_ack_i) faults++;
  endtask

endmodule

// The line that brings the model to the RTL, in this test bench or any other.
bind lwp lwp_model_check #(.RetireLanes(RetireLanes), .EventSlots(EventSlots), .LatencyBits(LatencyBits)) u_check (.*);
