// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Memory of the machine: one port for instructions, one for data.
//
// The megabyte at 0x0010_0000 answers in the next cycle. The megabyte at 0x0020_0000 is far: it answers `FarWait` cycles
// later, as a memory outside the chip does.

module ibex_memory #(
  // Further cycles until the far memory answers: 1 to 255.
  parameter logic [7:0] FarWait = 8'd8
) (
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // An instruction is fetched.
  input  logic        instr_req_i,
  // The response to the fetch is valid in this cycle.
  output logic        instr_rvalid_o,
  // Word that was fetched; valid with `instr_rvalid_o`.
  output logic [31:0] instr_rdata_o,

  // Bits 31:22 and 1:0 of the addresses are not used: the bus has decoded them, and words are aligned.
  // verilator lint_off UNUSEDSIGNAL
  // Address of the fetch; valid with `instr_req_i`.
  input  logic [31:0] instr_addr_i,
  // Address of the access; valid with `req_i`.
  input  logic [31:0] addr_i,
  // verilator lint_on UNUSEDSIGNAL

  // Data is accessed, and taken if `gnt_o`.
  input  logic        req_i,
  // The access is a write; valid with `req_i`.
  input  logic        we_i,
  // Bytes of the word; valid with `req_i`.
  input  logic [3:0]  be_i,
  // Data to write; valid with `req_i`.
  input  logic [31:0] wdata_i,
  // The access is taken in this cycle.
  output logic        gnt_o,
  // The response to the access is valid in this cycle.
  output logic        rvalid_o,
  // Word that was read; valid with `rvalid_o`.
  output logic [31:0] rdata_o
);

  localparam int unsigned Words = 2 * 1024 * 1024 / 4;

  // Bit 21 of the address is bit 20 of the place: 0x0010_0000 is 0, 0x0020_0000 is 1 MiB.
  // verilator lint_off UNUSEDSIGNAL
  function automatic logic [18:0] place(logic [31:0] addr);
    return {addr[21], addr[19:2]};
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  // Contents at power-on are those of the program.
  // verilator lint_off UNDRIVEN
  logic [31:0] words [Words];
  // verilator lint_on UNDRIVEN

  logic       busy_d, busy_q;
  logic [7:0] wait_d, wait_q;

  assign gnt_o    = !busy_q || rvalid_o;
  assign rvalid_o = busy_q && (wait_q == '0);
  assign busy_d   = (req_i && gnt_o) || (busy_q && !rvalid_o);
  assign wait_d   = (req_i && gnt_o) ? (addr_i[21] ? FarWait : '0) : (wait_q == '0) ? '0 : wait_q - 8'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q         <= 1'b0;
      wait_q         <= '0;
      instr_rvalid_o <= 1'b0;
    end else begin
      busy_q         <= busy_d;
      wait_q         <= wait_d;
      instr_rvalid_o <= instr_req_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (instr_req_i) begin
      instr_rdata_o <= words[place(instr_addr_i)];
    end
    if (req_i && gnt_o) begin
      rdata_o <= words[place(addr_i)];
      for (int b = 0; b < 4; b++) begin
        if (we_i && be_i[b]) begin
          words[place(addr_i)][8*b +: 8] <= wdata_i[8*b +: 8];
        end
      end
    end
  end

  string image;
  initial begin
    if (!$value$plusargs("image=%s", image)) $fatal(1, "+image=FILE: the program as hexadecimal words");
    $readmemh(image, words);
  end

endmodule
