// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Stack: the LBR stack with its pointer, the clocks since its last record, and the last exception record.
//
// Specification: sections 5.2, 5.8 and 6. Contract: docs/src/trace/cycle.md, "4. The LBR stack".

module trace_stack
  import trace_pkg::*;
#(
  // Instructions that can retire in a cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes  = 1,
  // Entries that are built: 4, 8, 16 or 32.
  parameter int unsigned StackEntries = 4
) (
  // Clock: all registers change at its rising edge.
  input  logic                        clk_i,
  // Asynchronous reset, active low.
  input  logic                        rst_ni,

  // Strap `lbr_format`.
  input  format_e                     format_i,
  // Number of the last entry that exists.
  input  logic [4:0]                  last_i,

  // The stack takes the transfers of this cycle.
  input  logic                        recording_i,
  // Transfers, in program order.
  input  transfer_t [RetireLanes-1:0] transfers_i,
  // An interruption other than RSM is accepted in this cycle.
  input  logic                        exception_i,
  // A period of the core's clock begins in this cycle.
  input  logic                        core_clock_i,
  // The core is in 64-bit mode.
  input  logic                        long_i,
  // Base of CS.
  input  logic [63:0]                 cs_base_i,
  // 64-bit mode holds behind a far transfer.
  input  logic                        far_long_i,
  // Base of CS behind a far transfer.
  input  logic [63:0]                 far_base_i,
  // Register that WRMSR writes in this cycle. Only those of the stack matter.
  // verilator lint_off UNUSEDSIGNAL
  input  write_t                      write_i,
  // verilator lint_on UNUSEDSIGNAL
  // Value that it writes; valid with `write_i`.
  input  logic [63:0]                 wdata_i,

  // Registers.
  output lbr_t                        lbr_o
);

  localparam int unsigned EntryBits = $clog2(StackEntries);

  logic [4:0]                tos_d, tos_q;
  logic [15:0]               elapsed_d, elapsed_q;
  logic [63:0]               ler_from_d, ler_from_q, ler_to_d, ler_to_q;
  entry_t [StackEntries-1:0] entry_d, entry_q;

  /////////////
  // Records //
  /////////////

  logic [15:0] clocks;
  assign clocks = (core_clock_i && (elapsed_q != '1)) ? elapsed_q + 16'd1 : elapsed_q;

  logic   [RetireLanes-1:0] records;
  // A record in an earlier lane of the cycle.
  logic   [RetireLanes-1:0] follows;
  entry_t [RetireLanes-1:0] entries;
  // The entry of each lane's record.
  logic   [RetireLanes-1:0][4:0] places;

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lane
    assign records[l] = recording_i && transfers_i[l].valid && !transfers_i[l].is_debug;

    trace_entry u_entry (
      .format_i,
      .transfer_i(transfers_i[l]),
      .cycles_i  (follows[l] ? 16'd0 : clocks),
      .long_i,
      .cs_base_i,
      .far_long_i,
      .far_base_i,
      .entry_o   (entries[l])
    );
  end

  always_comb begin
    logic [4:0] place;
    logic       earlier;
    place  = tos_q;
    earlier = 1'b0;
    for (int l = 0; l < int'(RetireLanes); l++) begin
      follows[l] = earlier;
      if (records[l]) begin
        place  = (place + 5'd1) & last_i;
        earlier = 1'b1;
      end
      places[l] = place;
    end
    tos_d = place;
    if (write_i.tos) tos_d = wdata_i[4:0];
  end

  // A younger record of the cycle overwrites an older one: more lanes than entries.
  always_comb begin
    entry_d = entry_q;
    for (int l = 0; l < int'(RetireLanes); l++) begin
      if (records[l]) entry_d[places[l][EntryBits-1:0]] = entries[l];
    end
    for (int e = 0; e < int'(StackEntries); e++) begin
      if (write_i.from[e]) entry_d[e].from = wdata_i;
      if (write_i.to[e]) entry_d[e].to = wdata_i;
      if (write_i.info[e]) begin
        entry_d[e].cycles       = wdata_i[15:0];
        entry_d[e].tsx_abort    = wdata_i[61];
        entry_d[e].in_tx        = wdata_i[62];
        entry_d[e].mispredicted = wdata_i[63];
      end
    end
  end

  assign elapsed_d = (records != '0) ? 16'd0 : clocks;

  ///////////////////////////
  // Last exception record //
  ///////////////////////////

  // Only addresses are copied.
  // verilator lint_off UNUSEDSIGNAL
  entry_t newest;
  // verilator lint_on UNUSEDSIGNAL
  assign newest = entry_q[tos_q[EntryBits-1:0]];

  always_comb begin
    ler_from_d = ler_from_q;
    ler_to_d   = ler_to_q;
    if (recording_i && exception_i) begin
      if (format_i == FormatOffset32) begin
        ler_from_d = {32'd0, newest.from[31:0]};
        ler_to_d   = {32'd0, newest.from[63:32]};
      end else begin
        ler_from_d = newest.from;
        ler_to_d   = newest.to;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tos_q      <= '0;
      elapsed_q  <= '0;
      ler_from_q <= '0;
      ler_to_q   <= '0;
      entry_q    <= '0;
    end else begin
      tos_q      <= tos_d;
      elapsed_q  <= elapsed_d;
      ler_from_q <= ler_from_d;
      ler_to_q   <= ler_to_d;
      entry_q    <= entry_d;
    end
  end

  always_comb begin
    lbr_o                           = '0;
    lbr_o.tos                       = tos_q;
    lbr_o.elapsed                   = elapsed_q;
    lbr_o.ler_from                  = ler_from_q;
    lbr_o.ler_to                    = ler_to_q;
    lbr_o.entry[StackEntries-1:0]   = entry_q;
  end

endmodule
