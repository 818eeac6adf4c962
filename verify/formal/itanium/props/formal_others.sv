// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Others: what another process does reaches no user-level monitor.
//
// Two runs with the same straps. While PSR.up is 1 they have the same inputs. While it is 0, everything may differ: bundles that
// are fetched, issued and retired, memory records, levels, instruction sets, clocks, interruptions, and requests that change no
// register. Requests that may change one are made in both; interruptions with PSR.sp = 1, which clear it, come in both. Then every
// user-level monitor has the same count and the same pin in every cycle, monitoring is frozen in the same cycles, and each answer
// to the monitored process at a level other than 0 is the same.
//
// The monitored process retires bundles whose fetch and issue were the same in both runs.
//
// System-level monitors count differently in the two runs. So does a monitor that was one, until its PMD is written again: such a
// counter is called mixed. An overflow of it that freezes would stop the others, too; in neither run there is one.
//
// The two runs share the registers that only requests write (verify/formal/runner/join.py): SameRegister is about these.
//
// Rows: ITA-46, ITA-52.

module formal_others
  import itanium_pkg::*;
  import formal_pkg::*;
  import formal_qualify_pkg::*;
(
  input logic clk_i,
  input in_t  a_i,
  // The second run's own inputs.
  input in_t  free_i
);

  logic    rst_n;
  config_t cfg;
  in_t     b_in;
  out_t    out_a, out_b;
  state_t  a, b;

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
  formal_unit u_unit_a (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(a_i), .out_o(out_a), .st_o(a), .over_o());
  formal_unit u_unit_b (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(b_in), .out_o(out_b), .st_o(b), .over_o());

  logic monitored_process;
  assign monitored_process = a.status.up;

  always_comb begin
    b_in = monitored_process ? a_i : free_i;
    if (acts(a_i)) begin
      b_in.request   = a_i.request;
      b_in.cpl       = a_i.cpl;
      b_in.int_valid = a_i.int_valid;
    end
    SameActs: assume (acts(a_i) || monitored_process || !acts(free_i));
    // An interruption clears PSR.sp.
    SameInt:  assume (!a.status.sp || (b_in.int_valid == a_i.int_valid));
  end

`ifdef FORMAL_UP
  // Half of the step: it begins in a cycle in which PSR.up has this value. With k = 1 a step has one such cycle, so two halves are all.
  logic stepped_q, up_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      stepped_q <= 1'b0;
      up_q      <= 1'b0;
    end else begin
      stepped_q <= 1'b1;
      up_q      <= monitored_process;
    end
  end
  always_comb Case: assume (!stepped_q || (up_q == 1'(`FORMAL_UP)));
