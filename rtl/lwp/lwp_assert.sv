// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Facts that hold in every reachable state, whatever the inputs: legal or not. For simulation and proof alike; not
// part of the hardware.
//
// Each is one property without operators over time. Facts about two cycles compare with registers of the cycle
// before. All of them hold in the reset state, so none needs to be disabled by reset.

module lwp_assert
  import lwp_pkg::*;
#(
  parameter int unsigned EventSlots  = 8,
  parameter int unsigned LatencyBits = 31
) (
  input logic    clk_i,
  input logic    rst_ni,
  input logic    seed_zero_i,
  input logic    no_filter_i,
  input logic    ring3_i,
  input logic    mem_gnt_i,
  input logic    store_want_i,
  input logic    ctl_want_i,
  input logic    store_fault_i,
  input logic    init_fault_i,
  // Data that only pass through have no facts of their own.
  // verilator lint_off UNUSEDSIGNAL
  input state_t  state_i
  // verilator lint_on UNUSEDSIGNAL
);

  // The cycle before. Reset clears it together with the unit.
  logic    past_q;
  logic    past_ring3_q, past_gnt_q, past_req_q, past_done_q;
  access_t past_access_q;
  logic    past_lfsr_q;

  access_t access;
  assign access = '{cmd: state_i.mem_cmd, be: state_i.mem_be, addr: state_i.mem_addr, wdata: state_i.mem_wdata};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q        <= 1'b0;
      past_ring3_q  <= 1'b0;
      past_gnt_q    <= 1'b0;
      past_req_q    <= 1'b0;
      past_done_q   <= 1'b0;
      past_access_q <= '{cmd: MemRead, be: '0, addr: '0, wdata: '0};
      past_lfsr_q   <= 1'b0;
    end else begin
      past_q        <= 1'b1;
      past_ring3_q  <= ring3_i;
      past_gnt_q    <= mem_gnt_i;
      past_req_q    <= state_i.mem_req;
      past_done_q   <= state_i.ctl_st == CtlDone;
      past_access_q <= access;
      past_lfsr_q   <= state_i.lfsr != '0;
    end
  end

  logic store_memory, ctl_memory;
  assign store_memory = !(state_i.store_st inside {StoreIdle, StoreReport, StoreReset});
  assign ctl_memory   = state_i.ctl_st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags};

  ////////////
  // Straps //
  ////////////

  SeedNotZero:   assert property (@(posedge clk_i) past_q || !seed_zero_i);
  SomeFilter:    assert property (@(posedge clk_i) past_q || !no_filter_i);

  /////////////
  // Session //
  /////////////

  Msr0Reserved:  assert property (@(posedge clk_i) state_i.msr0[30:NumEvents+1] == '0);
  FlagsReserved: assert property (@(posedge clk_i) (state_i.flags[30:NumEvents+1] == '0) && !state_i.flags[0]);
  LwpcbAligned:  assert property (@(posedge clk_i) state_i.lwpcb[3:0] == '0);
  EnabledFirst:  assert property (@(posedge clk_i) state_i.msr0[0] || (state_i.lwpcb == '0));
  PointerFirst:  assert property (@(posedge clk_i) (state_i.lwpcb != '0) || !state_i.init_pending);
  OneSession:    assert property (@(posedge clk_i) !(state_i.active && state_i.init_pending));
  SomeEvent:     assert property (@(posedge clk_i) !state_i.active || (state_i.flags[NumEvents:1] != '0));
  SomeRoom:      assert property (@(posedge clk_i) !state_i.active || (state_i.size >= 28'd2 * RecordBytes));
  HeadInside:    assert property (@(posedge clk_i) !state_i.active || (state_i.head < state_i.size));
  TailInside:    assert property (@(posedge clk_i) !state_i.active || (state_i.tail < state_i.size));
  Multiples:     assert property (@(posedge clk_i)
      (state_i.base[4:0] | state_i.size[4:0] | state_i.head[4:0] | state_i.tail[4:0] | state_i.threshold[4:0]) == '0);

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    SlotExists:  assert property (@(posedge clk_i) state_i.events[e].slot < 5'(EventSlots));
    for (genvar o = e + 1; o < int'(NumEvents); o++) begin : gen_others
      // Else the choice between events that expire in one lane would not be one.
      SlotsDiffer: assert property (@(posedge clk_i)
          !(state_i.active && state_i.flags[e+1] && state_i.flags[o+1]) ||
          (state_i.events[e].slot != state_i.events[o].slot));
    end
  end

  // The LFSR leaves 0 once and never comes back.
  LfsrRuns:      assert property (@(posedge clk_i) (state_i.lfsr != '0) || !past_lfsr_q);

  ///////////////////
  // Record, store //
  ///////////////////

  if (LatencyBits < LatencyW) begin : gen_latency
    LatencyFits: assert property (@(posedge clk_i)
        ((state_i.rec_data >> LatencyBits) == '0) && ((state_i.cand_latency >> LatencyBits) == '0));
  end

  RecordIsOne:   assert property (@(posedge clk_i) (state_i.store_st == StoreIdle) || (state_i.rec_event != EventNone));
  StoreInRun:    assert property (@(posedge clk_i) (state_i.store_st == StoreIdle) || state_i.active);
  StoreOrTrap:   assert property (@(posedge clk_i) (state_i.store_st == StoreIdle) || !state_i.pf_valid);
  BeatsInWrite:  assert property (@(posedge clk_i)
      (state_i.store_st inside {StoreIdle, StoreWrite}) || (state_i.store_beat == '0));
  // A counter that has expired stays at zero until the record is out.
  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_frozen
    Frozen: assert property (@(posedge clk_i)
        (state_i.store_st == StoreIdle) || (state_i.rec_event != event_id_e'(e + 1)) ||
        (state_i.events[e].counter == '0));
  end

  //////////
  // Port //
  //////////

  OneAccess:     assert property (@(posedge clk_i) !(state_i.mem_req && state_i.mem_wait));
  DropWaits:     assert property (@(posedge clk_i) !state_i.mem_drop || state_i.mem_wait);
  OneWants:      assert property (@(posedge clk_i) !(store_want_i && ctl_want_i));
  OneWorks:      assert property (@(posedge clk_i) !(store_memory && ctl_memory));
  SomebodyWaits: assert property (@(posedge clk_i)
      !(state_i.mem_req || (state_i.mem_wait && !state_i.mem_drop)) || store_memory || ctl_memory);
  MemAligned:    assert property (@(posedge clk_i) state_i.mem_addr[2:0] == '0);
  KnownCommand:  assert property (@(posedge clk_i) state_i.mem_cmd inside {MemRead, MemWrite, MemProbe});
  KnownBytes:    assert property (@(posedge clk_i)
      !(state_i.mem_req || state_i.mem_wait) || (state_i.mem_be == BytesAll) ||
      (state_i.mem_be == BytesLow) || (state_i.mem_be == BytesHigh));
  // A request stands until it is granted, or withdrawn because ring 3 was left; never changed.
  ReqStands:     assert property (@(posedge clk_i)
      !past_req_q || past_gnt_q || state_i.mem_req || !past_ring3_q);
  ReqStable:     assert property (@(posedge clk_i)
      !(past_req_q && state_i.mem_req) || (past_access_q == access));
  // A store or a deferred initialisation has no request standing after a cycle outside ring 3.
  NoUserAccess:  assert property (@(posedge clk_i)
      past_ring3_q || !past_q || !state_i.mem_req || (ctl_memory && !state_i.ctl_init));

  /////////////
  // Control //
  /////////////

  KnownState:    assert property (@(posedge clk_i) state_i.ctl_st <= CtlDone);
  IdxInside:     assert property (@(posedge clk_i) state_i.ctl_idx <= 5'd3 + 5'(EventSlots));
  OneDone:       assert property (@(posedge clk_i) !past_done_q || (state_i.ctl_st == CtlIdle));
  NoInitFlush:   assert property (@(posedge clk_i)
      !(state_i.ctl_init && (state_i.ctl_st inside {CtlWait, CtlFlush, CtlDone})));
  FlushActive:   assert property (@(posedge clk_i) (state_i.ctl_st != CtlFlush) || state_i.active);
  LoadInactive:  assert property (@(posedge clk_i) !(state_i.ctl_st inside {CtlLoad, CtlFlags}) || !state_i.active);
  ArgAligned:    assert property (@(posedge clk_i)
      !(state_i.ctl_st inside {CtlProbe, CtlLoad, CtlFlags}) || (state_i.ctl_arg[3:0] == '0));

  //////////////
  // Requests //
  //////////////

  OneFault:      assert property (@(posedge clk_i) !(store_fault_i && init_fault_i));
  NoOverwrite:   assert property (@(posedge clk_i) !((store_fault_i || init_fault_i) && state_i.pf_valid));

endmodule
