// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the proofs share: the size of the build under proof, its inputs and outputs as one struct each, the default straps, and
// a reading of the contract's requests that the properties compare the unit with.
//
// The size comes as macros from the program that runs the proofs (verify/formal/itanium/proofs.toml, "builds").

package formal_pkg;

  import itanium_pkg::*;

  localparam int unsigned Bundles = `FORMAL_BUNDLES;
  localparam int unsigned Entries = `FORMAL_ENTRIES;
  localparam int unsigned EntryW  = $clog2(Entries);

  // Inputs, in the order of docs/src/itanium/ports.md.
  typedef struct packed {
    fetch_t [Bundles-1:0]  fetch;
    issue_t [Bundles-1:0]  issue;
    retire_t [Bundles-1:0] retire;
    logic [1:0]            ia32;
    mem_t [MemPorts-1:0]   mem;
    logic                  core_clock;
    logic [1:0]            cpl;
    logic                  psr_is;
    logic                  int_valid;
    logic                  irq_ack;
    reg_request_t          request;
  } in_t;

  // Outputs, in the order of docs/src/itanium/ports.md.
  typedef struct packed {
    logic                irq;
    logic [Counters-1:0] pin;
    logic                psr_up;
    logic                psr_sp;
    logic                psr_pp;
    logic                iear_on;
    logic                dear_on;
    logic                btb_on;
    logic                reg_done;
    logic [2:0]          reg_result;
    logic [63:0]         reg_rdata;
  } out_t;

  localparam config_t DefaultStraps = itanium_config_pkg::ConfigDefault;

  /////////////
  // Request //
  /////////////

  // "A request is made if reg_valid is 1 and int_valid is 0."
  function automatic logic made(in_t in);
    return in.request.reg_valid && !in.int_valid;
  endfunction

  function automatic logic [2:0] file_of(in_t in);
    return in.request.reg_number[10:8];
  endfunction

  function automatic logic [7:0] index_of(in_t in);
    return in.request.reg_number[7:0];
  endfunction

  // mov from, mov to a register file.
  function automatic logic moves(in_t in);
    return (in.request.reg_op == 4'd7) || (in.request.reg_op == 4'd8);
  endfunction

  // sum, rum, mov psr.um, mov r = pmd[index]: those that work at every level.
  function automatic logic for_all(in_t in);
    case (in.request.reg_op)
      4'd9, 4'd10, 4'd11: return 1'b1;
      4'd7:               return file_of(in) == 3'd1;
      default:            return 1'b0;
    endcase
  endfunction

  // The table of results in "10. Request", row by row.
  function automatic logic [2:0] result(in_t in);
    if (in.request.reg_op <= 4'd6) return 3'd4;
    if (moves(in) && (file_of(in) >= 3'd5)) return 3'd4;
    if (moves(in) && (file_of(in) == 3'd4) && (index_of(in) != 8'd0)) return 3'd4;
    if ((in.cpl != 2'd0) && !for_all(in)) return 3'd6;
    if (moves(in) && ((file_of(in) == 3'd2) || (file_of(in) == 3'd3)) && (index_of(in) > 8'd7)) return 3'd7;
    return 3'd0;
  endfunction

  // A request with this operation is done in this cycle.
  function automatic logic does(in_t in, logic [3:0] op);
    return made(in) && (in.request.reg_op == op) && (result(in) == 3'd0);
  endfunction

  // Files of registers, as `reg_number` names them.
  localparam logic [2:0] Pmc = 3'd0;
  localparam logic [2:0] Pmd = 3'd1;
  localparam logic [2:0] Ibr = 3'd2;
  localparam logic [2:0] Dbr = 3'd3;
  localparam logic [2:0] Cr  = 3'd4;

  // This register is written in this cycle.
  function automatic logic writes(in_t in, logic [2:0] file, int unsigned index);
    return does(in, 4'd8) && (file_of(in) == file) && (32'(index_of(in)) == index);
  endfunction

  // A request that is done and may change a register other than the answer.
  function automatic logic acts(in_t in);
    return made(in) && (result(in) == 3'd0) && (in.request.reg_op >= 4'd8);
  endfunction

endpackage
