// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Runs the program of the example until it reports its result, and checks the records (sp_check).
//
//   +limit=N   give up after N cycles
//   +alone     leave the checking to the program

module sp_tb
  import lwp_pkg::*;
#(
  // Name of the file with the program, in hexadecimal words of 4 bytes.
  parameter string Program = "program.hex"
);

  logic        clk = 1'b0, rst_n = 1'b0, done;
  logic [63:0] tohost;
  int          cycles = 0, limit = 200000, instructions = 0, interrupts = 0;
  bit          alone = 1'b0;
  int          records [4];

  sp_top #(.Program(Program)) u_top (.clk_i(clk), .rst_ni(rst_n), .tohost_valid_o(done), .tohost_o(tohost));

  logic accepted_llwpcb = 1'b0;
  always @(posedge clk) if (u_top.ctl_valid) accepted_llwpcb <= u_top.ctl_op == OpLlwpcb;

  sp_check u_check (
    .clk_i           (clk),
    .store_i         (u_top.data_ack && u_top.data_we),
    .store_addr_i    (u_top.data_addr),
    .store_be_i      (u_top.data_be),
    .store_data_i    (u_top.data_wdata),
    .write_i         (u_top.bvalid && u_top.bready),
    .write_addr_i    (64'({u_top.u_memory.aw_q, 3'b0})),
    .write_be_i      (u_top.u_memory.strb_q),
    .write_data_i    (u_top.u_memory.w_q),
    .llwpcb_i        (!alone && u_top.rsp_valid && accepted_llwpcb && (u_top.rsp_fault == FaultNone)),
    .block_i         (u_top.ctl_wdata),
    .rvfi_valid_i    (u_top.rvfi_valid),
    .rvfi_trap_i     (u_top.rvfi_trap),
    .rvfi_insn_i     (u_top.rvfi_insn),
    .rvfi_mode_i     (u_top.rvfi_mode),
    .rvfi_pc_rdata_i (u_top.rvfi_pc_rdata),
    .rvfi_pc_wdata_i (u_top.rvfi_pc_wdata),
    .rvfi_mem_addr_i (u_top.rvfi_mem_addr),
    .rvfi_mem_rmask_i(u_top.rvfi_mem_rmask),
    .miss_i          (u_top.miss),
    .latency_i       (u_top.latency),
    .records_o       (records)
  );

  always #5 clk = !clk;

  always @(posedge clk) begin
    cycles       <= cycles + 1;
    instructions <= instructions + int'(u_top.rvfi_valid);
    interrupts   <= interrupts + int'(u_top.irq_ack);
    if (done && (tohost != 64'd1)) $fatal(1, "FAIL check %0d of the program, cycle %0d", tohost, cycles);
    if (done) begin
      if (!alone && ((records[1] == 0) || (records[2] == 0) || (records[3] == 0))) $fatal(1, "FAIL an event has no record");
      $display("records: %0d instructions, %0d branches, %0d misses, each an occurrence of the core; %0d interrupt",
               records[1], records[2], records[3], interrupts);
      $display("PASS in %0d cycles, %0d instructions", cycles, instructions);
      $finish;
    end
    if (cycles >= limit) $fatal(1, "FAIL no end after %0d cycles, pc %h", cycles, u_top.u_core.x_pc_q);
  end

  initial begin
    void'($value$plusargs("limit=%d", limit));
    alone = $test$plusargs("alone") != 0;
    #22 rst_n = 1'b1;
  end

endmodule
