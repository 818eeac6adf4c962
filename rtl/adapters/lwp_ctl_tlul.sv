// SPDX-License-Identifier: MIT OR Apache-2.0
//
// TileLink-UL shim: a 32-bit TileLink-UL device in front of the control port of `lwp_ctl_mmio` or `lwp_rvfi_top`, with
// one request at a time.
//
// A write to START has its response when the operation is done. Requests other than Get, PutFullData and PutPartialData
// are denied.
//
// Contract: docs/src/integration/rvfi-top.md.

module lwp_ctl_tlul #(
  // Width of the source identifier: 1 or more.
  parameter int unsigned SourceWidth = 8
) (
  // Clock: all registers change at its rising edge.
  input  logic                   clk_i,
  // Asynchronous reset, active low.
  input  logic                   rst_ni,

  // Channel A: a request is valid.
  input  logic                   a_valid_i,
  // Channel A: the request is taken in this cycle.
  output logic                   a_ready_o,
  // Channel A: 0 PutFullData, 1 PutPartialData, 4 Get; valid with `a_valid_i`.
  input  logic [2:0]             a_opcode_i,
  // Channel A: logarithm of the number of bytes; valid with `a_valid_i`.
  input  logic [1:0]             a_size_i,
  // Channel A: identifier of the request; valid with `a_valid_i`.
  input  logic [SourceWidth-1:0] a_source_i,
  // Channel A: byte address; valid with `a_valid_i`.
  input  logic [31:0]            a_address_i,
  // Channel A: bytes of the word; valid with `a_valid_i`.
  input  logic [3:0]             a_mask_i,
  // Channel A: data to write; valid with `a_valid_i` of a Put.
  input  logic [31:0]            a_data_i,

  // Channel D: a response is valid, until `d_ready_i`.
  output logic                   d_valid_o,
  // Channel D: the response is taken in this cycle.
  input  logic                   d_ready_i,
  // Channel D: 0 AccessAck, 1 AccessAckData; valid with `d_valid_o`.
  output logic [2:0]             d_opcode_o,
  // Channel D: size of the request; valid with `d_valid_o`.
  output logic [1:0]             d_size_o,
  // Channel D: identifier of the request; valid with `d_valid_o`.
  output logic [SourceWidth-1:0] d_source_o,
  // Channel D: data read; valid with `d_valid_o` of AccessAckData.
  output logic [31:0]            d_data_o,
  // Channel D: the access was refused (d_denied, and d_corrupt of AccessAckData; d_error); valid with `d_valid_o`.
  output logic                   d_denied_o,

  // An access is requested.
  output logic                   ctl_req_o,
  // The control port takes the request in this cycle.
  input  logic                   ctl_gnt_i,
  // Address of the word; valid with `ctl_req_o`.
  output logic [31:0]            ctl_addr_o,
  // The access is a write; valid with `ctl_req_o`.
  output logic                   ctl_we_o,
  // Bytes to write; valid with `ctl_req_o` of a write.
  output logic [3:0]             ctl_be_o,
  // Data to write; valid with `ctl_req_o` of a write.
  output logic [31:0]            ctl_wdata_o,
  // The response is valid in this cycle.
  input  logic                   ctl_rvalid_i,
  // Data read; valid with `ctl_rvalid_i`.
  input  logic [31:0]            ctl_rdata_i,
  // The access was refused; valid with `ctl_rvalid_i`.
  input  logic                   ctl_err_i
);

  localparam logic [2:0] PutFullData    = 3'd0;
  localparam logic [2:0] PutPartialData = 3'd1;
  localparam logic [2:0] Get            = 3'd4;

  if (SourceWidth < 1) begin : gen_bad_source
    $error("SourceWidth must be 1 or more");
  end

  typedef enum logic [1:0] {
    Idle     = 2'd0,
    Request  = 2'd1,
    Response = 2'd2,
    Answer   = 2'd3
  } state_e;

  state_e                 state_d, state_q;
  logic                   get_d, get_q, denied_d, denied_q;
  logic [1:0]             size_d, size_q;
  logic [SourceWidth-1:0] source_d, source_q;
  logic [29:0]            word_d, word_q;
  logic [3:0]             mask_d, mask_q;
  logic [31:0]            data_d, data_q;

  always_comb begin
    state_d  = state_q;
    get_d    = get_q;
    denied_d = denied_q;
    size_d   = size_q;
    source_d = source_q;
    word_d   = word_q;
    mask_d   = mask_q;
    data_d   = data_q;
    unique case (state_q)
      Idle: begin
        if (a_valid_i) begin
          denied_d = !(a_opcode_i inside {PutFullData, PutPartialData, Get});
          state_d  = denied_d ? Answer : Request;
          get_d    = a_opcode_i == Get;
          size_d   = a_size_i;
          source_d = a_source_i;
          word_d   = a_address_i[31:2];
          mask_d   = a_mask_i;
          data_d   = a_data_i;
        end
      end
      Request: begin
        if (ctl_gnt_i) begin
          state_d = Response;
        end
      end
      Response: begin
        if (ctl_rvalid_i) begin
          state_d  = Answer;
          denied_d = ctl_err_i;
          data_d   = ctl_rdata_i;
        end
      end
      default: begin
        if (d_ready_i) begin
          state_d = Idle;
        end
      end
    endcase
  end

  assign a_ready_o   = state_q == Idle;
  assign d_valid_o   = state_q == Answer;
  assign d_opcode_o  = {2'b0, get_q};
  assign d_size_o    = size_q;
  assign d_source_o  = source_q;
  assign d_data_o    = data_q;
  assign d_denied_o  = denied_q;
  assign ctl_req_o   = state_q == Request;
  assign ctl_addr_o  = {word_q, 2'b0};
  assign ctl_we_o    = !get_q;
  assign ctl_be_o    = get_q ? '1 : mask_q;
  assign ctl_wdata_o = data_q;

  // The low bits of the address are in the mask.
  logic unused_low_bits;
  assign unused_low_bits = ^a_address_i[1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= Idle;
      get_q    <= 1'b0;
      denied_q <= 1'b0;
      size_q   <= '0;
      source_q <= '0;
      word_q   <= '0;
      mask_q   <= '0;
      data_q   <= '0;
    end else begin
      state_q  <= state_d;
      get_q    <= get_d;
      denied_q <= denied_d;
      size_q   <= size_d;
      source_q <= source_d;
      word_q   <= word_d;
      mask_q   <= mask_d;
      data_q   <= data_d;
    end
  end

`ifndef SYNTHESIS
  // Out of reset.
  logic running_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
    end else begin
      running_q <= 1'b1;
    end
  end

  TlulOneWord: assert property (@(posedge clk_i) !running_q || !a_valid_i || (a_size_i <= 2'd2))
    else $error("a request of more than 4 bytes: put a width converter or a fragmenter in front of this device");
  TlulExpected: assert property (@(posedge clk_i) !running_q || !ctl_rvalid_i || (state_q == Response))
    else $error("a response of the control port without a request: nothing else may use the port");
`endif

endmodule
