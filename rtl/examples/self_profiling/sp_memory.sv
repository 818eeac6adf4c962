// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The example's memory: 64 KiB that the core and the unit share. Not for synthesis.
//
// The core reads instructions in the same cycle, and data after one cycle, or after twelve in the upper half ("far").
// The unit is connected by AXI4. Its writes stay in a buffer until B, 1 to 8 cycles later, so that the core would see a
// head that overtakes its record.

module sp_memory #(
  // Name of the file with the program, in hexadecimal words of 4 bytes.
  parameter string Program = "program.hex"
) (
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // Addresses are aligned, and taken modulo the size of the memory.
  // verilator lint_off UNUSEDSIGNAL
  // Address of the instruction to fetch.
  input  logic [63:0] fetch_addr_i,
  // Instruction word at that address, in the same cycle.
  output logic [31:0] fetch_data_o,

  // A data access is requested, until its acknowledge.
  input  logic        data_req_i,
  // The access is a store; valid with the request.
  input  logic        data_we_i,
  // Bytes of the aligned 8 that are accessed; valid with the request.
  input  logic [7:0]  data_be_i,
  // Address of the access; valid with the request.
  input  logic [63:0] data_addr_i,
  // Data to store; valid with the request.
  input  logic [63:0] data_wdata_i,
  // The access is done in this cycle, one cycle after its request at the earliest.
  output logic        data_ack_o,
  // The access is to the far half of the memory.
  output logic        data_far_o,
  // Data loaded; valid with the acknowledge.
  output logic [63:0] data_rdata_o,

  // Address of the write; valid with `axi_awvalid_i`.
  input  logic [15:0] axi_awaddr_i,
  // The address of the write is valid.
  input  logic        axi_awvalid_i,
  // Memory takes the address of the write in this cycle.
  output logic        axi_awready_o,
  // Write data; valid with `axi_wvalid_i`.
  input  logic [63:0] axi_wdata_i,
  // Bytes to write; valid with `axi_wvalid_i`.
  input  logic [7:0]  axi_wstrb_i,
  // Write data is valid.
  input  logic        axi_wvalid_i,
  // Memory takes the write data in this cycle.
  output logic        axi_wready_o,
  // The write response is valid.
  output logic        axi_bvalid_o,
  // The unit takes the write response in this cycle.
  input  logic        axi_bready_i,
  // Address of the read; valid with `axi_arvalid_i`.
  input  logic [15:0] axi_araddr_i,
  // The address of the read is valid.
  input  logic        axi_arvalid_i,
  // Memory takes the address of the read in this cycle.
  output logic        axi_arready_o,
  // Read data; valid with `axi_rvalid_o`.
  output logic [63:0] axi_rdata_o,
  // The read response is valid.
  output logic        axi_rvalid_o,
  // The unit takes the read response in this cycle.
  input  logic        axi_rready_i
  // verilator lint_on UNUSEDSIGNAL
);

  // In words of 4 bytes, as the program's file is.
  logic [31:0] words_q [16384];
  initial $readmemh(Program, words_q);

  function automatic logic [63:0] read(logic [12:0] index);
    return {words_q[{index, 1'b1}], words_q[{index, 1'b0}]};
  endfunction

  function automatic logic [31:0] merge(logic [31:0] old, logic [31:0] data, logic [3:0] be);
    for (int i = 0; i < 4; i++) begin
      merge[8*i+:8] = be[i] ? data[8*i+:8] : old[8*i+:8];
    end
  endfunction

  assign fetch_data_o = words_q[fetch_addr_i[15:2]];

  // The core.
  logic [3:0] cycles_q;
  assign data_far_o   = data_addr_i[15];
  assign data_ack_o   = data_req_i && (cycles_q == (data_far_o ? 4'd12 : 4'd1));
  assign data_rdata_o = read(data_addr_i[15:3]);

  // The unit.
  logic [15:0] lfsr_q;
  logic [12:0] aw_q, ar_q;
  logic [63:0] w_q;
  logic [7:0]  strb_q;
  logic        have_aw_q, have_w_q, have_ar_q;
  logic [2:0]  delay_q;

  assign axi_awready_o = !have_aw_q && lfsr_q[0];
  assign axi_wready_o  = !have_w_q && lfsr_q[1];
  assign axi_arready_o = !have_ar_q && lfsr_q[2];
  assign axi_bvalid_o  = have_aw_q && have_w_q && (delay_q == '0);
  assign axi_rvalid_o  = have_ar_q && (delay_q == '0);
  assign axi_rdata_o   = read(ar_q);

  // Not always_ff: $readmemh writes the words too.
  always @(posedge clk_i) begin
    if (data_ack_o && data_we_i && (data_addr_i[63:16] == '0)) begin
      words_q[{data_addr_i[15:3], 1'b0}] <= merge(words_q[{data_addr_i[15:3], 1'b0}], data_wdata_i[31:0], data_be_i[3:0]);
      words_q[{data_addr_i[15:3], 1'b1}] <= merge(words_q[{data_addr_i[15:3], 1'b1}], data_wdata_i[63:32], data_be_i[7:4]);
    end
    if (axi_bvalid_o && axi_bready_i) begin
      words_q[{aw_q, 1'b0}] <= merge(words_q[{aw_q, 1'b0}], w_q[31:0], strb_q[3:0]);
      words_q[{aw_q, 1'b1}] <= merge(words_q[{aw_q, 1'b1}], w_q[63:32], strb_q[7:4]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycles_q  <= '0;
      lfsr_q    <= 16'hACE1;
      aw_q      <= '0;
      ar_q      <= '0;
      w_q       <= '0;
      strb_q    <= '0;
      have_aw_q <= 1'b0;
      have_w_q  <= 1'b0;
      have_ar_q <= 1'b0;
      delay_q   <= '0;
    end else begin
      cycles_q <= (data_req_i && !data_ack_o) ? cycles_q + 4'd1 : '0;
      lfsr_q   <= {1'b0, lfsr_q[15:1]} ^ (lfsr_q[0] ? 16'hB400 : 16'h0);
      if (axi_awvalid_i && axi_awready_o) begin
        aw_q      <= axi_awaddr_i[15:3];
        have_aw_q <= 1'b1;
        delay_q   <= lfsr_q[5:3];
      end else if (axi_arvalid_i && axi_arready_o) begin
        ar_q      <= axi_araddr_i[15:3];
        have_ar_q <= 1'b1;
        delay_q   <= lfsr_q[5:3];
      end else if (delay_q != '0) begin
        delay_q <= delay_q - 3'd1;
      end
      if (axi_wvalid_i && axi_wready_o) begin
        w_q      <= axi_wdata_i;
        strb_q   <= axi_wstrb_i;
        have_w_q <= 1'b1;
      end
      if (axi_bvalid_o && axi_bready_i) begin
        have_aw_q <= 1'b0;
        have_w_q  <= 1'b0;
      end
      if (axi_rvalid_o && axi_rready_i) begin
        have_ar_q <= 1'b0;
      end
    end
  end

endmodule
