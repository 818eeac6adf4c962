// SPDX-License-Identifier: MIT OR Apache-2.0
//
// CV-X-IF shim: LLWPCB and SLWPCB as instructions of a core with the Core-V eXtension Interface (1.0), in front of the
// control port of `lwp_rvfi_top`. Everything else stays with the registers, whose accesses it passes on.
//
//   custom-0 (0001011), funct3 0, rs1, rd   LLWPCB: rs1 is the pointer; rd becomes the one before, or the fault (1 to 3)
//   custom-0 (0001011), funct3 1, rd        SLWPCB: rd becomes the pointer, 0 after a fault
//
// The interface shows no privilege mode, so both have the rights of the user page. An instruction becomes accesses to
// OPERAND, START, and FAULT or RESULT of that page, after its commit; other accesses to the port wait meanwhile. The
// core retires nothing younger before the result. One instruction is in flight.
//
// Contract: docs/src/integration/rvfi-top.md.

module lwp_ctl_cvxif #(
  // Width of a register: 32 or 64.
  parameter int unsigned Xlen               = 32,
  // Width of the identifier of an instruction (X_ID_WIDTH).
  parameter int unsigned IdWidth            = 4,
  // Width of the identifier of a hart (X_HARTID_WIDTH).
  parameter int unsigned HartIdWidth        = 32,
  // The core gives operands after the issue (X_ISSUE_REGISTER_SPLIT).
  parameter bit          IssueRegisterSplit = 1'b0
) (
  // Clock: all registers change at its rising edge.
  input  logic                   clk_i,
  // Asynchronous reset, active low.
  input  logic                   rst_ni,

  // Issue: an instruction is offered.
  input  logic                   issue_valid_i,
  // Issue: the offer is decided in this cycle.
  output logic                   issue_ready_o,
  // Numbers of rs1 and rs2 are not used.
  // verilator lint_off UNUSEDSIGNAL
  // Issue: instruction word; valid with `issue_valid_i`.
  input  logic [31:0]            issue_instr_i,
  // verilator lint_on UNUSEDSIGNAL
  // Issue: identifier of the instruction; valid with `issue_valid_i`.
  input  logic [IdWidth-1:0]     issue_id_i,
  // Issue: identifier of the hart; valid with `issue_valid_i`.
  input  logic [HartIdWidth-1:0] issue_hartid_i,
  // Issue: the instruction is accepted; valid with `issue_valid_i` and `issue_ready_o`.
  output logic                   issue_accept_o,
  // Issue: the instruction writes rd; valid with `issue_accept_o`.
  output logic                   issue_writeback_o,
  // Issue: the instruction reads rs1; valid with `issue_accept_o`.
  output logic                   issue_register_read_o,

  // Register: the operands of an instruction are offered; without the split equal to `issue_valid_i`.
  input  logic                   register_valid_i,
  // Register: the operand is taken in this cycle.
  output logic                   register_ready_o,
  // Register: identifier of the instruction; valid with `register_valid_i`.
  input  logic [IdWidth-1:0]     register_id_i,
  // Register: value of rs1; valid with `register_valid_i` and `register_rs1_valid_i`.
  input  logic [Xlen-1:0]        register_rs1_i,
  // Register: `register_rs1_i` is valid; valid with `register_valid_i`. Not used with the split.
  input  logic                   register_rs1_valid_i,

  // Commit: the core decides on an instruction, and on all older or all newer ones.
  input  logic                   commit_valid_i,
  // Commit: identifier of the instruction; valid with `commit_valid_i`.
  input  logic [IdWidth-1:0]     commit_id_i,
  // Commit: the instruction and all newer ones are killed, else it and all older ones are released; valid with
  // `commit_valid_i`.
  input  logic                   commit_kill_i,

  // Result: the result of an instruction is valid, until `result_ready_i`.
  output logic                   result_valid_o,
  // Result: the core takes the result in this cycle.
  input  logic                   result_ready_i,
  // Result: identifier of the instruction; valid with `result_valid_o`.
  output logic [IdWidth-1:0]     result_id_o,
  // Result: identifier of the hart; valid with `result_valid_o`.
  output logic [HartIdWidth-1:0] result_hartid_o,
  // Result: value for rd; valid with `result_valid_o`.
  output logic [Xlen-1:0]        result_data_o,
  // Result: number of rd; valid with `result_valid_o`.
  output logic [4:0]             result_rd_o,
  // Result: rd is written; valid with `result_valid_o`.
  output logic                   result_we_o,

  // Bus: an access to the registers is requested.
  input  logic                   bus_req_i,
  // Bus: the requested access is taken in this cycle.
  output logic                   bus_gnt_o,
  // Bus: address; valid with `bus_req_i`.
  input  logic [31:0]            bus_addr_i,
  // Bus: the access is a write; valid with `bus_req_i`.
  input  logic                   bus_we_i,
  // Bus: bytes to write; valid with `bus_req_i` of a write.
  input  logic [3:0]             bus_be_i,
  // Bus: data to write; valid with `bus_req_i` of a write.
  input  logic [31:0]            bus_wdata_i,
  // Bus: the response is valid in this cycle.
  output logic                   bus_rvalid_o,
  // Bus: data read; valid with `bus_rvalid_o` of a read.
  output logic [31:0]            bus_rdata_o,
  // Bus: the access was refused; valid with `bus_rvalid_o`.
  output logic                   bus_err_o,

  // Control port: an access is requested.
  output logic                   ctl_req_o,
  // Control port: the request is taken in this cycle.
  input  logic                   ctl_gnt_i,
  // Control port: address; valid with `ctl_req_o`.
  output logic [31:0]            ctl_addr_o,
  // Control port: the access is a write; valid with `ctl_req_o`.
  output logic                   ctl_we_o,
  // Control port: bytes to write; valid with `ctl_req_o` of a write.
  output logic [3:0]             ctl_be_o,
  // Control port: data to write; valid with `ctl_req_o` of a write.
  output logic [31:0]            ctl_wdata_o,
  // Control port: the response is valid in this cycle.
  input  logic                   ctl_rvalid_i,
  // Control port: data read; valid with `ctl_rvalid_i`.
  input  logic [31:0]            ctl_rdata_i,
  // Control port: the access was refused; valid with `ctl_rvalid_i`.
  input  logic                   ctl_err_i
);

  if ((Xlen != 32) && (Xlen != 64)) begin : gen_bad_xlen
    $error("Xlen must be 32 or 64");
  end
  if ((IdWidth < 3) || (IdWidth > 32) || (HartIdWidth < 1) || (HartIdWidth > Xlen)) begin : gen_bad_width
    $error("IdWidth must be 3 to 32, HartIdWidth 1 to Xlen");
  end

  // Registers of the user page.
  localparam logic [5:0] Start     = 6'h00;
  localparam logic [5:0] Fault     = 6'h0C;
  localparam logic [5:0] OperandLo = 6'h10;
  localparam logic [5:0] OperandHi = 6'h14;
  localparam logic [5:0] ResultLo  = 6'h18;
  localparam logic [5:0] ResultHi  = 6'h1C;

  // An instruction is accepted, waits for operand and commit, makes its accesses, and shows its result.
  typedef enum logic [2:0] {
    Idle    = 3'd0,
    Decided = 3'd1,
    Low     = 3'd2,
    High    = 3'd3,
    Go      = 3'd4,
    Check   = 3'd5,
    Read    = 3'd6,
    Show    = 3'd7
  } state_e;

  state_e                 state_d, state_q;
  logic                   stores_d, stores_q, operand_d, operand_q;
  logic [4:0]             rd_d, rd_q;
  // The last instruction that was taken, accepted or rejected; the core has not decided on it.
  logic [IdWidth-1:0]     id_d, id_q;
  logic                   open_d, open_q;
  // The last instruction that was offered; it waits, and was released or killed meanwhile.
  logic [IdWidth-1:0]     offer_d, offer_q;
  logic                   offered_d, offered_q, freed_d, freed_q, dead_d, dead_q;
  logic [HartIdWidth-1:0] hart_d, hart_q;
  logic [63:0]            value_d, value_q;

  // Accesses: one of the bus or of the instruction is outstanding; the high word of the result is read.
  logic                   bus_owed_d, bus_owed_q, own_owed_d, own_owed_q, second_d, second_q;
  logic                   own_req, own_done;

  ///////////
  // Issue //
  ///////////

  logic known, reads, given, dead, taken, issued, operand_now;
  assign known                 = (issue_instr_i[6:0] == 7'h0B) && (issue_instr_i[14:13] == 2'b00);
  assign reads                 = known && !issue_instr_i[12];
  assign given                 = IssueRegisterSplit || (register_valid_i && register_rs1_valid_i);
  assign issue_ready_o         = (state_q == Idle) && !open_q && (!reads || given || dead);
  assign issue_accept_o        = known;
  assign issue_writeback_o     = known && (issue_instr_i[11:7] != '0);
  assign issue_register_read_o = reads;
  assign register_ready_o      = IssueRegisterSplit || issue_ready_o;

  // An instruction that was killed before it is accepted leaves nothing behind.
  assign taken       = issue_valid_i && issue_ready_o && !dead_d;
  assign issued      = taken && known;
  assign operand_now = IssueRegisterSplit ?
      ((state_q == Decided) && register_valid_i && (register_id_i == id_q)) : issued;

  ////////////
  // Commit //
  ////////////

  // The instruction that is offered is the newest: each kill is of it, too. It `stays` if it was offered before.
  logic stays, frees, kills;
  assign stays     = offered_q && (issue_id_i == offer_q);
  assign frees     = commit_valid_i && !commit_kill_i;
  assign kills     = commit_valid_i && commit_kill_i;
  assign dead      = stays && dead_q;
  assign offered_d = issue_valid_i && !issue_ready_o;
  assign offer_d   = issue_valid_i ? issue_id_i : offer_q;
  assign freed_d   = (stays && freed_q) || (frees && issue_valid_i && (commit_id_i == issue_id_i));
  assign dead_d    = dead || (kills && !(stays && freed_q));

  // Against the instruction that was taken last, an identifier is newer if it was offered since. Of those that are not
  // offered here, half of all are older. A commit of an older one kills it, of a newer one releases it.
  logic [IdWidth-1:0] back;
  logic               same, newer, older, killed;
  assign back   = id_q - commit_id_i;
  assign same   = back == '0;
  assign newer  = !same && (((commit_id_i - id_q) <= (offer_d - id_q)) || back[IdWidth-1]);
  assign older  = !same && !newer;
  assign killed = open_q && kills && !newer;
  assign id_d   = taken ? issue_id_i : id_q;
  assign open_d = taken ? !freed_d : (open_q && !killed && !(frees && !older));

  //////////////
  // Accesses //
  //////////////

  assign own_req  = (state_q inside {Low, High, Go, Check, Read}) && !own_owed_q && !bus_owed_q;
  assign own_done = own_owed_q && ctl_rvalid_i;

  logic [5:0] own_addr;
  always_comb begin
    unique case (state_q)
      Low:     own_addr = OperandLo;
      High:    own_addr = OperandHi;
      Go:      own_addr = Start;
      Check:   own_addr = Fault;
      default: own_addr = second_q ? ResultHi : ResultLo;
    endcase
  end

  logic [31:0] own_wdata;
  always_comb begin
    unique case (state_q)
      Low:     own_wdata = value_q[31:0];
      High:    own_wdata = value_q[63:32];
      default: own_wdata = {31'b0, stores_q};
    endcase
  end

  // An instruction that makes accesses has the port for itself: nothing comes between them.
  logic own;
  assign own          = state_q inside {Low, High, Go, Check, Read};
  assign ctl_req_o    = own ? own_req : (bus_req_i && !bus_owed_q);
  assign ctl_addr_o   = own ? {26'b0, own_addr} : bus_addr_i;
  assign ctl_we_o     = own ? (state_q inside {Low, High, Go}) : bus_we_i;
  assign ctl_be_o     = own ? '1 : bus_be_i;
  assign ctl_wdata_o  = own ? own_wdata : bus_wdata_i;
  assign bus_gnt_o    = !own && !bus_owed_q && ctl_gnt_i;
  assign bus_rvalid_o = bus_owed_q && ctl_rvalid_i;
  assign bus_rdata_o  = ctl_rdata_i;
  assign bus_err_o    = ctl_err_i;

  assign bus_owed_d = (bus_req_i && bus_gnt_o) || (bus_owed_q && !ctl_rvalid_i);
  assign own_owed_d = (own_req && ctl_gnt_i) || (own_owed_q && !ctl_rvalid_i);

  ///////////////////
  // State machine //
  ///////////////////

  // A bus access that is requested but not granted must stay with the control port until it is.
  logic port_free, ready;
  assign port_free = bus_owed_q || !bus_req_i || ctl_gnt_i;
  assign ready     = !open_d && operand_d && port_free;

  always_comb begin
    state_d   = state_q;
    stores_d  = stores_q;
    operand_d = operand_q;
    rd_d      = rd_q;
    hart_d    = hart_q;
    value_d   = value_q;
    second_d  = second_q;
    if (issued) begin
      state_d   = Decided;
      stores_d  = issue_instr_i[12];
      operand_d = 1'b0;
      rd_d      = issue_instr_i[11:7];
      hart_d    = issue_hartid_i;
      value_d   = '0;
      second_d  = 1'b0;
    end
    if (operand_now) begin
      operand_d = 1'b1;
      value_d   = 64'(register_rs1_i);
    end
    unique case (state_q)
      Decided: begin
        if (killed) begin
          state_d = Idle;
        end else if (ready) begin
          state_d = stores_q ? Go : Low;
        end
      end
      Low:     if (own_done) state_d = High;
      High:    if (own_done) state_d = Go;
      // Refused while a posted operation is in progress: try again.
      Go:      if (own_done && !ctl_err_i) state_d = Check;
      Check: begin
        if (own_done) begin
          // After a fault LLWPCB returns it, which is no address, and SLWPCB 0.
          value_d = stores_q ? '0 : 64'(ctl_rdata_i[1:0]);
          state_d = (ctl_rdata_i[1:0] == '0) ? Read : Show;
        end
      end
      Read: begin
        if (own_done) begin
          if (second_q) begin
            value_d[63:32] = ctl_rdata_i;
          end else begin
            value_d[31:0] = ctl_rdata_i;
          end
          second_d = 1'b1;
          state_d  = (second_q || (Xlen == 32)) ? Show : Read;
        end
      end
      Show:    if (result_ready_i) state_d = Idle;
      default: ;
    endcase
  end

  assign result_valid_o  = state_q == Show;
  assign result_id_o     = id_q;
  assign result_hartid_o = hart_q;
  assign result_data_o   = Xlen'(value_q);
  assign result_rd_o     = rd_q;
  assign result_we_o     = rd_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= Idle;
      stores_q   <= 1'b0;
      operand_q  <= 1'b0;
      rd_q       <= '0;
      id_q       <= '0;
      open_q     <= 1'b0;
      offered_q  <= 1'b0;
      offer_q    <= '0;
      freed_q    <= 1'b0;
      dead_q     <= 1'b0;
      hart_q     <= '0;
      value_q    <= '0;
      bus_owed_q <= 1'b0;
      own_owed_q <= 1'b0;
      second_q   <= 1'b0;
    end else begin
      state_q    <= state_d;
      stores_q   <= stores_d;
      operand_q  <= operand_d;
      rd_q       <= rd_d;
      id_q       <= id_d;
      open_q     <= open_d;
      offered_q  <= offered_d;
      offer_q    <= offer_d;
      freed_q    <= freed_d;
      dead_q     <= dead_d;
      hart_q     <= hart_d;
      value_q    <= value_d;
      bus_owed_q <= bus_owed_d;
      own_owed_q <= own_owed_d;
      second_q   <= second_d;
    end
  end

`ifndef SYNTHESIS
  // Out of reset.
  logic running_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) running_q <= 1'b0;
    else running_q <= 1'b1;
  end

  // Issue and register show the same instruction in the same cycle.
  logic together;
  assign together = issue_valid_i && register_valid_i && (issue_id_i == register_id_i);
  CvxifTogether: assert property (@(posedge clk_i) !running_q || IssueRegisterSplit || together ||
      (!issue_valid_i && !register_valid_i))
    else $error("issue and register are apart: set IssueRegisterSplit, or give both interfaces the same instruction");
  CvxifSplit: assert property (@(posedge clk_i) !running_q || !IssueRegisterSplit || !together)
    else $error("operands before the instruction is accepted: IssueRegisterSplit must be X_ISSUE_REGISTER_SPLIT");
`endif

endmodule
