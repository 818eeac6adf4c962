// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Thread: nothing of one thread is left for the next (docs/src/formal.md, "Non-interference").
//
// Two runs with entirely different pasts: other threads, other sessions, other records. In some cycle outside ring
// 3, the unit at rest, the system switches to the same thread in both: it restores words 7 to 0 of its context. From
// then on both get the same inputs, and then they show the same for ever. What belongs to the core and not to a
// thread (LWPMSR0, the LFSR, a standing interrupt, the time) is taken to be the same at the switch.
//
// Rows: LWP-SEC-02, LWP-SEC-04, LWP-OVR-04.

module formal_thread
  import lwp_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  raw_i,
  input in_t  b_raw_i,
  // The system switches.
  input logic switch_i
);

  logic    rst_n, valid;
  config_t cfg;
  out_t    out_a, out_b;
  state_t  a, b;
  logic [MabEntries-1:0] mine;

  in_t a_i, b_i;
  formal_env  u_env (.clk_i, .raw_i, .in_o(a_i), .out_i(out_a), .st_i(a), .rst_no(rst_n), .cfg_o(cfg), .gnt_age_o(),
                     .rsp_age_o());
  formal_unit u_unit_a (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(a_i), .out_o(out_a), .st_o(a));
  formal_unit u_unit_b (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(b_i), .out_o(out_b), .st_o(b));

  ////////////////
  // The switch //
  ////////////////

  // Past: anything. Switching: words 7 to 0 are restored. Running: the same thread in both.
  typedef enum logic [1:0] {Past, Switching, Running} phase_e;
  phase_e     phase_q;
  logic [2:0] word_q;
  logic       same, begins, at_rest, restore;
  assign begins  = (phase_q == Past) && switch_i;
  assign same    = begins || (phase_q != Past);
  assign restore = a_i.ctl_valid && !out_a.stall;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      phase_q <= Past;
      word_q  <= 3'd7;
      valid   <= 1'b0;
    end else begin
      valid <= 1'b1;
      if (begins) begin
        phase_q <= Switching;
      end
      if ((phase_q == Switching) && out_a.rsp_valid) begin
        word_q <= word_q - 3'd1;
        if (word_q == 3'd0) phase_q <= Running;
      end
    end
  end

`ifdef FORMAL_PASTS
  // For covers: a session of another thread, at another place, until the switch.
  in_t b_past;
  formal_start #(.Block(64'h2000), .Code(64'h50_0000), .Count(2'd2)) u_start_b (
    .clk_i, .rst_ni(rst_n), .in_i(b_raw_i), .out_i(out_b), .in_o(b_past)
  );
  assign b_i = same ? a_i : b_past;
`else
  assign b_i = b_raw_i;
`endif

  formal_twins u_twins (
    .clk_i, .rst_ni(rst_n), .cfg_i(cfg), .same_i(same), .fresh_i(phase_q == Past), .a_i, .b_i, .mine_o(mine)
  );

  // Nothing is under way, and the core's own registers are the same.
  assign at_rest = valid && (a.ctl_st == CtlIdle) && (b.ctl_st == CtlIdle) && (a.store_st == StoreIdle) &&
                   (b.store_st == StoreIdle) && !a.mem_req && !b.mem_req && !a.mem_wait && !b.mem_wait &&
                   !a.pf_valid && !b.pf_valid && !a.was_ring3 && !b.was_ring3 && !a.cut_valid && !b.cut_valid;

  always_comb begin
    SwitchAtRest: assume (!begins || at_rest);
    SwitchCore:   assume (!begins || ({a.msr0, a.lfsr, a.irq, a.irq_count, a.mab_phase} ==
                          {b.msr0, b.lfsr, b.irq, b.irq_count, b.mab_phase}));
    SameInputs:   assume (!same || (a_i == b_i));
    // The kernel runs until the switch is done, and does nothing else with the unit meanwhile.
    SwitchKernel: assume (!(begins || (phase_q == Switching)) || !in_ring3(a_i));
    SwitchWords:  assume (!begins || !a_i.ctl_valid);
    // "Software and microcode restore word 7 first and go down to word 0."
    SwitchOrder:  assume (!((phase_q == Switching) && restore) ||
                          ((a_i.ctl_op == OpRestore) && (a_i.ctl_word == {1'b0, word_q}) && cfg.present));
  end

  /////////////////////
  // What is the same //
  /////////////////////

  logic joined, cleared, ctl_busy, operation, storing, port_busy;
  assign joined    = phase_q != Past;
  // Word 7 has been carried out.
  assign cleared   = (phase_q == Running) || ((phase_q == Switching) &&
                     ((word_q != 3'd7) || (a.ctl_st == CtlDone)));
  assign ctl_busy  = a.ctl_st != CtlIdle;
  assign operation = ctl_busy && !a.ctl_init;
  assign storing   = a.store_st inside {[StoreInterval:StoreReset]};
  assign port_busy = a.mem_req || a.mem_wait;

  // A cycle of the switch has passed: what outlives no cycle outside ring 3 is gone.
  logic first_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      first_q <= 1'b0;
    end else begin
      first_q <= phase_q == Switching;
    end
  end

  // Of a block: what has been loaded, or all of it.
  logic       loading, all;
  logic [4:0] idx;
  assign loading = a.ctl_st == CtlLoad;
  assign idx     = a.ctl_idx;
  assign all     = a.active || (a.ctl_st == CtlFlags);

  always_comb begin
    SameCore:     assert (!joined || ({a.msr0, a.lfsr, a.irq, a.irq_count, a.mab_phase, a.was_ring3, a.cut_valid,
                          a.flush_req, a.pf_valid} == {b.msr0, b.lfsr, b.irq, b.irq_count, b.mab_phase, b.was_ring3,
                          b.cut_valid, b.flush_req, b.pf_valid}));
    PhaseKnown:   assert ((phase_q inside {Switching, Running}) || ((phase_q == Past) && (word_q == 3'd7)));
    SameMachines: assert (!joined || ({a.ctl_st, a.store_st, a.mem_req, a.mem_wait, a.mem_drop} ==
                          {b.ctl_st, b.store_st, b.mem_req, b.mem_wait, b.mem_drop}));
    SameControl:  assert (!(joined && ctl_busy) || ({a.ctl_init, a.ctl_idx, a.ctl_arg} ==
                          {b.ctl_init, b.ctl_idx, b.ctl_arg}));
    SameOperation:assert (!(joined && operation) || ({a.ctl_op, a.ctl_ring3, a.ctl_old, a.ctl_fault, a.ctl_fault_write,
                          a.ctl_fault_addr} == {b.ctl_op, b.ctl_ring3, b.ctl_old, b.ctl_fault, b.ctl_fault_write,
                          b.ctl_fault_addr}));
    SameAnswer:   assert (!(cleared && operation && (phase_q == Running)) || (a.ctl_rdata == b.ctl_rdata));
    SamePort:     assert (!(joined && port_busy) || ({a.mem_cmd, a.mem_be, a.mem_addr, a.mem_wdata} ==
                          {b.mem_cmd, b.mem_be, b.mem_addr, b.mem_wdata}));
    SameAdded:    assert (!(joined && ((a.store_st == StoreMissWrite) || ((a.ctl_st == CtlFlush) && (idx == 5'd5) &&
                          (a.missed != '0)))) || (a.mem_wdata == b.mem_wdata));
    SameTrap:     assert (!(joined && a.pf_valid) || ({a.pf_write, a.pf_abort, a.pf_addr} ==
                          {b.pf_write, b.pf_abort, b.pf_addr}));
    SameCut:      assert (!(joined && (a.cut_valid || (a.undo_valid && (phase_q == Running)))) ||
                          (a.cut_lane == b.cut_lane));

    // While the switch goes on nothing runs.
    RestsInSwitch:assert ((phase_q != Switching) || (!a.was_ring3 && (a.store_st == StoreIdle) && !a.mem_req &&
                          !a.mem_wait && !a.pf_valid && !(ctl_busy && a.ctl_init)));
    OpInSwitch:   assert (!((phase_q == Switching) && ctl_busy) || ((a.ctl_st inside {CtlWait, CtlDone}) &&
                          (a.ctl_op == OpRestore) && (a.ctl_fault == FaultNone) && (a.ctl_idx == {2'b0, word_q})));
    NothingTagged:assert (!joined || ((a.tag_valid == b.tag_valid) && (a.cand_valid == b.cand_valid)) ||
                          (phase_q == Switching));
    NoneInSwitch: assert ((phase_q != Switching) || !first_q || (!a.tag_valid && !b.tag_valid && !a.cand_valid &&
                          !b.cand_valid && !a.split && !b.split && !a.undo_valid && !b.undo_valid));
    LateInSwitch: assert (!((phase_q == Switching) && (ctl_busy || (word_q != 3'd7))) || first_q);
  end

  always_comb begin
    SameSession:  assert (!cleared || ({a.lwpcb, a.active, a.init_pending, a.reload, a.head, a.missed, a.tail_skip,
                          a.rotate, a.records, a.pending} == {b.lwpcb, b.active, b.init_pending, b.reload, b.head,
                          b.missed, b.tail_skip, b.rotate, b.records, b.pending}));
    NoneActive:   assert (!(cleared && (phase_q == Switching)) || !a.active);
    SameBeat:     assert (!(cleared && storing) || (a.store_beat == b.store_beat));
    SameUndo:     assert ((phase_q != Running) || ((a.split == b.split) && (a.undo_valid == b.undo_valid) &&
                          ((!a.split && !a.undo_valid) || (a.undo == b.undo))));
    // A replayed load of a split instruction is a candidate by then, and its record still takes what the tag held.
    SameTag:      assert (!((phase_q == Running) && (a.tag_valid || (a.cand_valid &&
                          (cfg.address_policy == AddressReplay)))) || ({a.tag_source, a.tag_latency, a.tag_ip} ==
                          {b.tag_source, b.tag_latency, b.tag_ip}));
    SameCand:     assert (!((phase_q == Running) && a.cand_valid) || ({a.cand_addr_valid, a.cand_source, a.cand_latency,
                          a.cand_addr} == {b.cand_addr_valid, b.cand_source, b.cand_latency, b.cand_addr}));
    SameFlags:    assert (!(cleared && (all || (loading && (idx >= 5'd1)))) || ({a.flags, a.size, a.random} ==
                          {b.flags, b.size, b.random}));
    SameAllow:    assert (!(cleared && loading && (idx >= 5'd1)) || (a.ctl_allow == b.ctl_allow));
    SameBase:     assert (!(cleared && (all || (loading && (idx >= 5'd2)))) || (a.base == b.base));
    SameTail:     assert (!(cleared && (all || (loading && (idx >= 5'd3)))) || (a.tail == b.tail));
    SameFilter:   assert (!(cleared && (all || (loading && (idx >= 5'd4)))) || ({a.threshold, a.filter} ==
                          {b.threshold, b.filter}));
  end
  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    always_comb begin
      SameCounter: assert (!cleared || (a.events[e].counter == b.events[e].counter));
      SameSlot:    assert (!(cleared && (all || (loading && (idx >= 5'd1))) && a.flags[e+1]) ||
                           ({a.events[e].slot, a.events[e].interval} == {b.events[e].slot, b.events[e].interval}));
    end
    for (genvar i = 0; i < int'(RecordQueue); i++) begin : gen_records
      always_comb begin
        Selected:  assert (!(a.active && (a.records[i].event_id == event_id_e'(e + 1))) || a.flags[e+1]);
      end
    end
  end
  for (genvar i = 0; i < int'(MabEntries); i++) begin : gen_entries
    always_comb begin
      SameEntry:   assert (!(joined && mine[i] && cfg.latency_source) || (a.mab[i] == b.mab[i]));
    end
  end

  // The claim: what the thread and its memory see.
  logic same_core, same_answer, same_memory, same_trap;
  assign same_core   = {out_a.stall, out_a.cut_valid, out_a.drain, out_a.flush_req, out_a.addr_track, out_a.rsp_valid,
                        out_a.mem_req, out_a.pf_valid, out_a.irq, out_a.msr0} ==
                       {out_b.stall, out_b.cut_valid, out_b.drain, out_b.flush_req, out_b.addr_track, out_b.rsp_valid,
                        out_b.mem_req, out_b.pf_valid, out_b.irq, out_b.msr0};
  assign same_answer = {out_a.rsp_fault, out_a.rsp_fault_write, out_a.rsp_rdata, out_a.rsp_fault_addr} ==
                       {out_b.rsp_fault, out_b.rsp_fault_write, out_b.rsp_rdata, out_b.rsp_fault_addr};
  assign same_memory = {out_a.mem_cmd, out_a.mem_be, out_a.mem_addr, out_a.mem_wdata} ==
                       {out_b.mem_cmd, out_b.mem_be, out_b.mem_addr, out_b.mem_wdata};
  assign same_trap   = {out_a.pf_write, out_a.pf_abort, out_a.pf_addr} ==
                       {out_b.pf_write, out_b.pf_abort, out_b.pf_addr};

  always_comb begin
    SeesSame:     assert ((phase_q != Running) || (same_core && (!out_a.rsp_valid || same_answer) &&
                          (!out_a.mem_req || same_memory) && (!out_a.pf_valid || same_trap)));
  end

`ifdef FORMAL_PASTS
  // Both threads have published a record: of different blocks, at different addresses, with the counters one apart at first.
  logic ran_a_q, ran_b_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      ran_a_q  <= 1'b0;
      ran_b_q  <= 1'b0;
    end else begin
      ran_a_q  <= ran_a_q || ((phase_q == Past) && a.active && (a.store_st == StoreReport));
      ran_b_q  <= ran_b_q || ((phase_q == Past) && b.active && (b.store_st == StoreReport));
    end
  end
  // The way there, so that the solver has less to choose: both run until each has published, leave ring 3, switch at once,
  // and run on; no operation but those of the start and of the switch.
  logic ran;
  assign ran = ran_a_q && ran_b_q;
  always_comb begin
    PastStays:    assume (!((phase_q == Past) && a.active && b.active && !ran) || (in_ring3(a_i) && in_ring3(b_i)));
    PastLeaves:   assume (!((phase_q == Past) && ran) || (!in_ring3(a_i) && !in_ring3(b_i)));
    SwitchSoon:   assume (switch_i == (ran && at_rest));
    SwitchGoesOn: assume (!((phase_q == Switching) && !out_a.stall) || a_i.ctl_valid);
    ThenRuns:     assume ((phase_q != Running) || in_ring3(a_i));
    OnlySwitch:   assume ((phase_q == Switching) || !a_i.ctl_valid || (a.lwpcb == '0));
    OnlySwitchB:  assume ((phase_q == Switching) || !b_i.ctl_valid || (b.lwpcb == '0));
  end
  always_comb begin
    CoverRan:     cover (ran);
  end
`else
  always_comb begin
    CoverSwitch:  cover ((phase_q == Running) && (a.lwpcb != '0));
  end
`endif

endmodule
