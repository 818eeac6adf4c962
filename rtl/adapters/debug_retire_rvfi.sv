// SPDX-License-Identifier: MIT OR Apache-2.0
//
// RVFI bridge of the unit `debug`: shows it the instructions of user mode one at a time, and the delivery of #DB.
//
// A core with RVFI cannot be stopped: while a #DB is pending it retires further instructions, the skid. The unit must
// see none of them before the #DB is taken, so they wait in a queue until software has acknowledged the #DB and lets
// them go on. To the unit this is a core that delivers #DB behind the instruction that hit: the registers as the handler
// leaves them are compared with the instructions of the skid, and each of them that hits is a #DB of its own. An
// instruction that finds the queue full is lost, and `lost_o` says so.
//
//   user      the instructions of the queue are shown, one a cycle, while no #DB is pending
//   handler   from the acknowledge on: nothing is shown
//
// Instructions of other modes are not watched and not passed on: the handler runs in one. Nor are instructions that trap,
// which have not retired. Interruptions other than #DB are not shown: they would clear flags that are always 0 here.
//
// What a core that is finished cannot do has no port: it asks for no instruction and undoes none, so there are no
// instruction breakpoints. A MOV to DR7 that enables one is refused with #GP(0), without the unit. So is every MOV with
// the rights of U-mode, at once: it must not wait for a pending #DB, whose handler waits for the program's access.
//
// RVFI comes later than the bus. A register request of software, or a look at `settled_o`, therefore waits for the
// instructions before it: `wait_i` and RvfiLate.
//
// Contract: docs/src/debug/ports.md, "What the core does"; docs/src/integration/ibex-debug.md.

module debug_retire_rvfi
  import retire_pkg::*;
  import debug_pkg::*;
