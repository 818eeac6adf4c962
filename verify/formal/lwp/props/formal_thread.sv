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
  import lwp_state_pkg::*;
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

`ifdef FORMAL_RUNNING
  // The part of the step behind the switch. The second run shares the registers of the first that are the same there (join.py).
  assign phase_q = Running;
  assign word_q  = 3'd7;
  assign valid   = 1'b1;
`else
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
`endif

`ifdef FORMAL_SWITCHING
  // The other part: no cycle before the last one is behind the switch.
  logic behind_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      behind_q <= 1'b0;
    end else begin
      behind_q <= phase_q == Running;
    end
  end
  always_comb Case: assume (!behind_q);
`endif

`ifdef FORMAL_PASTS
  // For covers: a session of another thread, at another place, until the switch.
  in_t b_past;
  formal_start #(.Block(64'h2000), .Code(64'h50_0000), .Count(2'd2)) u_start_b (
    .clk_i, .rst_ni(rst_n), .in_i(b_raw_i), .out_i(out_b), .in_o(b_past)
  );
  assign b_i = same ? a_i : b_past;
`elsif FORMAL_RUNNING
  assign b_i = a_i;
`else
  assign b_i = b_raw_i;
`endif

  formal_twins u_twins (
    .clk_i, .rst_ni(rst_n), .cfg_i(cfg), .same_i(same), .fresh_i(phase_q == Past), .a_i, .b_i, .mine_o(mine)
  );

  // Nothing is under way, and the core's own registers are the same.
  assign at_rest = valid && (a.ctl.st == CtlIdle) && (b.ctl.st == CtlIdle) && (a.store.st == StoreIdle) &&
                   (b.store.st == StoreIdle) && !a.port.req && !b.port.req && !a.port.waiting && !b.port.waiting &&
                   !a.pf.valid && !b.pf.valid && !a.retire.was_ring3 && !b.retire.was_ring3 && !a.retire.cut_valid && !b.retire.cut_valid;

  always_comb begin
    SwitchAtRest: assume (!begins || at_rest);
    SwitchCore:   assume (!begins || ({a.session.msr0, a.lfsr, a.irq.valid, a.irq.count, a.mab.phase} ==
                          {b.session.msr0, b.lfsr, b.irq.valid, b.irq.count, b.mab.phase}));
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
                     ((word_q != 3'd7) || (a.ctl.st == CtlDone)));
  assign ctl_busy  = a.ctl.st != CtlIdle;
  assign operation = ctl_busy && !a.ctl.init;
  assign storing   = a.store.st inside {[StoreInterval:StoreReset]};
  assign port_busy = a.port.req || a.port.waiting;

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
  assign loading = a.ctl.st == CtlLoad;
  assign idx     = a.ctl.idx;
  assign all     = a.session.active || (a.ctl.st == CtlFlags);

  always_comb begin
    SameCore:     assert (!joined || ({a.session.msr0, a.lfsr, a.irq.valid, a.irq.count, a.mab.phase, a.retire.was_ring3, a.retire.cut_valid,
                          a.retire.flush_req, a.pf.valid} == {b.session.msr0, b.lfsr, b.irq.valid, b.irq.count, b.mab.phase, b.retire.was_ring3,
                          b.retire.cut_valid, b.retire.flush_req, b.pf.valid}));
    PhaseKnown:   assert ((phase_q inside {Switching, Running}) || ((phase_q == Past) && (word_q == 3'd7)));
    SameMachines: assert (!joined || ({a.ctl.st, a.store.st, a.port.req, a.port.waiting, a.port.drop} ==
                          {b.ctl.st, b.store.st, b.port.req, b.port.waiting, b.port.drop}));
    SameControl:  assert (!(joined && ctl_busy) || ({a.ctl.init, a.ctl.idx, a.ctl.arg} ==
                          {b.ctl.init, b.ctl.idx, b.ctl.arg}));
    SameOperation:assert (!(joined && operation) || ({a.ctl.op, a.ctl.ring3, a.ctl.old, a.ctl.fault, a.ctl.fault_write,
                          a.ctl.fault_addr} == {b.ctl.op, b.ctl.ring3, b.ctl.old, b.ctl.fault, b.ctl.fault_write,
                          b.ctl.fault_addr}));
    SameAnswer:   assert (!(cleared && operation && (phase_q == Running)) || (a.ctl.rdata == b.ctl.rdata));
    SamePort:     assert (!(joined && port_busy) || ({a.port.cmd, a.port.be, a.port.addr, a.port.wdata} ==
                          {b.port.cmd, b.port.be, b.port.addr, b.port.wdata}));
    SameAdded:    assert (!(joined && ((a.store.st == StoreMissWrite) || ((a.ctl.st == CtlFlush) && (idx == 5'd5) &&
                          (a.ring.missed != '0)))) || (a.port.wdata == b.port.wdata));
    SameTrap:     assert (!(joined && a.pf.valid) || ({a.pf.write, a.pf.aborts, a.pf.addr} ==
                          {b.pf.write, b.pf.aborts, b.pf.addr}));
    SameCut:      assert (!(joined && (a.retire.cut_valid || (a.undo.valid && (phase_q == Running)))) ||
                          (a.retire.cut_lane == b.retire.cut_lane));

    // While the switch goes on nothing runs.
    RestsInSwitch:assert ((phase_q != Switching) || (!a.retire.was_ring3 && (a.store.st == StoreIdle) && !a.port.req &&
                          !a.port.waiting && !a.pf.valid && !(ctl_busy && a.ctl.init)));
    OpInSwitch:   assert (!((phase_q == Switching) && ctl_busy) || ((a.ctl.st inside {CtlWait, CtlDone}) &&
                          (a.ctl.op == OpRestore) && (a.ctl.fault == FaultNone) && (a.ctl.idx == {2'b0, word_q})));
    NothingTagged:assert (!joined || ((a.tag.valid == b.tag.valid) && (a.cand.valid == b.cand.valid)) ||
                          (phase_q == Switching));
    NoneInSwitch: assert ((phase_q != Switching) || !first_q || (!a.tag.valid && !b.tag.valid && !a.cand.valid &&
                          !b.cand.valid && !a.undo.split && !b.undo.split && !a.undo.valid && !b.undo.valid));
    LateInSwitch: assert (!((phase_q == Switching) && (ctl_busy || (word_q != 3'd7))) || first_q);
  end

  always_comb begin
    SameSession:  assert (!cleared || ({a.session.lwpcb, a.session.active, a.session.init_pending, a.session.reload, a.ring.head, a.ring.missed, a.ring.tail_skip,
                          a.rotate, a.records, a.pending} == {b.session.lwpcb, b.session.active, b.session.init_pending, b.session.reload, b.ring.head,
                          b.ring.missed, b.ring.tail_skip, b.rotate, b.records, b.pending}));
    NoneActive:   assert (!(cleared && (phase_q == Switching)) || !a.session.active);
    SameBeat:     assert (!(cleared && storing) || (a.store.beat == b.store.beat));
    SameUndo:     assert ((phase_q != Running) || ((a.undo.split == b.undo.split) && (a.undo.valid == b.undo.valid) &&
                          ((!a.undo.split && !a.undo.valid) || (a.undo.counters == b.undo.counters))));
    // A replayed load of a split instruction is a candidate by then, and its record still takes what the tag held.
    SameTag:      assert (!((phase_q == Running) && (a.tag.valid || (a.cand.valid &&
                          (cfg.address_policy == AddressReplay)))) || ({a.tag.source, a.tag.latency, a.tag.ip} ==
                          {b.tag.source, b.tag.latency, b.tag.ip}));
    SameCand:     assert (!((phase_q == Running) && a.cand.valid) || ({a.cand.addr_valid, a.cand.source, a.cand.latency,
                          a.cand.addr} == {b.cand.addr_valid, b.cand.source, b.cand.latency, b.cand.addr}));
    SameFlags:    assert (!(cleared && (all || (loading && (idx >= 5'd1)))) || ({a.block.flags, a.block.size, a.block.random} ==
                          {b.block.flags, b.block.size, b.block.random}));
    SameAllow:    assert (!(cleared && loading && (idx >= 5'd1)) || (a.block.allow == b.block.allow));
    SameBase:     assert (!(cleared && (all || (loading && (idx >= 5'd2)))) || (a.block.base == b.block.base));
    SameTail:     assert (!(cleared && (all || (loading && (idx >= 5'd3)))) || (a.ring.tail == b.ring.tail));
    SameFilter:   assert (!(cleared && (all || (loading && (idx >= 5'd4)))) || ({a.block.threshold, a.block.filter} ==
                          {b.block.threshold, b.block.filter}));
  end
  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    always_comb begin
      SameCounter: assert (!cleared || (a.events[e].counter == b.events[e].counter));
      SameSlot:    assert (!(cleared && (all || (loading && (idx >= 5'd1))) && a.block.flags[e+1]) ||
                           ({a.events[e].slot, a.events[e].interval} == {b.events[e].slot, b.events[e].interval}));
    end
    for (genvar i = 0; i < int'(RecordQueue); i++) begin : gen_records
      always_comb begin
        Selected:  assert (!(a.session.active && (a.records[i].event_id == event_id_e'(e + 1))) || a.block.flags[e+1]);
      end
    end
  end
  for (genvar i = 0; i < int'(MabEntries); i++) begin : gen_entries
    always_comb begin
      SameEntry:   assert (!(joined && mine[i] && cfg.latency_source) || (a.mab.entries[i] == b.mab.entries[i]));
    end
  end

`ifdef FORMAL_SWITCHING
  // The registers that the runs of `thread-running` share: all but those that its plan keeps apart.
  function automatic state_t shared(state_t st);
    shared              = st;
    shared.ctl          = '0;
    shared.ctl.st       = st.ctl.st;
    shared.port.cmd     = mem_cmd_e'('0);
    shared.port.be      = '0;
    shared.port.addr    = '0;
    shared.port.wdata   = '0;
    shared.pf           = '0;
    shared.pf.valid     = st.pf.valid;
    shared.tag          = '0;
    shared.tag.valid    = st.tag.valid;
    shared.cand         = '0;
    shared.cand.valid   = st.cand.valid;
    shared.undo.counters   = '0;
    shared.retire.cut_lane = '0;
    shared.block        = '0;
    shared.ring.tail    = '0;
    shared.store.beat   = '0;
    shared.mab.entries  = '0;
    for (int unsigned e = 0; e < NumEvents; e++) begin
      shared.events[e].slot     = '0;
      shared.events[e].interval = '0;
    end
  endfunction
  always_comb SameShared: assert ((phase_q != Running) || (shared(a) == shared(b)));
