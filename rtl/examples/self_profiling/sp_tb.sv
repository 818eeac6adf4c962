// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Runs the example's program until it says how it went.
//
//   +limit=N   give up after N cycles

module sp_tb #(
  parameter string Program = "program.hex"
);

  logic        clk = 1'b0, rst_n = 1'b0, done;
  logic [63:0] tohost;
  int          cycles = 0, limit = 200000, instructions = 0;

  sp_top #(.Program(Program)) u_top (.clk_i(clk), .rst_ni(rst_n), .tohost_valid_o(done), .tohost_o(tohost));

  always #5 clk = !clk;

  always @(posedge clk) begin
    cycles       <= cycles + 1;
    instructions <= instructions + int'(u_top.rvfi_valid);
    if (done && (tohost != 64'd1)) $fatal(1, "FAIL check %0d of the program, cycle %0d", tohost, cycles);
    if (done) begin
      $display("PASS in %0d cycles, %0d instructions", cycles, instructions);
      $finish;
    end
    if (cycles >= limit) $fatal(1, "FAIL no end after %0d cycles, pc %h", cycles, u_top.u_core.x_pc_q);
  end

  initial begin
    void'($value$plusargs("limit=%d", limit));
    #22 rst_n = 1'b1;
  end

endmodule