#(
  // Width of a register: 32 or 64.
  parameter int unsigned Xlen     = 32,
  // Instructions that the queue holds: 2, 4, 8, 16 or 32. The skid of the core must fit.
  parameter int unsigned Depth    = 16,
  // Cycles with `wait_i` until RVFI has shown every instruction that is older than the access of software: 1 to 63.
  parameter int unsigned RvfiLate = 4,
  localparam int unsigned CountW  = $clog2(Depth) + 1
) (
  // Clock: all registers change at its rising edge.
  input  logic              clk_i,
  // Asynchronous reset, active low.
  input  logic              rst_ni,

  // An instruction is presented.
  input  logic              rvfi_valid_i,
  // The instruction traps, so it does not retire; valid with `rvfi_valid_i`.
  input  logic              rvfi_trap_i,
  // Instruction word; valid with `rvfi_valid_i`.
  input  logic [31:0]       rvfi_insn_i,
  // Privilege mode of the instruction, 0 is U-mode; valid with `rvfi_valid_i`.
  input  logic [1:0]        rvfi_mode_i,
  // Address of the instruction; valid with `rvfi_valid_i`.
  input  logic [Xlen-1:0]   rvfi_pc_rdata_i,
  // Address of the next instruction; valid with `rvfi_valid_i`.
  input  logic [Xlen-1:0]   rvfi_pc_wdata_i,
  // Address of the memory access; valid for a load or store.
  input  logic [Xlen-1:0]   rvfi_mem_addr_i,
  // Bytes from `rvfi_mem_addr_i` on that are loaded; valid for a load.
  input  logic [Xlen/8-1:0] rvfi_mem_rmask_i,
  // Bytes from `rvfi_mem_addr_i` on that are stored; valid for a store.
  input  logic [Xlen/8-1:0] rvfi_mem_wmask_i,

  // TF of the interrupted program: each instruction that is shown is a step.
  input  logic              tf_i,
  // Software takes the pending #DB; ignored while none is pending.
  input  logic              ack_i,
  // Software lets the instructions of the queue go on; ignored unless `handler_o`.
  input  logic              resume_i,
  // The sticky bit `lost_o` is cleared.
  input  logic              found_i,

  // An access of software waits until `settled_o`, from the cycle after its request on.
  input  logic              wait_i,
  // Every instruction before the access that waits has been shown to the unit, or waits behind a #DB; valid with
  // `wait_i`.
  output logic              settled_o,
  // Register request of software, pending until `reg_ready_o`.
  input  reg_request_t      reg_i,
  // The request has the rights of U-mode; valid with `reg_i.reg_valid`.
  input  logic              reg_user_i,
  // The request is accepted in this cycle.
  output logic              reg_ready_o,
  // Answer to the request of the cycle before.
  output reg_answer_t       answer_o,

  // Lane for the unit.
  output lane_t             lane_o,
  // Mode for the unit.
  output mode_t             mode_o,
  // Delivery of #DB for the unit.
  output interrupted_t      int_o,
  // The pending #DB is taken.
  output logic              db_ack_o,
  // Register request for the unit.
  output reg_request_t      reg_o,
  // A #DB is pending.
  input  logic              db_valid_i,
  // Its class.
  input  class_e            db_class_i,
  // Answer of the unit.
  input  reg_answer_t       answer_i,

  // Software has taken a #DB and has not let the instructions behind it go on.
  output logic              handler_o,
  // Address of the instruction behind the last one that was shown: with a pending #DB, the one that its frame has.
  output logic [Xlen-1:0]   from_o,
  // Instructions in the queue.
  output logic [CountW-1:0] count_o,
  // An instruction found the queue full since `found_i`.
  output logic              lost_o
);

  if ((Xlen != 32) && (Xlen != 64)) begin : gen_bad_xlen
    $error("Xlen must be 32 or 64");
  end
  if (!(Depth inside {2, 4, 8, 16, 32})) begin : gen_bad_depth
    $error("Depth must be 2, 4, 8, 16 or 32");
  end
  if ((RvfiLate < 1) || (RvfiLate > 63)) begin : gen_bad_late
    $error("RvfiLate must be 1 to 63");
  end

  localparam int unsigned PlaceW = $clog2(Depth);

  // What the unit needs of an instruction.
  typedef struct packed {
    logic [Xlen-1:0] ip;
    logic [Xlen-1:0] next;
    access_t         access;
  } entry_t;

  ///////////
  // Queue //
  ///////////

  entry_t [Depth-1:0] queue_d, queue_q;
  entry_t             newest, oldest;
  logic [PlaceW-1:0]  first_d, first_q, free;
  logic [CountW-1:0]  count_d, count_q;
  logic               retires, fits, shown, lost_d, lost_q;

  access_t access;
  retire_rvfi_access #(
    .Xlen(Xlen)
  ) u_access (
    .insn_i     (rvfi_insn_i),
    .mem_addr_i (rvfi_mem_addr_i),
    .mem_rmask_i(rvfi_mem_rmask_i),
    .mem_wmask_i(rvfi_mem_wmask_i),
    .access_o   (access)
  );

  assign retires = rvfi_valid_i && !rvfi_trap_i && (rvfi_mode_i == 2'd0);
  assign fits    = (count_q != CountW'(Depth)) || shown;
  assign newest  = '{ip: rvfi_pc_rdata_i, next: rvfi_pc_wdata_i, access: access};
  assign oldest  = queue_q[first_q];
  assign free    = first_q + count_q[PlaceW-1:0];

  always_comb begin
    queue_d = queue_q;
    if (retires && fits) queue_d[free] = newest;
    first_d = first_q + PlaceW'(shown);
    count_d = count_q + CountW'(retires && fits) - CountW'(shown);
    lost_d  = (lost_q && !found_i) || (retires && !fits);
  end

  //////////////////////
  // User and handler //
  //////////////////////

  // Software has the #DB. The cycle before was of another mode than U: nothing is shown in the first cycle of a mode.
  logic            handler_d, handler_q, other_d, other_q;
  // The #DB is taken; a request of software is passed on.
  logic            taken, asked;
  logic [Xlen-1:0] from_d, from_q;

  assign taken     = db_valid_i && ack_i;
  assign handler_d = taken || (handler_q && !resume_i);
  assign other_d   = mode_o.cpl == 2'd0;
  assign shown     = (count_q != '0) && !db_valid_i && !handler_q && !other_q && !asked;
  assign from_d    = shown ? oldest.next : from_q;

  assign lane_o = '{
    retired:     '{valid: shown, counts: 1'b1, ip: 64'(oldest.ip)},
    branch:      '0,
    accesses:    {access_t'('0), oldest.access},
    flags:       '{tf: tf_i, ss_load: 1'b0, rep: RepNone},
    transaction: '0,
    debug:       '0
  };

  assign int_o = '{
    int_valid: taken,
    int_kind:  IntException,
    int_from:  64'(from_q),
    int_trap:  db_class_i == ClassTrap,
    int_task:  1'b0,
    int_rf:    1'b0,
    int_t:     1'b0
  };
  assign db_ack_o = taken;

  // A request that is passed on has the rights of the kernel.
  assign mode_o = '{
    cpl:     (asked || handler_q) ? 2'd0 : 2'd3,
    smm:     1'b0,
    op_mode: (Xlen == 64) ? Mode64 : ModeProtected
  };

  ///////////////////////
  // Register requests //
  ///////////////////////

  // Cycles that an access of software has waited.
  logic [5:0] waited_d, waited_q;
  logic       shown_all;

  assign waited_d  = !wait_i ? '0 : (waited_q == 6'(RvfiLate)) ? waited_q : waited_q + 6'd1;
  assign shown_all = handler_q || (count_q == '0);
  assign settled_o = (waited_q == 6'(RvfiLate)) && (shown_all || db_valid_i);

  // A breakpoint that is on has R/W 00.
  logic [Breakpoints-1:0] executes;
  for (genvar n = 0; n < int'(Breakpoints); n++) begin : gen_executes
    assign executes[n] = (reg_i.reg_wdata[2*n +: 2] != 2'b00) && (reg_i.reg_wdata[16 + 4*n +: 2] == 2'b00);
  end

  // The request is answered without the unit: MOV by #GP(0), another operation of U-mode by *not mine*.
  logic moves, to_dr7, refused_d, refused_q, foreign_d, foreign_q;
  assign moves       = reg_i.reg_op inside {RegMovFromDr, RegMovToDr};
  assign to_dr7      = (reg_i.reg_op == RegMovToDr) && reg_i.reg_number[2] && reg_i.reg_number[0];
  assign reg_ready_o = reg_user_i || (settled_o && !db_valid_i);
  assign refused_d   = reg_ready_o && reg_i.reg_valid && (reg_user_i ? moves : (to_dr7 && (executes != '0)));
  assign foreign_d   = reg_ready_o && reg_i.reg_valid && reg_user_i && !moves;
  assign asked       = reg_ready_o && reg_i.reg_valid && !refused_d && !foreign_d;

  always_comb begin
    reg_o           = reg_i;
    reg_o.reg_valid = asked;
    answer_o        = answer_i;
    if (refused_q) answer_o = '{reg_done: 1'b1, reg_result: ResultGp, reg_rdata: '0};
    if (foreign_q) answer_o = '{reg_done: 1'b1, reg_result: ResultNotMine, reg_rdata: '0};
  end

  assign handler_o = handler_q;
  assign from_o    = from_q;
  assign count_o   = count_q;
  assign lost_o    = lost_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      queue_q   <= '0;
      first_q   <= '0;
      count_q   <= '0;
      lost_q    <= 1'b0;
      handler_q <= 1'b0;
      other_q   <= 1'b0;
      from_q    <= '0;
      waited_q  <= '0;
      refused_q <= 1'b0;
      foreign_q <= 1'b0;
    end else begin
      queue_q   <= queue_d;
      first_q   <= first_d;
      count_q   <= count_d;
      lost_q    <= lost_d;
      handler_q <= handler_d;
      other_q   <= other_d;
      from_q    <= from_d;
      waited_q  <= waited_d;
      refused_q <= refused_d;
      foreign_q <= foreign_d;
    end
  end

`ifndef SYNTHESIS
  // Out of reset.
  logic running_q, past_shown_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q    <= 1'b0;
      past_shown_q <= 1'b0;
    end else begin
      running_q    <= 1'b1;
      past_shown_q <= shown;
    end
  end

  // The unit refuses no instruction: there are no instruction breakpoints and no RTM.
  DebugTraps: assert property (@(posedge clk_i) !running_q || !past_shown_q || !db_valid_i || (db_class_i == ClassTrap))
    else $error("the unit stops an instruction that has retired: write DR7 through this adapter alone");
  DebugNoLane: assert property (@(posedge clk_i) !lane_o.retired.valid || (!db_valid_i && !int_o.int_valid && !reg_o.reg_valid));
`endif

endmodule
