// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Select: the number of a counter's selection on the lines of each logical processor. Combinational.
//
// Every pair of event code and unit mask that is not listed selects nothing, as does an event that the processor lacks
// or this counter cannot count.
//
// Specification: the table of events of the study of the P6 counters; the architectural events of the text. Contract:
// docs/src/perf/cycle.md, "3. Select", and docs/src/perf/events.md. Requirements P6EV-01 to P6EV-87, APM-16 to APM-20.

module perf_select
  import perf_pkg::*;
  import perf_lines_pkg::*;
#(
  parameter int unsigned LogicalProcessors = 1,
  // Index of the counter.
  parameter int unsigned Counter           = 0,
  // It is a fixed counter; the selection is that of its index.
  parameter bit          IsFixed           = 1'b0
) (
  // Strap: P6, or version of architectural performance monitoring.
  input  logic [1:0]                           personality_i,
  // Strap: which P6 events exist.
  input  logic [1:0]                           p6_model_i,
  // Strap: architectural events that exist.
  input  logic [6:0]                           events_i,

  // Event code. Ignored by a fixed counter.
  input  logic [7:0]                           code_i,
  // Unit mask. Ignored by a fixed counter.
  input  logic [7:0]                           mask_i,
  // A period of the core's clock begins.
  input  logic                                 core_clock_i,
  // A period of the bus clock begins.
  input  logic                                 bus_tick_i,
  // Lines of each logical processor.
  input  lines_t [LogicalProcessors-1:0]       lines_i,

  // The selection is not nothing.
  output logic                                 something_o,
  // Its lines are levels.
  output logic                                 level_kind_o,
  // It is a P6 event whose pin follows the clock ratio.
  output logic                                 odd_o,
  // Its clock ticks.
  output logic                                 sample_o,
  // The number of the selection, for each logical processor.
  output logic [LogicalProcessors-1:0][NumberW-1:0] n_o
);

  // The line, or the first of four. Four lines are added, each if its bit in the mask is set.
  line_e line;
  logic  something, grouped, bus;

  if (IsFixed) begin : gen_fixed
    assign something = 1'b1;
    assign grouped   = 1'b0;
    assign odd_o     = 1'b0;
    assign line      = (Counter == 0) ? LineInstructions : LineUnhalted;
    assign bus       = Counter == 2;

    logic unused_select;
    assign unused_select = ^{personality_i, p6_model_i, events_i, code_i};
  end else begin : gen_general
    ////////
    // P6 //
    ////////

    line_e p6_line;
    logic  p6_something, p6_listed, p6_grouped, p6_model, p6_counter, p6_bus;

    // One line.
    always_comb begin
      p6_listed = 1'b1;
      p6_line   = LineDataMemRefs;
      unique case ({code_i, mask_i})
        16'h43_00: p6_line = LineDataMemRefs;
        16'h45_00: p6_line = LineDcuLinesIn;
        16'h46_00: p6_line = LineDcuMLinesIn;
        16'h47_00: p6_line = LineDcuMLinesOut;
        16'h48_00: p6_line = LineDcuMissOutstanding;
        16'h80_00: p6_line = LineIfuIfetch;
        16'h81_00: p6_line = LineIfuIfetchMiss;
        16'h85_00: p6_line = LineItlbMiss;
        16'h86_00: p6_line = LineIfuMemStall;
        16'h87_00: p6_line = LineIldStall;
        16'h24_00: p6_line = LineL2LinesIn;
        16'h26_00: p6_line = LineL2LinesOut;
        16'h25_00: p6_line = LineL2MLinesInm;
        16'h27_00: p6_line = LineL2MLinesOutm;
        16'h21_00: p6_line = LineL2Ads;
        16'h22_00: p6_line = LineL2DbusBusy;
        16'h23_00: p6_line = LineL2DbusBusyRd;
        16'h62_00: p6_line = LineBusDrdySelf;
        16'h62_20: p6_line = LineBusDrdyAny;
        16'h63_00: p6_line = LineBusLockSelf;
        16'h63_20: p6_line = LineBusLockAny;
        16'h60_00: p6_line = LineBusReqOutstanding;
        16'h65_00: p6_line = LineBusBrdSelf;
        16'h65_20: p6_line = LineBusBrdAny;
        16'h66_00: p6_line = LineBusRfoSelf;
        16'h66_20: p6_line = LineBusRfoAny;
        16'h67_00: p6_line = LineBusWbSelf;
        16'h67_20: p6_line = LineBusWbAny;
        16'h68_00: p6_line = LineBusIfetchSelf;
        16'h68_20: p6_line = LineBusIfetchAny;
        16'h69_00: p6_line = LineBusInvalSelf;
        16'h69_20: p6_line = LineBusInvalAny;
        16'h6A_00: p6_line = LineBusPwrSelf;
        16'h6A_20: p6_line = LineBusPwrAny;
        16'h6B_00: p6_line = LineBusPSelf;
        16'h6B_20: p6_line = LineBusPAny;
        16'h6C_00: p6_line = LineBusIoSelf;
        16'h6C_20: p6_line = LineBusIoAny;
        16'h6D_00: p6_line = LineBusDefSelf;
        16'h6D_20: p6_line = LineBusDefAny;
        16'h6E_00: p6_line = LineBusBurstSelf;
        16'h6E_20: p6_line = LineBusBurstAny;
        16'h70_00: p6_line = LineBusAllSelf;
        16'h70_20: p6_line = LineBusAllAny;
        16'h6F_00: p6_line = LineBusMemSelf;
        16'h6F_20: p6_line = LineBusMemAny;
        16'h64_00: p6_line = LineBusDataRcv;
        16'h61_00: p6_line = LineBusBnrDrv;
        16'h7A_00: p6_line = LineBusHitDrv;
        16'h7B_00: p6_line = LineBusHitmDrv;
        16'h7E_00: p6_line = LineBusSnoopStall;
        16'hC1_00: p6_line = LineFlops;
        16'h10_00: p6_line = LineFpCompOpsExe;
        16'h11_00: p6_line = LineFpAssist;
        16'h12_00: p6_line = LineMul;
        16'h13_00: p6_line = LineDiv;
        16'h14_00: p6_line = LineDivBusy;
        16'h03_00: p6_line = LineLdBlocks;
        16'h04_00: p6_line = LineSbDrains;
        16'h05_00: p6_line = LineMisalignMemRef;
        16'h07_00: p6_line = LineKniPrefDispatchedNta;
        16'h07_01: p6_line = LineKniPrefDispatchedT1;
        16'h07_02: p6_line = LineKniPrefDispatchedT2;
        16'h07_03: p6_line = LineKniPrefDispatchedWeak;
        16'h4B_00: p6_line = LineKniPrefMissNta;
        16'h4B_01: p6_line = LineKniPrefMissT1;
        16'h4B_02: p6_line = LineKniPrefMissT2;
        16'h4B_03: p6_line = LineKniPrefMissWeak;
        16'hC0_00: p6_line = LineInstructions;
        16'hC2_00: p6_line = LineUopsRetired;
        16'hD0_00: p6_line = LineInstDecoded;
        16'hD8_00: p6_line = LineKniRetired;
        16'hD8_01: p6_line = LineKniRetiredScalar;
        16'hD9_00: p6_line = LineKniCompRetired;
        16'hD9_01: p6_line = LineKniCompRetiredScalar;
        16'hC8_00: p6_line = LineInterrupts;
        16'hC6_00: p6_line = LineIntMasked;
        16'hC7_00: p6_line = LineIntPendingAndMasked;
        16'hC4_00: p6_line = LineBranches;
        16'hC5_00: p6_line = LineBranchesMissed;
        16'hC9_00: p6_line = LineBranchesTaken;
        16'hCA_00: p6_line = LineBranchesTakenMissed;
        16'hE0_00: p6_line = LineBrDecoded;
        16'hE2_00: p6_line = LineBtbMisses;
        16'hE4_00: p6_line = LineBrBogus;
        16'hE6_00: p6_line = LineBaclears;
        16'hA2_00: p6_line = LineResourceStalls;
        16'hD2_00: p6_line = LinePartialRatStalls;
        16'h06_00: p6_line = LineSegmentRegLoads;
        16'h79_00: p6_line = LineUnhalted;
        16'hB0_00: p6_line = LineMmxExec;
        16'hB1_00: p6_line = LineMmxSatExec;
        16'hB2_0F: p6_line = LineMmxUopsExec;
        16'hB3_01: p6_line = LineMmxTypeMul;
        16'hB3_02: p6_line = LineMmxTypeShift;
        16'hB3_04: p6_line = LineMmxTypePack;
        16'hB3_08: p6_line = LineMmxTypeUnpack;
        16'hB3_10: p6_line = LineMmxTypeLogical;
        16'hB3_20: p6_line = LineMmxTypeArith;
        16'hCC_00: p6_line = LineMmxToFp;
        16'hCC_01: p6_line = LineFpToMmx;
        16'hCD_00: p6_line = LineMmxAssist;
        16'hCE_00: p6_line = LineMmxRetired;
        16'hD6_00: p6_line = LineRetSegRenames;
        default: p6_listed = 1'b0;
      endcase
      p6_grouped = 1'b0;

      // Sums of four.
      unique case (code_i)
        8'h28:   begin p6_line = LineL2IfetchI; p6_grouped = mask_i[7:4] == 4'd0; end
        8'h29:   begin p6_line = LineL2LdI; p6_grouped = mask_i[7:4] == 4'd0; end
        8'h2A:   begin p6_line = LineL2StI; p6_grouped = mask_i[7:4] == 4'd0; end
        8'h2E:   begin p6_line = LineL2RqstsI; p6_grouped = mask_i[7:4] == 4'd0; end
        8'hD4: begin
          p6_line    = LineSegRenameStallsEs;
          p6_grouped = mask_i inside {8'h01, 8'h02, 8'h04, 8'h08, 8'h0F};
        end
        8'hD5: begin
          p6_line    = LineSegRenamesEs;
          p6_grouped = mask_i inside {8'h01, 8'h02, 8'h04, 8'h08, 8'h0F};
        end
        default: ;
      endcase
    end

    // Processors that have the event.
    always_comb begin
      unique case (code_i)
        8'hB0, 8'hCE: p6_model = p6_model_i == 2'd1;
        8'hB1, 8'hB2, 8'hB3, 8'hCC, 8'hCD, 8'hD4, 8'hD5, 8'hD6: p6_model = p6_model_i != 2'd0;
        8'h07, 8'h4B: p6_model = p6_model_i[1];
        8'hD8, 8'hD9: p6_model = p6_model_i == 2'd2;
        default:      p6_model = 1'b1;
      endcase
    end

    // Counters that can count it.
    always_comb begin
      unique case (code_i)
        8'h10, 8'h14, 8'hC1: p6_counter = Counter == 0;
        8'h11, 8'h12, 8'h13: p6_counter = Counter == 1;
        default:             p6_counter = Counter < 2;
      endcase
    end

    assign p6_something = (p6_listed || p6_grouped) && p6_model && p6_counter;
    assign p6_bus       = ((code_i == 8'h62) && (mask_i == 8'h00)) || (code_i inside {8'h61, 8'h64, 8'h7A, 8'h7B});

    ///////////////////
    // Architectural //
    ///////////////////

    line_e arch_line;
    logic  arch_something, arch_bus;

    always_comb begin
      arch_line      = LineUnhalted;
      arch_something = 1'b0;
      arch_bus       = 1'b0;
      unique case ({code_i, mask_i})
        16'h3C_00: arch_something = events_i[0];
        16'hC0_00: begin arch_something = events_i[1]; arch_line = LineInstructions; end
        16'h3C_01: begin arch_something = events_i[2]; arch_bus = 1'b1; end
        16'h2E_4F: begin arch_something = events_i[3]; arch_line = LineLlcReferences; end
        16'h2E_41: begin arch_something = events_i[4]; arch_line = LineLlcMisses; end
        16'hC4_00: begin arch_something = events_i[5]; arch_line = LineBranches; end
        16'hC5_00: begin arch_something = events_i[6]; arch_line = LineBranchesMissed; end
        default: ;
      endcase
    end

    logic p6;
    assign p6        = personality_i == 2'd0;
    assign something = p6 ? p6_something : arch_something;
    assign line      = p6 ? p6_line : arch_line;
    assign grouped   = p6 && p6_grouped;
    // Of a selection of nothing the clock does not matter: it never fits.
    assign bus       = p6 ? p6_bus : arch_bus;
    assign odd_o     = p6 && something && (code_i inside {8'h7A, 8'h7B});
  end

  assign something_o  = something;
  assign level_kind_o = something && (((line >= LineIfuMemStall) && (line <= LineIntPendingAndMasked)) ||
                                      (line == LineUnhalted));
  assign sample_o     = bus ? bus_tick_i : core_clock_i;

  ////////////
  // Number //
  ////////////

  for (genvar j = 0; j < int'(LogicalProcessors); j++) begin : gen_number
    lines_t          lines;
    logic [3:0][3:0] four;
    logic [5:0]      sum;
    assign lines = lines_i[j];

    always_comb begin
      unique case (line)
        LineL2IfetchI:         four = lines[LineL2IfetchM:LineL2IfetchI];
        LineL2LdI:             four = lines[LineL2LdM:LineL2LdI];
        LineL2StI:             four = lines[LineL2StM:LineL2StI];
        LineL2RqstsI:          four = lines[LineL2RqstsM:LineL2RqstsI];
        LineSegRenameStallsEs: four = lines[LineSegRenameStallsGs:LineSegRenameStallsEs];
        LineSegRenamesEs:      four = lines[LineSegRenamesGs:LineSegRenamesEs];
        default:               four = '0;
      endcase
    end

    always_comb begin
      sum = 6'd0;
      for (int unsigned b = 0; b < 4; b++) sum += {2'b0, four[b] & {4{mask_i[b]}}};
    end

    assign n_o[j] = !something ? 6'd0 : grouped ? sum : {2'b0, lines[line]};
  end

endmodule