`endif

  ///////////
  // Mixed //
  ///////////

  // As of this cycle; the count is mixed as of the next one, unless it is written. An overflow freezes in this cycle.
  logic [Counters-1:0] mixed, mixed_q, pin_mixed_q, over_a, over_b;
  always_comb begin
    for (int unsigned c = 0; c < 4; c++) begin
      mixed[c]  = mixed_q[c] || a.counter[c].pm;
      over_a[c] = passes(a.counter[c].count, adds(cfg, a, a_i, c)) && (a.counter[c].oi || cfg.freeze_always);
      over_b[c] = passes(b.counter[c].count, adds(cfg, b, b_in, c)) && (b.counter[c].oi || cfg.freeze_always);
    end
    MixedFreezesNone: assume (((over_a | over_b) & mixed) == '0);
  end
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      mixed_q     <= '0;
      pin_mixed_q <= '0;
    end else begin
      for (int unsigned c = 0; c < 4; c++) mixed_q[c] <= mixed[c] && !writes(a_i, Pmd, 4 + c);
      pin_mixed_q <= mixed;
    end
  end

  //////////
  // Tags //
  //////////

  // The bundle is fetched, or fetched or issued, in this cycle.
  function automatic logic fetches(in_t in, int unsigned e);
    for (int unsigned n = 0; n < Bundles; n++) begin
      if (!in.psr_is && in.fetch[n].valid && (32'(entry(in.fetch[n].id)) == e)) return 1'b1;
    end
    return 1'b0;
  endfunction
  function automatic logic touches(in_t in, int unsigned e);
    for (int unsigned n = 0; n < Bundles; n++) begin
      if (!in.psr_is && in.issue[n].valid && (32'(entry(in.issue[n].id)) == e)) return 1'b1;
    end
    return fetches(in, e);
  endfunction

  // Fetch and issue of the bundle of an entry were the same in both runs.
  logic               alike;
  logic [Entries-1:0] same_q;
  assign alike = {a_i.fetch, a_i.issue, a_i.psr_is} == {b_in.fetch, b_in.issue, b_in.psr_is};
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      same_q <= '1;
    end else begin
      for (int unsigned e = 0; e < Entries; e++) begin
        if (alike) same_q[e] <= same_q[e] || fetches(a_i, e);
        else same_q[e] <= same_q[e] && !touches(a_i, e) && !touches(b_in, e);
      end
    end
  end

  // The monitored process retires its own bundles, and shows their memory records.
  for (genvar n = 0; n < int'(Bundles); n++) begin : gen_own
    always_comb OwnBundles: assume (!(monitored_process && a_i.retire[n].valid) || same_q[entry(a_i.retire[n].id)]);
  end
  for (genvar p = 0; p < int'(MemPorts); p++) begin : gen_records
    always_comb OwnRecords: assume (!(monitored_process && a_i.mem[p].valid) || same_q[entry(a_i.mem[p].id)]);
  end

  /////////////////////
  // What is the same //
  /////////////////////

  for (genvar c = 0; c < int'(Counters); c++) begin : gen_counters
    counter_t of_a, of_b;
    assign of_a = a.counter[c];
    assign of_b = b.counter[c];
    always_comb begin
      SameSettings: assert ({of_a.plm, of_a.ev, of_a.oi, of_a.pm, of_a.es, of_a.umask, of_a.threshold, of_a.ism} ==
                            {of_b.plm, of_b.ev, of_b.oi, of_b.pm, of_b.es, of_b.umask, of_b.threshold, of_b.ism});
      // ITA-46
      SameCount:    assert (mixed[c] || (of_a.count == of_b.count));
      SamePin:      assert (pin_mixed_q[c] || (of_a.pin == of_b.pin));
    end
  end
`ifdef FORMAL_UP
  // What the counters read of the tags: for the solver.
  for (genvar n = 0; n < int'(Bundles); n++) begin : gen_retired
    always_comb begin
      SameRetired: assert (!(monitored_process && a_i.retire[n].valid) ||
                           (a.tag[entry(a_i.retire[n].id)] == b.tag[entry(a_i.retire[n].id)]));
    end
  end
  for (genvar p = 0; p < int'(MemPorts); p++) begin : gen_recorded
    always_comb begin
      SameRecorded: assert (!(monitored_process && a_i.mem[p].valid) || (a.tag[entry(a_i.mem[p].id)] == b.tag[entry(a_i.mem[p].id)]));
    end
  end
`endif
  for (genvar e = 0; e < int'(Entries); e++) begin : gen_entries
    always_comb SameTag: assert (!same_q[e] || (a.tag[e] == b.tag[e]));
  end

  // A request of the monitored process at a level other than 0; not of a counter that is mixed and shown.
  logic       asked_q, is_counter;
  logic [1:0] counter;
  assign is_counter = (file_of(a_i) == Pmd) && (index_of(a_i)[7:2] == 6'd1) && (a_i.request.reg_op == 4'd7);
  assign counter    = index_of(a_i)[1:0];
  logic [2:0] ears_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      asked_q <= 1'b0;
      ears_q  <= '0;
    end else begin
      asked_q <= monitored_process && made(a_i) && (a_i.cpl != 2'd0) &&
                 !(is_counter && mixed_q[counter] && !a.counter[counter].pm);
      ears_q  <= {a.pmc10.pm, a.pmc11.pm, a.pmc12.pm};
    end
  end

  always_comb begin
    SameStatus: assert ({a.status.up, a.status.sp, a.status.dcr_pp} == {b.status.up, b.status.sp, b.status.dcr_pp});
    SameFreeze: assert ({a.freeze.fr, a.freeze.overflow} == {b.freeze.fr, b.freeze.overflow});
    SameEars:   assert ((({out_a.iear_on, out_a.dear_on, out_a.btb_on} ^ {out_b.iear_on, out_b.dear_on, out_b.btb_on}) & ~ears_q) ==
                        '0);
    SameAnswer: assert (!asked_q || (a.answer == b.answer));
  end

  // The runs differ while another process retires; the count moved before and moves behind.
  logic other_q, again_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      other_q <= 1'b0;
      again_q <= 1'b0;
    end else begin
      other_q <= other_q || ((a.counter[0].count != '0) && !monitored_process && a_i.retire[0].valid && !b_in.retire[0].valid);
      again_q <= again_q || (other_q && monitored_process && a_i.retire[0].valid);
    end
  end
  always_comb begin
    CoverApart: cover (again_q && (mixed == 4'b0010) && (a.counter[1].count != b.counter[1].count) &&
                       (a.counter[0].count == 32'd2) && (b.counter[0].count == 32'd2));
    CoverTags:  cover (monitored_process && (a.tag != b.tag) && (same_q != '0) && !a.freeze.fr);
    CoverAsks:  cover (asked_q && (out_a.reg_rdata != '0));
  end

endmodule
