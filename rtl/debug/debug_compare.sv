// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Compare: finds the breakpoints that one address or access meets. Combinational.
//
// Specification: section 2, "Debug registers" (DR0 to DR3, R/W, LEN). Contract: docs/src/debug/comparators.md.

module debug_compare
  import debug_pkg::*;
#(
  // What is compared: the address of an instruction, an access to data, or an access to I/O ports.
  parameter compare_e Kind = CompareFetch
) (
  // Strap `io_gate`: breakpoint with R/W 10 while CR4.DE is 0.
  input  io_gate_e                     io_gate_i,
  // Strap `exec_length`: instruction breakpoint with LEN other than 00.
  input  exec_length_e                 exec_length_i,
  // Strap `status_off`: breakpoints that are off are reported.
  input  status_off_e                  status_off_i,

  // DR0 to DR3.
  input  logic [Breakpoints-1:0][63:0] address_i,
  // DR7.
  input  dr7_t                         dr7_i,
  // Addresses have 64 bits.
  input  logic                         wide_i,
  // CR4.DE.
  input  logic                         de_i,

  // The access to data loads.
  input  logic                         read_i,
  // The access to data stores.
  input  logic                         write_i,
  // Address of the instruction, or lowest address of the access; ports are extended with zeros.
  input  logic [63:0]                  addr_i,
  // Number of bytes or ports. Codes that are not used act as 1.
  input  logic [6:0]                   size_i,

  // Breakpoints that are met.
  output conditions_t                  conditions_o
);

  // LE, GE, RTM and GD do not concern breakpoints.
  logic unused_dr7;
  assign unused_dr7 = ^{dr7_i.le, dr7_i.ge, dr7_i.rtm, dr7_i.gd};

  logic [Breakpoints-1:0] on, met;

  if (Kind == CompareFetch) begin : gen_fetch
    logic unused_fetch;
    assign unused_fetch = ^{io_gate_i, de_i, read_i, write_i, size_i};

    logic [63:0] ip;
    assign ip = {addr_i[63:32] & {32{wide_i}}, addr_i[31:0]};

    for (genvar n = 0; n < int'(Breakpoints); n++) begin : gen_breakpoints
      logic [1:0] rw, len;
      assign rw     = dr7_i.kind[4*n+:2];
      assign len    = dr7_i.kind[4*n+2+:2];
      assign met[n] = (rw == 2'b00) && ((len == 2'b00) || (exec_length_i == ExecLengthIgnore)) &&
                      (ip == address_i[n]);
    end
  end else begin : gen_access
    logic unused_access;
    assign unused_access = ^exec_length_i;

    logic [6:0] size;
    logic       modulo32, io_on;

    if (Kind == CompareIo) begin : gen_io
      logic unused_io;
      assign unused_io = ^{wide_i, read_i, write_i};
      assign size      = (size_i inside {7'd1, 7'd2, 7'd4}) ? size_i : 7'd1;
      assign modulo32  = 1'b0;
      assign io_on     = de_i || (io_gate_i == IoGateIgnore);
    end else begin : gen_data
      logic unused_data;
      assign unused_data = ^{io_gate_i, de_i};
      assign size        = ((size_i == 7'd0) || (size_i > 7'd64)) ? 7'd1 : size_i;
      assign modulo32    = !wide_i;
      assign io_on       = 1'b0;
    end

    for (genvar n = 0; n < int'(Breakpoints); n++) begin : gen_breakpoints
      logic [1:0]  rw, len;
      logic [2:0]  mask;
      logic        waits, near, inside_range;
      logic [63:0] base, above, below;
      assign rw  = dr7_i.kind[4*n+:2];
      assign len = dr7_i.kind[4*n+2+:2];

      // Length minus 1.
      always_comb begin
        unique case (len)
          2'b00:   mask = 3'd0;
          2'b01:   mask = 3'd1;
          2'b10:   mask = 3'd7;
          default: mask = 3'd3;
        endcase
      end

      if (Kind == CompareIo) begin : gen_waits_io
        assign waits = (rw == 2'b10) && io_on;
      end else begin : gen_waits_data
        logic unused_io_on;
        assign unused_io_on = io_on;
        assign waits        = ((rw == 2'b01) && write_i) || ((rw == 2'b11) && (read_i || write_i));
      end

      assign base  = address_i[n] & ~64'(mask);
      assign above = addr_i - base;
      assign below = base - addr_i;
      // A breakpoint beyond 32 bits is not met where addresses have 32 bits.
      assign near         = !modulo32 || (address_i[n][63:32] == '0);
      assign inside_range = (({above[63:32] & {32{!modulo32}}, above[31:0]}) <= 64'(mask)) ||
                            (({below[63:32] & {32{!modulo32}}, below[31:0]}) < 64'(size));
      assign met[n]       = waits && near && inside_range;
    end
  end

  for (genvar n = 0; n < int'(Breakpoints); n++) begin : gen_on
    assign on[n] = dr7_i.enable[2*n] || dr7_i.enable[2*n+1];
  end

  assign conditions_o.hit = met & on;
  assign conditions_o.off = met & ~on & {Breakpoints{status_off_i == StatusOffReport}};

endmodule
