// SPDX-License-Identifier: MIT OR Apache-2.0
//
// 64 KiB of memory at 0x10000 behind an OBI port: grants late, answers late, errors everywhere else. A write of no bytes
// changes nothing.

module top_memory
  import mem_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  int          seed_i,

  input  logic        req_i,
  output logic        gnt_o,
  input  logic [31:0] addr_i,
  input  logic        we_i,
  input  logic [3:0]  be_i,
  input  logic [31:0] wdata_i,
  output logic        rvalid_o,
  output logic [31:0] rdata_o,
  output logic        err_o
);

  logic [31:0] words [16384];
  logic [31:0] rng, data;
  logic        owes, bad;
  int          errors;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rng = 32'(seed_i) * 32'd40503 | 32'd1;
      {gnt_o, rvalid_o, rdata_o, err_o, owes, bad, data} <= '0;
      errors <= 0;
    end else begin
      rng = step(rng);
      gnt_o    <= rng[0];
      rvalid_o <= 1'b0;
      if (req_i && gnt_o) begin
        owes <= 1'b1;
        bad  <= addr_i[31:16] != 16'd1;
        data <= words[addr_i[15:2]];
        if (addr_i[31:16] == 16'd1 && we_i) begin
          for (int b = 0; b < 4; b++) if (be_i[b]) words[addr_i[15:2]][8*b+:8] <= wdata_i[8*b+:8];
        end
      end
      if (owes && rng[2:1] != 2'd0) begin
        owes     <= 1'b0;
        rvalid_o <= 1'b1;
        err_o    <= bad;
        rdata_o  <= bad ? 32'hDEADBEEF : data;
        errors   <= errors + int'(bad);
      end
    end
  end

  function automatic logic [63:0] read(logic [31:0] addr);
    return {words[addr[15:2] + 14'd1], words[addr[15:2]]};
  endfunction

  task automatic write(logic [31:0] addr, logic [63:0] value);
    words[addr[15:2]]         = value[31:0];
    words[addr[15:2] + 14'd1] = value[63:32];
  endtask

endmodule
