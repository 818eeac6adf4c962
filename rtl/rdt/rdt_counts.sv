// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Counts: occupancy and bandwidth of each RMID, in lines.
//
// Contract: docs/src/rdt/cycle.md, "Charge". Requirements RDTM-02, RDTM-03, RDTM-11.

module rdt_counts
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // RMIDs with counters: 2 to 32.
  parameter int unsigned Rmids = 4
) (
  // Clock: all registers change at its rising edge.
  input  logic                clk_i,
  // Asynchronous reset, active low.
  input  logic                rst_ni,

  // Straps `events`, `max_rmid`, `start`.
  input  logic [2:0]          events_i,
  input  logic [4:0]          max_rmid_i,
  input  logic [CounterW-1:0] start_i,

  // What is counted in this cycle.
  input  count_t              count_i,

  // Per RMID: its counters.
  output rmid_t [Rmids-1:0]   rmid_o
);

  // RMIDs that are in use. Smaller builds have fewer.
  // verilator lint_off UNUSEDSIGNAL
  logic [MaxRmids-1:0] used;
  // verilator lint_on UNUSEDSIGNAL
  assign used = ~(32'hFFFF_FFFE << max_rmid_i);

  for (genvar r = 0; r < int'(Rmids); r++) begin : gen_rmids
    rmid_t rmid_d, rmid_q;
    logic  mine;
    assign mine = count_i.rmid == 5'(r);

    always_comb begin
      rmid_d = rmid_q;
      if (count_i.start && used[r]) begin
        if (events_i[1]) rmid_d.total = start_i;
        if (events_i[2]) rmid_d.local_lines = start_i;
      end
      if (mine) begin
        if (count_i.enter && events_i[0]) rmid_d.occupancy = rmid_q.occupancy + OccupancyW'(1);
        if (count_i.leave && events_i[0]) rmid_d.occupancy = rmid_q.occupancy - OccupancyW'(1);
        if (count_i.charge && events_i[1]) rmid_d.total = rmid_q.total + CounterW'(1);
        if (count_i.charge && count_i.charge_local && events_i[2]) begin
          rmid_d.local_lines = rmid_q.local_lines + CounterW'(1);
        end
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        rmid_q <= '0;
      end else begin
        rmid_q <= rmid_d;
      end
    end

    assign rmid_o[r] = rmid_q;
  end

endmodule
