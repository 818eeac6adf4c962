// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The model of the Lightweight Profiling unit in SystemVerilog: the calls into the library, and the words in which they
// talk. Types are those of the RTL, lwp_pkg.
//
// Most test benches need none of this: bind lwp_model_check to the RTL, or put lwp_model in its place.
//
// Contract: docs/src/lwp/flat.md. Library: include/lwp_model.h.

package lwp_model_pkg;

  import lwp_pkg::*;
  import lwp_state_pkg::*;

  localparam int unsigned AbiVersion  = 1;
  localparam int unsigned MaxLanes    = 8;
  localparam int unsigned CommonWords = 12;
  localparam int unsigned LaneWords   = 11;
  localparam int unsigned StrapWords  = 3;
  localparam int unsigned InputWords  = CommonWords + LaneWords * MaxLanes;
  localparam int unsigned OutputWords = 12;
  localparam int unsigned ProbeWords  = 67;
  localparam int unsigned RowWords    = OutputWords + ProbeWords;

  // Two-state: an X becomes 0 on the way to the library.
  typedef bit [StrapWords-1:0][31:0]  strap_words_t;
  typedef bit [LaneWords-1:0][31:0]   lane_words_t;
  typedef bit [CommonWords-1:0][31:0] common_words_t;
  typedef bit [InputWords-1:0][31:0]  input_words_t;
  typedef bit [OutputWords-1:0][31:0] output_words_t;
  typedef bit [ProbeWords-1:0][31:0]  probe_words_t;
  // Outputs in the low words, the probe above.
  typedef bit [RowWords-1:0][31:0]    row_t;

  // Status of the library's functions: the others are failures, and lwp_model_last_error says which.
  localparam int Ok = 0;

  /////////////////////////////
  // Calls into the library //
  /////////////////////////////

  import "DPI-C" function int unsigned lwp_model_abi_version();
  import "DPI-C" function int lwp_model_new_words(
    input strap_words_t straps, input int unsigned words, input int unsigned retire_lanes, input int unsigned event_slots,
    input int unsigned latency_bits, input int unsigned abi_version, output chandle model);
  import "DPI-C" function int lwp_model_free(input chandle model);
  // With rst_n (bit 0 of word 0) = 0: reset. `words` is 12 + 11 * retire_lanes; what lies above is not looked at.
  import "DPI-C" function int lwp_model_step_words(input chandle model, input input_words_t inputs,
                                                   input int unsigned words);
  import "DPI-C" function int lwp_model_probe(input chandle model, output row_t row, input int unsigned words);
  import "DPI-C" function int lwp_model_check(input chandle model, input row_t row, input int unsigned words);
  import "DPI-C" function string lwp_model_last_error();
  // Failure capsules: what lwp-sim replays, shrinks and explains.
  import "DPI-C" function int lwp_model_record(input chandle model);
  import "DPI-C" function int lwp_model_capsule(
    input chandle model, input string path, input string found_by, input row_t row, input int unsigned row_words,
    input input_words_t inputs, input int unsigned input_words);
  import "DPI-C" function string lwp_model_last_capsule();

  //////////////////////////
  // Ports in one struct //
  //////////////////////////

  // All inputs but clock, reset, straps and lanes.
  typedef struct packed {
    logic [1:0]          cpl;
    logic                smm;
    logic [2:0]          op_mode;
    logic                partial;
    logic                alloc_valid;
    logic [2:0]          alloc_entry;
    logic                fill_valid;
    logic [2:0]          fill_entry;
    logic [63:0]         fill_ip;
    logic [LatencyW-1:0] fill_latency;
    source_e             fill_source;
    logic                replay_abort;
    logic [31:0]         entropy;
    logic                ctl_valid;
    ctl_op_e             ctl_op;
    logic [3:0]          ctl_word;
    logic [63:0]         ctl_wdata;
    logic [63:0]         ctl_ds_base;
    logic                mem_gnt;
    logic                mem_rvalid;
    logic                mem_err;
    logic [63:0]         mem_rdata;
    logic                pf_ack;
    logic                irq_ack;
  } inputs_t;

  // All outputs but the probe.
  typedef struct packed {
    logic             stall;
    logic             cut_valid;
    logic [LaneW-1:0] cut_lane;
    logic             drain;
    logic             flush_req;
    logic             addr_track;
    logic             rsp_valid;
    fault_e           rsp_fault;
    logic             rsp_fault_write;
    logic [63:0]      rsp_rdata;
    logic [63:0]      rsp_fault_addr;
    logic             mem_req;
    mem_cmd_e         mem_cmd;
    logic [7:0]       mem_be;
    logic [63:0]      mem_addr;
    logic [63:0]      mem_wdata;
    logic             pf_valid;
    logic             pf_write;
    logic             pf_abort;
    logic [63:0]      pf_addr;
    logic             irq;
    logic [31:0]      msr0;
  } outputs_t;

  ////////////////
  // To words //
  ////////////////

  function automatic strap_words_t pack_straps(config_t c);
    strap_words_t w;
    w[0] = {c.latency_step, c.latency_source, c.address_gate, c.address_policy, c.fault_policy, c.leave_policy, c.collision,
            c.store_timing, c.gather_target, c.gather_select, c.one_per_instr, c.gather_policy, c.core_id, c.data_source,
            c.level_filter, c.latency_filter, c.avail_int, c.avail_dme, c.avail_bre, c.avail_ire, c.present};
    w[1] = c.lfsr_seed;
    w[2] = {8'b0, c.irq_delay, c.entropy, c.v86, c.flush_outside, c.misaligned, c.write_on_full, c.missed_mode,
            c.interval_source, c.tail_nth, c.tail_reread, c.head_flush, c.prediction, c.latency_phase};
    return w;
  endfunction

  function automatic common_words_t pack_inputs(inputs_t i, logic rst_n);
    common_words_t w;
    w[0] = {2'b0, i.fill_source, i.fill_entry, i.fill_valid, i.alloc_entry, i.alloc_valid, i.replay_abort, i.irq_ack,
            i.pf_ack, i.mem_err, i.mem_rvalid, i.mem_gnt, i.ctl_op, i.ctl_valid, i.partial, i.op_mode, i.cpl, i.smm, rst_n};
    {w[2], w[1]} = i.ctl_wdata;
    {w[4], w[3]} = i.ctl_ds_base;
    {w[6], w[5]} = i.mem_rdata;
    w[7] = {28'b0, i.ctl_word};
    {w[9], w[8]} = i.fill_ip;
    w[10] = {1'b0, i.fill_latency};
    w[11] = i.entropy;
    return w;
  endfunction

  function automatic lane_words_t pack_lane(lane_t l);
    lane_words_t w;
    w[0] = {11'b0, l.loads[1].is_tagged, l.loads[0].is_tagged, l.loads[1].source, l.loads[1].addr_valid, l.loads[1].miss,
            l.loads[0].source, l.loads[0].addr_valid, l.loads[0].miss, l.branch_pred_ok, l.branch_pred_valid,
            l.branch_taken, l.branch_kind, l.counts, l.valid};
    {w[2], w[1]} = l.ip;
    {w[4], w[3]} = l.branch_next;
    {w[6], w[5]} = l.loads[0].addr;
    w[7] = {1'b0, l.loads[0].latency};
    {w[9], w[8]} = l.loads[1].addr;
    w[10] = {1'b0, l.loads[1].latency};
    return w;
  endfunction

  function automatic output_words_t pack_outputs(outputs_t o);
    output_words_t w;
    w[0] = {5'b0, o.cut_lane, o.cut_valid, o.addr_track, o.flush_req, o.drain, o.pf_abort, o.irq, o.pf_write, o.pf_valid,
            o.mem_be, o.mem_cmd, o.mem_req, o.rsp_fault_write, o.rsp_fault, o.rsp_valid, o.stall};
    {w[2], w[1]} = o.rsp_rdata;
    {w[4], w[3]} = o.rsp_fault_addr;
    {w[6], w[5]} = o.mem_addr;
    {w[8], w[7]} = o.mem_wdata;
    {w[10], w[9]} = o.pf_addr;
    w[11] = o.msr0;
    return w;
  endfunction

  // Numbers of words are those of the table less 12.
  function automatic probe_words_t pack_probe(state_t s);
    probe_words_t w;
    w[0] = s.session.msr0;
    {w[2], w[1]} = s.session.lwpcb;
    w[3] = {s.undo.valid, s.undo.split, s.pending, s.rotate, s.cand.source, s.cand.addr_valid, s.cand.valid, s.events[2].slot,
            s.events[1].slot, s.events[0].slot, s.block.random, s.session.reload, s.session.init_pending, s.session.active};
    w[4] = s.block.flags;
    {w[6], w[5]} = s.block.base;
    w[7] = {4'b0, s.block.size};
    w[8] = {4'b0, s.ring.head};
    w[9] = {4'b0, s.ring.tail};
    w[10] = s.block.threshold;
    w[11] = {12'b0, s.ring.tail_skip, 2'b0, s.block.filter};
    for (int e = 0; e < int'(NumEvents); e++) begin
      w[12+2*e] = {6'b0, s.events[e].interval};
      w[13+2*e] = {6'b0, s.events[e].counter};
      w[23+e] = {6'b0, s.undo.counters[e]};
    end
    w[18] = s.lfsr;
    w[19] = {1'b0, s.cand.latency};
    {w[21], w[20]} = s.cand.addr;
    w[22] = {2'b0, s.retire.cut_lane, s.retire.cut_valid, s.retire.flush_req, s.retire.was_ring3, s.irq.count, s.ring.missed};
    w[26] = {6'b0, s.mab.phase, s.tag.source, s.tag.valid, s.records[2].flags, s.records[2].event_id, s.records[1].flags,
             s.records[1].event_id, s.records[0].flags, s.records[0].event_id};
    for (int r = 0; r < int'(RecordQueue); r++) begin
      w[27+5*r] = {1'b0, s.records[r].data};
      {w[29+5*r], w[28+5*r]} = s.records[r].ip;
      {w[31+5*r], w[30+5*r]} = s.records[r].addr;
    end
    w[42] = {1'b0, s.tag.latency};
    {w[44], w[43]} = s.tag.ip;
    for (int m = 0; m < int'(MabEntries); m++) w[45+m] = {s.mab.entries[m].counting, s.mab.entries[m].latency};
    w[53] = {4'b0, s.ctl.ring3, s.ctl.init, s.ctl.op, s.ctl.st, s.port.be, s.port.cmd, s.port.drop, s.port.waiting, s.port.req,
             s.store.beat, s.store.st};
    w[54] = {16'b0, s.ctl.old, s.block.allow, s.irq.valid, s.pf.aborts, s.pf.write, s.pf.valid, s.ctl.fault_write, s.ctl.fault,
             s.ctl.idx};
    {w[56], w[55]} = s.port.addr;
    {w[58], w[57]} = s.port.wdata;
    {w[60], w[59]} = s.ctl.arg;
    {w[62], w[61]} = s.ctl.rdata;
    {w[64], w[63]} = s.ctl.fault_addr;
    {w[66], w[65]} = s.pf.addr;
    return w;
  endfunction

  //////////////////
  // From words //
  //////////////////

  function automatic outputs_t unpack_outputs(output_words_t w);
    return '{
      stall:           w[0][0],
      cut_valid:       w[0][23],
      cut_lane:        w[0][26:24],
      drain:           w[0][20],
      flush_req:       w[0][21],
      addr_track:      w[0][22],
      rsp_valid:       w[0][1],
      rsp_fault:       fault_e'(w[0][3:2]),
      rsp_fault_write: w[0][4],
      rsp_rdata:       {w[2], w[1]},
      rsp_fault_addr:  {w[4], w[3]},
      mem_req:         w[0][5],
      mem_cmd:         mem_cmd_e'(w[0][7:6]),
      mem_be:          w[0][15:8],
      mem_addr:        {w[6], w[5]},
      mem_wdata:       {w[8], w[7]},
      pf_valid:        w[0][16],
      pf_write:        w[0][17],
      pf_abort:        w[0][19],
      pf_addr:         {w[10], w[9]},
      irq:             w[0][18],
      msr0:            w[11]
    };
  endfunction

  // Numbers of words are those of the table less 12.
  function automatic state_t unpack_probe(probe_words_t w);
    state_t s;
    s.session.msr0 = w[0];
    s.session.lwpcb = {w[2], w[1]};
    {s.undo.valid, s.undo.split, s.pending, s.rotate} = w[3][31:27];
    s.cand.source = source_e'(w[3][26:24]);
    {s.cand.addr_valid, s.cand.valid} = w[3][23:22];
    {s.events[2].slot, s.events[1].slot, s.events[0].slot, s.block.random, s.session.reload, s.session.init_pending, s.session.active} = w[3][21:0];
    s.block.flags = w[4];
    s.block.base = {w[6], w[5]};
    s.block.size = w[7][27:0];
    s.ring.head = w[8][27:0];
    s.ring.tail = w[9][27:0];
    s.block.threshold = w[10];
    s.block.filter = w[11][13:0];
    s.ring.tail_skip = w[11][19:16];
    for (int e = 0; e < int'(NumEvents); e++) begin
      s.events[e].interval = w[12+2*e][CounterW-1:0];
      s.events[e].counter = w[13+2*e][CounterW-1:0];
      s.undo.counters[e] = w[23+e][CounterW-1:0];
    end
    s.lfsr = w[18];
    s.cand.latency = w[19][LatencyW-1:0];
    s.cand.addr = {w[21], w[20]};
    {s.retire.cut_lane, s.retire.cut_valid, s.retire.flush_req, s.retire.was_ring3, s.irq.count, s.ring.missed} = w[22][29:0];
    s.tag.valid = w[26][18];
    s.tag.source = source_e'(w[26][21:19]);
    s.mab.phase = w[26][25:22];
    for (int r = 0; r < int'(RecordQueue); r++) begin
      s.records[r] = '{
        event_id: event_id_e'(w[26][6*r +: 2]),
        flags:    w[26][6*r+2 +: 4],
        data:     w[27+5*r][LatencyW-1:0],
        ip:       {w[29+5*r], w[28+5*r]},
        addr:     {w[31+5*r], w[30+5*r]}
      };
    end
    s.tag.latency = w[42][LatencyW-1:0];
    s.tag.ip = {w[44], w[43]};
    for (int m = 0; m < int'(MabEntries); m++) s.mab.entries[m] = '{counting: w[45+m][31], latency: w[45+m][LatencyW-1:0]};
    s.store.st = store_st_e'(w[53][3:0]);
    s.store.beat = w[53][5:4];
    {s.port.drop, s.port.waiting, s.port.req} = w[53][8:6];
    s.port.cmd = mem_cmd_e'(w[53][10:9]);
    s.port.be = w[53][18:11];
    s.ctl.st = ctl_st_e'(w[53][21:19]);
    s.ctl.op = ctl_op_e'(w[53][25:22]);
    {s.ctl.ring3, s.ctl.init} = w[53][27:26];
    s.ctl.idx = w[54][4:0];
    s.ctl.fault = fault_e'(w[54][6:5]);
    {s.irq.valid, s.pf.aborts, s.pf.write, s.pf.valid, s.ctl.fault_write} = w[54][11:7];
    {s.ctl.old, s.block.allow} = w[54][15:12];
    s.port.addr = {w[56], w[55]};
    s.port.wdata = {w[58], w[57]};
    s.ctl.arg = {w[60], w[59]};
    s.ctl.rdata = {w[62], w[61]};
    s.ctl.fault_addr = {w[64], w[63]};
    s.pf.addr = {w[66], w[65]};
    return s;
  endfunction

endpackage
