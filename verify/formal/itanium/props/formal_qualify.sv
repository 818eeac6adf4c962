// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Qualify: an event is counted exactly if every qualifier passes, each as of its own moment. An arbitrary counter, an arbitrary
// slot of an arbitrary bundle: in a cycle whose only event is that of this instruction, retired or in a memory record, the counter
// moves if all of these hold, and else stands: the address was in the range at the fetch; the opcode matched at the issue; the data
// are in their range (memory records only); the event is that of `es` and `umask`; level, process and instruction set are
// monitored; nothing is frozen.
//
// The range and the opcode are those of formal_history, so with the family `tags` this is a statement about the unit's ports and
// control registers alone.
//
// Rows: ITA-01, ITA-03, ITA-11 to ITA-14, ITA-16, ITA-18, ITA-21, ITA-25 to ITA-27, ITA-40, ITA-44, ITA-46, ITA-47.

module formal_qualify
  import itanium_pkg::*;
  import formal_pkg::*;
  import formal_qualify_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input out_t    out_i,
  input state_t  st_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input state_t  was_i,
  // An entry, and what the registers said of its bundle, as of the cycle before.
  input logic [EntryW-1:0] entry_i,
  input logic              range_i,
  input logic [Slots-1:0]  hit8_i,
  input logic [Slots-1:0]  hit9_i
);

  logic [1:0] number, slot;
  formal_const #(.WIDTH(2)) u_number (.Y(number));
  formal_const #(.WIDTH(2)) u_slot (.Y(slot));
  always_comb SlotExists: assume (slot != 2'd3);

  counter_t now, counter;
  assign now     = st_i.counter[number];
  assign counter = was_i.counter[number];

  ///////////////
  // The event //
  ///////////////

  // In the cycle before a bundle retired instructions, or a record was shown; how many did.
  logic [2:0] shown;
  // The only one is that of the instruction.
  logic       mine, memory;
  logic [1:0] events;
  logic       data;
  always_comb begin
    shown  = '0;
    mine   = 1'b0;
    memory = 1'b0;
    events = '0;
    data   = 1'b1;
    for (int unsigned b = 0; b < Bundles; b++) begin
      shown = shown + 3'(was_in_i.retire[b].valid);
      if (was_in_i.retire[b].valid) begin
        mine   = (entry(was_in_i.retire[b].id) == entry_i) && (was_in_i.retire[b].slots == (3'd1 << slot));
        events = 2'(retires(was_in_i, was_in_i.retire[b], 32'(slot)) && slot_event(counter, was_in_i.retire[b], 32'(slot)));
      end
    end
    for (int unsigned p = 0; p < 2; p++) begin
      shown = shown + 3'(was_in_i.mem[p].valid);
      if (was_in_i.mem[p].valid) begin
        mine   = (entry(was_in_i.mem[p].id) == entry_i) && (slot_of(was_in_i.mem[p]) == 32'(slot));
        memory = 1'b1;
        events = record_events(counter, was_in_i.mem[p]);
        data   = in_data_range(was_i, was_in_i, was_in_i.mem[p]);
      end
    end
  end

  // Cycles and IA-32 instructions have no tags.
  logic lone;
  assign lone = valid_i && (shown == 3'd1) && mine && !(counter.es inside {7'h12, 7'h15}) && (counter.threshold == '0) &&
                !writes(was_in_i, Pmd, 4 + 32'(number));

  ////////////////
  // Qualifiers //
  ////////////////

  logic range, opcode, happens, level, process, set, thawed;
  assign range   = was_in_i.psr_is || range_i;
  assign opcode  = was_in_i.psr_is || (counts_pmc9(counter) ? hit9_i[slot] : hit8_i[slot]);
  assign happens = events != '0;
  assign level   = counter.plm[was_in_i.cpl];
  assign process = counter.pm ? was_i.status.pp : was_i.status.up;
  assign set     = set_monitored(cfg_i, was_in_i, counter.ism);
  assign thawed  = !was_i.freeze.fr;

  logic [7:0] passed;
  assign passed = {range, opcode, data, happens, level, process, set, thawed};

  logic [31:0] moved;
  assign moved = now.count - counter.count;

  always_comb begin
    // ITA-01
    // ITA-03
    // ITA-11
    // ITA-26
    // ITA-27
    // ITA-40
    Qualified: assert (!lone || (moved == ((passed == '1) ? 32'(events) : 32'd0)));
    // ITA-12: the data range is not asked of an instruction that retires.
    NoData:    assert (!(lone && !memory) || (moved == ((range && opcode && happens && level && process && set && thawed) ?
                                                        32'd1 : 32'd0)));
  end
  for (genvar q = 0; q < 8; q++) begin : gen_qualifiers
    // Each qualifier alone stops the event.
    always_comb begin
      CoverAlone: cover (lone && !was_in_i.int_valid && (passed == ~(8'd1 << q)) && (memory || (q == 6)));
    end
  end
  always_comb begin
    CoverRetired: cover (lone && !memory && (moved == 32'd1) && (counter.es == 7'h08) && counts_pmc9(counter));
    CoverMemory:  cover (lone && memory && (moved == 32'd2) && !was_i.pmc11.pt && !was_in_i.psr_is);
    CoverIa32:    cover (lone && memory && (moved == 32'd1) && !was_i.pmc11.pt && was_in_i.psr_is && !range_i);
  end

endmodule
