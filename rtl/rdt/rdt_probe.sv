// SPDX-License-Identifier: MIT OR Apache-2.0
//
// All registers of the unit, and a set of each cache, in one struct, for verification. What a build does not have is 0.
//
// Contract: docs/src/rdt/state.md.

module rdt_probe
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // Logical processors, sets and ways of the caches, RMIDs and classes that are built.
  parameter int unsigned LogicalProcessors = 2,
  parameter int unsigned L3Sets            = 8,
  parameter int unsigned L3Ways            = 4,
  parameter int unsigned L2Sets            = 4,
  parameter int unsigned L2Ways            = 2,
  parameter int unsigned Rmids             = 4,
  parameter int unsigned Classes           = 4
) (
  // Code and data prioritization.
  input  cdp_t                                      cdp_i,
  // Masks and delay of each class.
  input  class_t   [Classes-1:0]                    classes_i,
  // Registers of each logical processor that WRMSR writes.
  input  binding_t [LogicalProcessors-1:0]          binding_i,
  // Access of each logical processor.
  input  entry_t   [LogicalProcessors-1:0]          access_i,
  // Credit of each logical processor.
  input  logic [LogicalProcessors-1:0][CreditW-1:0] credit_i,
  // Counters of each RMID.
  input  rmid_t    [Rmids-1:0]                      rmid_i,
  // Access, or change of power, in progress.
  input  job_t                                      job_i,
  // Ways that have power.
  input  power_t                                    power_i,
  // Registers of the answer.
  input  answer_t                                   answer_i,
  // Set of the L3 cache that was read or written last, whether it was written, and what it holds.
  input  logic [$clog2(L3Sets)-1:0]                 l3_index_i,
  input  logic                                      l3_written_i,
  input  l3_line_t [L3Ways-1:0]                     l3_word_i,
  // The same of the L2 cache.
  input  logic [$clog2(L2Sets)-1:0]                 l2_index_i,
  input  logic                                      l2_written_i,
  input  l3_line_t [L2Ways-1:0]                     l2_word_i,
  // The memories are being cleared: the window shows 0.
  input  logic                                      clear_i,
  // Set that the window shows, and what the caches hold in it.
  input  logic [SetW-1:0]                           show_index_i,
  input  l3_line_t [L3Ways-1:0]                     l3_show_i,
  // Of an age of the L2 cache the lowest three bits are used, and no RMID and no code flag exists.
  // verilator lint_off UNUSEDSIGNAL
  input  l3_line_t [L2Ways-1:0]                     l2_show_i,
  // verilator lint_on UNUSEDSIGNAL

  // All registers of the unit.
  output state_t                                    state_o
);

  assign state_o.cdp        = cdp_i;
  assign state_o.job        = job_i;
  assign state_o.power      = power_i;
  assign state_o.answer     = answer_i;
  assign state_o.l3.index   = 12'(l3_index_i);
  assign state_o.l3.written = l3_written_i;
  assign state_o.l2.index   = 10'(l2_index_i);
  assign state_o.l2.written = l2_written_i;
  assign state_o.show.index = show_index_i;

  for (genvar i = 0; i < int'(MaxProcessors); i++) begin : gen_state_lp
    if (i < int'(LogicalProcessors)) begin : gen_built
      assign state_o.lp[i] = '{
        rmid:        binding_i[i].rmid,
        cos:         binding_i[i].cos,
        event_id:    binding_i[i].event_id,
        event_rmid:  binding_i[i].event_rmid,
        settle:      binding_i[i].settle,
        stage:       access_i[i].stage,
        write:       access_i[i].write,
        code:        access_i[i].code,
        line:        access_i[i].line,
        access_rmid: access_i[i].rmid,
        access_cos:  access_i[i].cos,
        credit:      credit_i[i],
        done:        access_i[i].done,
        l2_hit:      access_i[i].l2_hit,
        l3_hit:      access_i[i].l3_hit
      };
    end else begin : gen_absent
      assign state_o.lp[i] = '0;
    end
  end

  for (genvar n = 0; n < int'(MaxClasses); n++) begin : gen_state_classes
    if (n < int'(Classes)) begin : gen_built
      assign state_o.classes[n] = classes_i[n];
    end else begin : gen_absent
      assign state_o.classes[n] = '0;
    end
  end

  for (genvar r = 0; r < int'(MaxRmids); r++) begin : gen_state_rmid
    if (r < int'(Rmids)) begin : gen_built
      assign state_o.rmid[r] = rmid_i[r];
    end else begin : gen_absent
      assign state_o.rmid[r] = '0;
    end
  end

  for (genvar w = 0; w < int'(MaxL3Ways); w++) begin : gen_state_l3
    if (w < int'(L3Ways)) begin : gen_built
      assign state_o.l3.word.line[w] = l3_word_i[w];
      assign state_o.show.l3.line[w] = l3_show_i[w] & {$bits(l3_line_t){!clear_i}};
    end else begin : gen_absent
      assign state_o.l3.word.line[w] = '0;
      assign state_o.show.l3.line[w] = '0;
    end
  end

  for (genvar w = 0; w < int'(MaxL2Ways); w++) begin : gen_state_l2
    if (w < int'(L2Ways)) begin : gen_built
      assign state_o.l2.word.line[w] = '{
        valid: l2_word_i[w].valid,
        dirty: l2_word_i[w].dirty,
        line:  l2_word_i[w].line,
        age:   l2_word_i[w].age[2:0]
      };
      assign state_o.show.l2.line[w] = '{
        valid: l2_show_i[w].valid && !clear_i,
        dirty: l2_show_i[w].dirty && !clear_i,
        line:  l2_show_i[w].line & {LineW{!clear_i}},
        age:   l2_show_i[w].age[2:0] & {3{!clear_i}}
      };
    end else begin : gen_absent
      assign state_o.l2.word.line[w] = '0;
      assign state_o.show.l2.line[w] = '0;
    end
  end

endmodule
