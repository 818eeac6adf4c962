// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Neighbour: nothing of another logical processor reaches a logical processor, AnyThread aside: no request, no write of its local
// APIC's entry, none of its pins and of its registers; and no answer tells what another one holds.
//
// Two runs have the same clocks and the same inputs of a chosen logical processor, its requests included. All inputs of the others
// may differ; where a counter of the chosen one has AnyThread set, their lanes, events and levels are the same. Then the registers
// and answers of the chosen one are the same in every cycle.
//
// Rows: P6-10, APM-04, APM-37.

module formal_neighbour
  import retire_pkg::*;
  import perf_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  a_i,
  // The second run's own inputs.
  input in_t  free_i
);

  localparam int unsigned Mine = `FORMAL_MINE;

  logic    rst_n;
  config_t cfg;
  in_t     b_in;
  out_t    out_a, out_b;
  state_t  a, b;

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
  formal_unit u_unit_a (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(a_i), .out_o(out_a), .st_o(a));
  formal_unit u_unit_b (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(b_in), .out_o(out_b), .st_o(b));

  logic any;
  always_comb begin
    any = 1'b0;
    for (int unsigned c = 0; c < General; c++) any |= a.general[Mine][c].select[21];
    for (int unsigned k = 0; k < Fixed; k++) any |= a.fixed[Mine][k].control[2];
  end

  // The lanes, events and levels of the others are the same in both runs.
  logic same;
`ifdef FORMAL_ANY
  // Half of the step: it begins in a cycle in which a counter of the chosen one has AnyThread set, or in one in which none has. With k = 1 a
  // step has one such cycle, so two halves are all. In its half, `same` is no question to the solver.
  assign same = 1'(`FORMAL_ANY);
  logic stepped_q, any_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      stepped_q <= 1'b0;
      any_q     <= 1'b0;
    end else begin
      stepped_q <= 1'b1;
      any_q     <= any;
    end
  end
  always_comb Case: assume (!stepped_q || (any_q == 1'(`FORMAL_ANY)));
`else
  assign same = any;
`endif

  logic asks_a, apic_a;
  assign asks_a = a_i.request.reg_valid && asks(a_i, Mine);
  assign apic_a = a_i.apic.apic_write && ((32'(a_i.apic.apic_lp) % Processors) == Mine);

  always_comb begin
    b_in            = free_i;
    b_in.bus_tick   = a_i.bus_tick;
    b_in.core_ratio = a_i.core_ratio;
    b_in.core_clock = a_i.core_clock;
    b_in.lanes[Mine] = a_i.lanes[Mine];
    b_in.lp[Mine]    = a_i.lp[Mine];
    for (int unsigned j = 0; j < Processors; j++) begin
      if (same) begin
        b_in.lanes[j]        = a_i.lanes[j];
        b_in.lp[j].partial   = a_i.lp[j].partial;
        b_in.lp[j].cpl       = a_i.lp[j].cpl;
        b_in.lp[j].op_mode   = a_i.lp[j].op_mode;
        b_in.lp[j].int_valid = a_i.lp[j].int_valid;
        b_in.lp[j].int_kind  = a_i.lp[j].int_kind;
        b_in.lp[j].halted    = a_i.lp[j].halted;
        b_in.lp[j].events    = a_i.lp[j].events;
      end
    end
    if (asks_a) b_in.request = a_i.request;
    if (apic_a) b_in.apic = a_i.apic;
  end

  always_comb begin
    OthersAsk:   assume (asks_a || !(free_i.request.reg_valid && asks(free_i, Mine)));
    OthersWrite: assume (apic_a || !(free_i.apic.apic_write && ((32'(free_i.apic.apic_lp) % Processors) == Mine)));
  end

  logic asked_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) asked_q <= 1'b0;
    else asked_q <= asks_a;
  end

  always_comb begin
    SameRatio:   assert (a.ratio_fits == b.ratio_fits);
    // APM-04
    SameGeneral: assert (a.general[Mine] == b.general[Mine]);
    SameFixed:   assert (a.fixed[Mine] == b.fixed[Mine]);
    SameLp:      assert (a.lp[Mine] == b.lp[Mine]);
    SameAnswer:  assert (!asked_q || (a.answer == b.answer));
  end
  always_comb begin
    CoverApart: cover (asked_q && (a.answer.reg_rdata != '0) && (a.lp != b.lp) && (a.general != b.general));
    CoverAny:   cover (any && (a.general[Mine][0].counter != '0) && (a.general != b.general));
  end

endmodule
