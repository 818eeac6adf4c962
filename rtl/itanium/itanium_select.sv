// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Select: the number of qualified events of this cycle that PMC[i].es and PMC[i].umask of one counter choose.
//
// Specification: section 6.1.3, "Event Specific Unit Masks"; section 6.1.3.1, Figure 6-5. Contract:
// docs/src/itanium/cycle.md, "5. Select". Requirements ITA-08, ITA-13, ITA-24, ITA-25, ITA-26, ITA-40.

module itanium_select
  import itanium_pkg::*;
  import itanium_stage_pkg::*;
#(
  // Bundles that can retire in a cycle: 1, 2.
  parameter int unsigned Bundles = 1
) (
  // PMC[i].es.
  input  logic [6:0]             es_i,
  // PMC[i].umask.
  input  logic [3:0]             umask_i,
  // Per bundle: its instructions that retire.
  input  bundle_t [Bundles-1:0]  bundle_i,
  // Per memory record: its events whose tags pass; 0 for a record that is not valid.
  input  record_t [MemPorts-1:0] record_i,
  // IA-32 instructions that retire.
  input  logic [1:0]             ia32_i,
  // A period of the core's clock begins in this cycle.
  input  logic                   core_clock_i,

  // Number of events, at most 6.
  output logic [2:0]             n_o
);

  //////////////////
  // Instructions //
  //////////////////

  // Per slot: the instruction counts.
  logic [Bundles-1:0][Slots-1:0] instructions;
  for (genvar b = 0; b < int'(Bundles); b++) begin : gen_bundles
    bundle_t          bundle;
    // Retires with Tag(PMC[8]).
    logic [Slots-1:0] passes;
    assign bundle = bundle_i[b];
    assign passes = bundle.retires & bundle.pmc8;

    always_comb begin
      instructions[b] = '0;
      unique case (es_i)
        EsInstRetired: begin
          if ((umask_i == 4'd0) || (umask_i == 4'd3)) instructions[b] = passes;
          else if (umask_i == 4'd2) instructions[b] = bundle.retires & bundle.pmc9;
        end
        EsBranchTaken: begin
          instructions[b] = passes & ((bundle.taken & umask_i[2:0]) |
                                      (bundle.branch & ~bundle.taken & {Slots{umask_i[3]}}));
        end
        EsSquashed: instructions[b] = passes & bundle.off;
        default:    instructions[b] = '0;
      endcase
    end
  end

  ////////////
  // Memory //
  ////////////

  // Per record: two events that count.
  logic [MemPorts-1:0][1:0] accesses;
  for (genvar p = 0; p < int'(MemPorts); p++) begin : gen_records
    record_t events;
    assign events = record_i[p];

    always_comb begin
      unique case (es_i)
        EsDtcMisses:     accesses[p] = {1'b0, events.dtc_miss};
        EsDtlbMisses:    accesses[p] = {1'b0, events.dtlb_miss};
        EsReferences:    accesses[p] = {1'b0, events.read || events.write};
        EsL1dReads:      accesses[p] = {1'b0, events.l1d_read};
        EsL1dReadMisses: accesses[p] = {1'b0, events.l1d_miss};
        EsL2References:  accesses[p] = {events.l2_write, events.l2_read} & umask_i[1:0];
        EsL2Misses:      accesses[p] = {1'b0, events.l2_miss};
        EsLoads:         accesses[p] = {1'b0, events.read};
        EsStores:        accesses[p] = {1'b0, events.write};
        default:         accesses[p] = '0;
      endcase
    end
  end

  ////////////
  // Number //
  ////////////

  // Events without tags.
  logic [1:0] others;
  always_comb begin
    unique case (es_i)
      EsCpuCycles:   others = {1'b0, core_clock_i};
      EsIa32Retired: others = ia32_i;
      default:       others = '0;
    endcase
  end

  // An event is of one of the three classes.
  always_comb begin
    n_o = {1'b0, others};
    for (int b = 0; b < int'(Bundles); b++) begin
      for (int s = 0; s < int'(Slots); s++) n_o = n_o + 3'(instructions[b][s]);
    end
    for (int p = 0; p < int'(MemPorts); p++) begin
      n_o = n_o + 3'(accesses[p][0]) + 3'(accesses[p][1]);
    end
  end

endmodule
