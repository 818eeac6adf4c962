// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the proofs share about the debug store: what an observer of the memory port knows, and a reading of
// docs/src/trace/store.md that the properties compare the unit with.

package formal_store_pkg;

  import retire_pkg::*;
  import trace_pkg::*;
  import formal_pkg::*;

  // What an observer of the memory port has seen of the record that is stored.
  typedef struct packed {
    // An access is granted and its response is outstanding; that access.
    logic         granted;
    mem_request_t access;
    // The fields of the management area that memory has answered since the record before ended.
    logic         has_base;
    logic         has_index;
    logic         has_maximum;
    logic         has_threshold;
    logic [63:0]  base;
    logic [63:0]  index;
    logic [63:0]  maximum;
    logic [63:0]  threshold;
    // Words of the record that memory has answered, all without a fault.
    logic [4:0]   words;
  } seen_t;

  // The record that is stored: a PEBS record only if no branch record waits, since these are older.
  function automatic logic stores_pebs(state_t st);
    return st.waiting.count == '0;
  endfunction

  // It has the 64-bit format.
  function automatic logic stores_wide(state_t st);
    return stores_pebs(st) ? st.pebs.pending_wide : st.waiting.record[0].wide;
  endfunction

  // "BTINT was 0 at the branch, and it is no PEBS record."
  function automatic logic stores_circular(state_t st);
    return !stores_pebs(st) && st.waiting.record[0].circular;
  endfunction

  // Number of its fields.
  function automatic logic [4:0] fields(config_t cfg, logic pebs, logic wide);
    if (!pebs) return 5'd3;
    if (!wide) return 5'd10;
    case (cfg.pebs_format)
      2'd0: return 5'd18;
      2'd1: return 5'd22;
      2'd2: return 5'd24;
      default: return 5'd25;
    endcase
  endfunction

  // Its size.
  function automatic logic [63:0] bytes(config_t cfg, logic pebs, logic wide);
    return wide ? {56'd0, fields(cfg, pebs, wide), 3'd0} : {57'd0, fields(cfg, pebs, wide), 2'd0};
  endfunction

  // "The management area": offsets of its fields.
  function automatic logic [63:0] offset_base(logic pebs, logic wide);
    return !pebs ? 64'h00 : wide ? 64'h20 : 64'h10;
  endfunction

  function automatic logic [63:0] offset_index(logic pebs, logic wide);
    return wide ? (pebs ? 64'h28 : 64'h08) : (pebs ? 64'h14 : 64'h04);
  endfunction

  function automatic logic [63:0] offset_maximum(logic pebs, logic wide);
    return wide ? (pebs ? 64'h30 : 64'h10) : (pebs ? 64'h18 : 64'h08);
  endfunction

  function automatic logic [63:0] offset_threshold(logic pebs, logic wide);
    return wide ? (pebs ? 64'h38 : 64'h18) : (pebs ? 64'h1C : 64'h0C);
  endfunction

  // "Room at a is: `a` <= `maximum` and `maximum` - `a` >= `bytes`."
  function automatic logic room(logic [63:0] a, logic [63:0] maximum, logic [63:0] bytes);
    return (a <= maximum) && (maximum - a >= bytes);
  endfunction

  // The area makes sense: its addresses are multiples of the field's size, and the index is in the buffer.
  function automatic logic sensible(seen_t seen, logic wide);
    logic [2:0] low;
    low = seen.base[2:0] | seen.index[2:0] | seen.maximum[2:0];
    return (low[1:0] == '0) && !(wide && low[2]) && (seen.base <= seen.index) && (seen.index <= seen.maximum);
  endfunction

  // Where the record goes if the area makes sense and there is room.
  function automatic logic [63:0] place(seen_t seen, logic [63:0] bytes);
    return room(seen.index, seen.maximum, bytes) ? seen.index : seen.base;
  endfunction

  function automatic logic has_place(seen_t seen, logic wide, logic circular, logic [63:0] bytes);
    return sensible(seen, wide) && (room(seen.index, seen.maximum, bytes) ||
                                    (circular && room(seen.base, seen.maximum, bytes)));
  endfunction

endpackage