`endif

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
      ran_a_q  <= ran_a_q || ((phase_q == Past) && a.session.active && (a.store.st == StoreReport));
      ran_b_q  <= ran_b_q || ((phase_q == Past) && b.session.active && (b.store.st == StoreReport));
    end
  end
  // The way there, so that the solver has less to choose: both run until each has published, leave ring 3, switch at once,
  // and run on; no operation but those of the start and of the switch.
  logic ran;
  assign ran = ran_a_q && ran_b_q;
  always_comb begin
    PastStays:    assume (!((phase_q == Past) && a.session.active && b.session.active && !ran) || (in_ring3(a_i) && in_ring3(b_i)));
    PastLeaves:   assume (!((phase_q == Past) && ran) || (!in_ring3(a_i) && !in_ring3(b_i)));
    SwitchSoon:   assume (switch_i == (ran && at_rest));
    SwitchGoesOn: assume (!((phase_q == Switching) && !out_a.stall) || a_i.ctl_valid);
    ThenRuns:     assume ((phase_q != Running) || in_ring3(a_i));
    OnlySwitch:   assume ((phase_q == Switching) || !a_i.ctl_valid || (a.session.lwpcb == '0));
    OnlySwitchB:  assume ((phase_q == Switching) || !b_i.ctl_valid || (b.session.lwpcb == '0));
  end
  always_comb begin
    CoverRan:     cover (ran);
  end
`else
  always_comb begin
    CoverSwitch:  cover ((phase_q == Running) && (a.session.lwpcb != '0));
  end
`endif

endmodule
