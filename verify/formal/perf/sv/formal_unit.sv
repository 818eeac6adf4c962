// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit under proof, its ports gathered in two structs, with the facts about its registers that its own assertions
// (rtl/perf/perf_assert*.sv) state. The proof "invariants" proves them; the others build on them.

module formal_unit
  import perf_pkg::*;
  import formal_pkg::*;
(
  input  logic    clk_i,
  input  logic    rst_ni,
  input  config_t cfg_i,
  input  in_t     in_i,
  output out_t    out_o,
  output state_t  st_o
);

  perf #(
    .LogicalProcessors(Processors),
    .GeneralCounters  (General),
    .FixedCounters    (Fixed),
    .RetireLanes      (Lanes)
  ) u_perf (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .bus_tick_i  (in_i.bus_tick),
    .core_ratio_i(in_i.core_ratio),
    .core_clock_i(in_i.core_clock),
    .lanes_i     (in_i.lanes),
    .lp_i        (in_i.lp),
    .reg_i       (in_i.request),
    .apic_i      (in_i.apic),
    .reg_done_o  (out_o.reg_done),
    .reg_result_o(out_o.reg_result),
    .reg_rdata_o (out_o.reg_rdata),
    .lp_o        (out_o.lp),
    .general_o   (out_o.general),
    .fixed_o     (out_o.fixed),
    .state_o     (st_o)
  );

  // The port shows zeros for the logical processors and counters that this build does not have.
  for (genvar i = 0; i < int'(MaxProcessors); i++) begin : gen_shown
    if (i >= int'(Processors)) begin : gen_absent
      AbsentShown: assert property (@(posedge clk_i)
          (st_o.lp[i] == '0) && (st_o.general[i] == '0) && (st_o.fixed[i] == '0));
    end else begin : gen_there
      for (genvar c = int'(General); c < int'(MaxGeneral); c++) begin : gen_general
        GeneralShown: assert property (@(posedge clk_i) st_o.general[i][c] == '0);
      end
      for (genvar k = int'(Fixed); k < int'(MaxFixed); k++) begin : gen_fixed
        FixedShown: assert property (@(posedge clk_i) st_o.fixed[i][k] == '0);
      end
    end
  end

endmodule
