// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A reading of the contract's qualifiers: ranges, opcodes, events, monitors, amounts. Nothing of it is taken from the stages of
// the RTL.
//
// Contract: docs/src/itanium/cycle.md, 1 to 8.

package formal_qualify_pkg;

  import itanium_pkg::*;
  import formal_pkg::*;

  // The entry that an `id` names.
  function automatic logic [EntryW-1:0] entry(logic [3:0] id);
    return id[EntryW-1:0];
  endfunction

  /////////////////////
  // Ranges, 1 and 4 //
  /////////////////////

  // Each bit of the addresses is the same, or below `low`, or one of 55:0 whose bit of the mask is 0.
  function automatic logic near(logic [63:0] one, logic [63:0] other, logic [55:0] mask, int unsigned low);
    logic [63:0] same, free;
    same = one ~^ other;
    free = {8'h00, ~mask} | ((64'd1 << low) - 64'd1);
    return (same | free) == '1;
  endfunction

  // IBRRangeTag of a fetch: `range'[b]`.
  function automatic logic in_code_range(state_t st, fetch_t fetch);
    if (st.pmc13.ta) return 1'b1;
    for (int unsigned k = 0; k < 4; k++) begin
      if (!st.ibr[k].x && st.ibr[k].plm[fetch.cpl] && near(fetch.addr, st.ibr[k].addr, st.ibr[k].mask, 4)) return 1'b1;
    end
    return 1'b0;
  endfunction

  // DBRRangeTag of a record is hit or off.
  function automatic logic in_data_range(state_t st, in_t in, mem_t mem);
    if (in.psr_is || st.pmc11.pt) return 1'b1;
    for (int unsigned k = 0; k < 4; k++) begin
      if (st.dbr[k].plm[in.cpl] && near(mem.addr, st.dbr[k].addr, st.dbr[k].mask, 0)) return 1'b1;
    end
    return 1'b0;
  endfunction

  ///////////////
  // Opcode, 2 //
  ///////////////

  // Units of slots; L is the immediate of X, N is none.
  typedef enum logic [2:0] {N, M, I, F, B, L, X} unit_e;

  // Units of the slots of a template, slot 0 first. A `case` of constants would become a memory, whose contents induction does not
  // know.
  function automatic unit_e [2:0] units(logic [4:0] code);
    if (code inside {5'h00, 5'h01, 5'h02, 5'h03}) return {M, I, I};
    if (code inside {5'h04, 5'h05}) return {M, L, X};
    if (code inside {5'h08, 5'h09, 5'h0A, 5'h0B}) return {M, M, I};
    if (code inside {5'h0C, 5'h0D}) return {M, F, I};
    if (code inside {5'h0E, 5'h0F}) return {M, M, F};
    if (code inside {5'h10, 5'h11}) return {M, I, B};
    if (code inside {5'h12, 5'h13}) return {M, B, B};
    if (code inside {5'h16, 5'h17}) return {B, B, B};
    if (code inside {5'h18, 5'h19}) return {M, M, B};
    if (code inside {5'h1C, 5'h1D}) return {M, F, B};
    return {N, N, N};
  endfunction

  function automatic logic [40:0] encoding(issue_t issue, int unsigned slot);
    case (slot)
      0:       return issue.slot0;
      1:       return issue.slot1;
      default: return issue.slot2;
    endcase
  endfunction

  // The matcher has the bit of this unit set.
  function automatic logic selects(matcher_t matcher, unit_e unit, logic [3:0] major);
    case (unit)
      M:       return matcher.m;
      I:       return matcher.i;
      F:       return matcher.f;
      B:       return matcher.b;
      X:       return (major <= 4'd7) ? matcher.i : matcher.b;
      default: return 1'b0;
    endcase
  endfunction

  // *matches(j, s)* for the matcher j.
  function automatic logic meets(matcher_t matcher, issue_t issue, int unsigned slot);
    unit_e [2:0] text;
    logic [40:0] bits;
    logic [26:0] same;
    text = units(issue.template_code);
    bits = encoding(issue, slot);
    if (!selects(matcher, text[2 - slot], bits[40:37])) return 1'b0;
    // Each compared bit is the same, or its bit of the mask is 1.
    same[12:0]  = bits[12:0] ~^ matcher.match_value[12:0];
    same[26:13] = bits[40:27] ~^ matcher.match_value[26:13];
    return (same | matcher.mask) == '1;
  endfunction

  ///////////////
  // Select, 5 //
  ///////////////

  // An instruction retires in this slot.
  function automatic logic retires(in_t in, retire_t retire, int unsigned slot);
    return retire.valid && retire.slots[slot] && !in.psr_is && !in.int_valid;
  endfunction

  // The monitor counts PMC[9]'s tag: IA64_TAGGED_INSTRS_RETIRED with unit mask 2.
  function automatic logic counts_pmc9(counter_t counter);
    return (counter.es == 7'h08) && (counter.umask == 4'd2);
  endfunction

  // The event that `es` and `umask` select happens in a slot that retires; tags apart.
  function automatic logic slot_event(counter_t counter, retire_t retire, int unsigned slot);
    case (counter.es)
      7'h08:   return counter.umask inside {4'd0, 4'd2, 4'd3};
      7'h0D:   return retire.taken[slot] ? counter.umask[slot] : (retire.branch[slot] && counter.umask[3]);
      7'h31:   return retire.off[slot];
      default: return 1'b0;
    endcase
  endfunction

  // How often the event that `es` and `umask` select happens in a record; tags apart.
  function automatic logic [1:0] record_events(counter_t counter, mem_t mem);
    if (!mem.valid) return 2'd0;
    case (counter.es)
      7'h60:   return 2'(mem.dtc_miss);
      7'h61:   return 2'(mem.dtlb_miss);
      7'h63:   return (mem.read || mem.write) ? 2'd1 : 2'd0;
      7'h64:   return 2'(mem.l1d_read);
      7'h66:   return 2'(mem.l1d_miss);
      7'h69:   return 2'(counter.umask[0] && mem.l2_read) + 2'(counter.umask[1] && mem.l2_write);
      7'h6A:   return 2'(mem.l2_miss);
      7'h6C:   return 2'(mem.read);
      7'h6D:   return 2'(mem.write);
      default: return 2'd0;
    endcase
  endfunction

  // The slot of a record: 3 acts as 2.
  function automatic int unsigned slot_of(mem_t mem);
    return (mem.slot == 2'd3) ? 2 : 32'(mem.slot);
  endfunction

  // `n` of counter c in this cycle.
  function automatic logic [2:0] number(state_t st, in_t in, int unsigned c);
    counter_t   counter;
    tag_t       tag;
    logic [2:0] n;
    counter = st.counter[c];
    n       = '0;
    if ((counter.es == 7'h12) && in.core_clock) n = 3'd1;
    if ((counter.es == 7'h15) && in.psr_is && !in.int_valid) n = 3'(in.ia32);
    for (int unsigned b = 0; b < Bundles; b++) begin
      tag = st.tag[entry(in.retire[b].id)];
      for (int unsigned s = 0; s < 3; s++) begin
        if (retires(in, in.retire[b], s) && slot_event(counter, in.retire[b], s) &&
            (counts_pmc9(counter) ? tag.pmc9[s] : tag.pmc8[s])) n = n + 3'd1;
      end
    end
    for (int unsigned p = 0; p < 2; p++) begin
      tag = st.tag[entry(in.mem[p].id)];
      if (in_data_range(st, in, in.mem[p]) && (in.psr_is || tag.pmc8[slot_of(in.mem[p])])) begin
        n = n + 3'(record_events(counter, in.mem[p]));
      end
    end
    return n;
  endfunction

  ////////////////
  // Monitor, 6 //
  ////////////////

  // Code of the instruction set that runs is monitored.
  function automatic logic set_monitored(config_t cfg, in_t in, logic [1:0] ism);
    // Bit 0 of `ism` leaves out IA-64 with `field`, IA-32 with `printed`.
    return !ism[32'(in.psr_is) ^ 32'(cfg.ism_order)];
  endfunction

  // A process that this kind of monitor follows runs.
  function automatic logic process_monitored(state_t st, logic pm);
    return pm ? st.status.pp : st.status.up;
  endfunction

  // A monitor is on.
  function automatic logic monitored(config_t cfg, state_t st, in_t in, logic [3:0] plm, logic pm, logic [1:0] ism);
    return !st.freeze.fr && process_monitored(st, pm) && plm[in.cpl] && set_monitored(cfg, in, ism);
  endfunction

  ///////////////////////////
  // Counter, freeze, 7, 8 //
  ///////////////////////////

  // *add* of counter c.
  function automatic logic [2:0] adds(config_t cfg, state_t st, in_t in, int unsigned c);
    counter_t   counter;
    logic [2:0] n;
    counter = st.counter[c];
    n       = number(st, in, c);
    if (!monitored(cfg, st, in, counter.plm, counter.pm, counter.ism)) return 3'd0;
    if (counter.threshold == 3'd0) return n;
    return (n > counter.threshold) ? 3'd1 : 3'd0;
  endfunction

  // *over* of a counter to which this is added.
  function automatic logic passes(logic [31:0] count, logic [2:0] add);
    return 64'(count) + 64'(add) >= 64'h1_0000_0000;
  endfunction

endpackage
