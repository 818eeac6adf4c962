// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A plain test bench of the unit of branch records: a core of four lanes that branches, is interrupted and asks at random, with a
// system bus and a memory. The checker is bound to the unit (trace_model_bind.sv) and compares every output and register in every cycle.
//
//   +seed=N     what is random (default 1)
//   +cycles=N   how long (default 20000)
//   +inject=N   in cycle N the RTL's strap `db_message` changes: a fault that must be found

module tb;
  import trace_pkg::*;
  import retire_pkg::*;

  logic                clk_i = 1'b0, rst_ni = 1'b1;
  config_t             cfg_i = trace_config_pkg::ConfigDefault;
  logic                partial_i = 1'b0;
  lane_t [3:0]         lanes_i = '0;
  mode_t               mode_i = '0;
  logic [63:0]         cs_base_i = '0, far_base_i = '0;
  logic                far_long_i = 1'b0;
  interruption_t       int_i = '0;
  logic                core_clock_i = 1'b0, pmi_i = 1'b0;
  pebs_in_t            pebs_i = '0;
  logic                btm_ready_i = 1'b0;
  mem_answer_t         mem_i = '0;
  reg_request_t        reg_i = '0;
  logic                stall_o, btm_valid_o, btm_predicted_o, mem_req_o, ds_pmi_o, stored_o, lost_o, reload_valid_o;
  logic [63:0]         btm_from_o, btm_to_o, mem_addr_o, mem_wdata_o, reload_value_o, reg_rdata_o;
  mem_cmd_e            mem_cmd_o;
  logic [7:0]          mem_be_o;
  logic [Counters-1:0] pebs_armed_o;
  logic [4:0]          state_index_o;
  logic [1:0]          reload_counter_o;
  logic                btf_o, freeze_on_pmi_o, freeze_while_smm_o, rtm_debug_o, reg_ready_o, reg_done_o;
  reg_result_e         reg_result_o;
  state_t              state_o;

  trace #(.RetireLanes(4), .StackEntries(32)) u_trace (.*);

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

  always #5 clk_i = !clk_i;

  int unsigned answers = 0, messages = 0, records = 0, reloads = 0;

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("cycles=%d", last_cycle));
    void'($value$plusargs("inject=%d", inject));
    random_state = {32'h9E37_79B9, seed};
    repeat (20) void'(random());
    // An edge, by which the registers take their reset values before the first clock.
    #1 rst_ni = 1'b0;
    describe();
    repeat (3) @(negedge clk_i);
    rst_ni = 1'b1;
    while (cycle < last_cycle) begin
      @(negedge clk_i);
      if ((inject != 0) && (cycle == inject)) cfg_i.db_message = 1'b0;
    end
    // A comparison of units that do nothing would be none.
    if ((messages < last_cycle / 500) || (records < last_cycle / 500) || (reloads < last_cycle / 2000))
      $fatal(1, "%0d messages, %0d records and %0d reloads are too few: the stimulus is at fault", messages, records, reloads);
    $display("seed %0d: %0d cycles compared, %0d answers, %0d messages, %0d records, %0d reloads, no mismatch", seed,
             u_trace.u_model_check.cycles, answers, messages, records, reloads);
    $finish;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      cycle++;
      if (reg_done_o) answers++;
      if (btm_valid_o && btm_ready_i) messages++;
      if (stored_o) records++;
      if (reload_valid_o) reloads++;
      // The handler has drained the buffers.
      if (one_in(256)) describe();
      answer();
      show();
    end
  end

  ////////////
  // Memory //
  ////////////

  // 4 KiB, everywhere. The management area is at 0, branch records from 100H, PEBS records from 400H.
  logic [63:0] memory[512];

  task automatic describe();
    memory[0] = 64'h1100;
    memory[1] = 64'h1100;
    memory[2] = 64'h1400;
    memory[3] = 64'h1400 - 64'd24 * 64'(3'(random()));
    memory[4] = 64'h1400;
    memory[5] = 64'h1400;
    memory[6] = 64'h1900;
    memory[7] = 64'h1400 + 64'd144 * 64'(3'(random()));
    for (int n = 0; n < Counters; n++) memory[8+n] = {32'd0, random()};
  endtask

  // A grant at any time, and the response some cycles later.
  logic granted = 1'b0;
  task automatic answer();
    mem_i <= '0;
    if (mem_req_o && mem_i.mem_gnt) begin
      granted = 1'b1;
      access();
    end
    if (!granted) mem_i.mem_gnt <= one_in(2);
    else if (one_in(2)) begin
      granted = 1'b0;
      mem_i.mem_rvalid <= 1'b1;
      mem_i.mem_err <= one_in(64);
      mem_i.mem_rdata <= read;
    end
  endtask

  logic [63:0] read = '0;
  task automatic access();
    read = memory[mem_addr_o[11:3]];
    if (mem_cmd_o == MemWrite) begin
      for (int b = 0; b < 8; b++) begin
        if (mem_be_o[b]) memory[mem_addr_o[11:3]][8*b+:8] = mem_wdata_o[8*b+:8];
      end
    end
  endtask

  //////////////
  // The core //
  //////////////

  task automatic show();
    partial_i <= 1'b0;
    lanes_i <= '0;
    int_i <= '0;
    pebs_i <= '0;
    mode_i <= '{cpl: one_in(4) ? 2'd0 : 2'd3, smm: one_in(16), op_mode: Mode64};
    core_clock_i <= one_in(2);
    pmi_i <= one_in(512);
    btm_ready_i <= one_in(2);
    pebs_i.state_value <= {random(), random()};
    // An unaccepted request stays.
    if (!reg_i.reg_valid || reg_ready_o) begin
      reg_i <= '0;
      case (random() % 16)
        0:       ask();
        1:       interrupt();
        default: retire();
      endcase
    end
  endtask

  function automatic logic [63:0] address();
    return {48'h0000_0000_0040, 16'(random())};
  endfunction

  task automatic retire();
    pebs_i.pebs_overflow <= one_in(64) ? 4'(random()) : 4'd0;
    pebs_i.pebs_event <= one_in(16) ? 4'(random()) : 4'd0;
    for (int l = 0; l < 4; l++) begin
      lanes_i[l].retired.valid <= !one_in(4);
      lanes_i[l].retired.ip <= address();
      lanes_i[l].branch <= '{
        branch_kind: one_in(16) ? branch_kind_e'(4'(random() % 11)) : BranchNone,
        branch_taken: !one_in(4),
        branch_pred_valid: !one_in(8),
        branch_pred_ok: !one_in(4),
        branch_next: address()
      };
      lanes_i[l].transaction <= '{in_tx: one_in(8), tx_abort: one_in(64)};
    end
  endtask

  task automatic interrupt();
    int_i <= '{
      int_valid: 1'b1,
      int_kind: one_in(4) ? IntException : int_kind_e'(3'(random() % 5)),
      int_vector: one_in(2) ? 8'd1 : 8'(random()),
      int_from: address(),
      int_to: address()
    };
  endtask

  // Mostly IA32_DEBUGCTL: messages, or branch records with and without interrupt.
  task automatic ask();
    reg_i.reg_valid <= 1'b1;
    reg_i.reg_op <= one_in(4) ? RegRdmsr : RegWrmsr;
    case (random() % 8)
      0: begin
        reg_i.reg_number <= 32'h600;
        reg_i.reg_wdata <= 64'h1000;
      end
      1: begin
        reg_i.reg_number <= 32'h3F1;
        reg_i.reg_wdata <= 64'(4'(random()));
      end
      2: begin
        reg_i.reg_number <= 32'h680 + (random() % 128);
        reg_i.reg_wdata <= address();
      end
      default: begin
        reg_i.reg_number <= 32'h1D9;
        reg_i.reg_wdata <= {48'd0, 16'(random()) & 16'hDF03 | 16'h0040 | (one_in(2) ? 16'h0080 : 16'h0000)};
      end
    endcase
  endtask

endmodule
