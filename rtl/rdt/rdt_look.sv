// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Look: what the step in progress does with the two caches. Combinational.
//
// Contract: docs/src/rdt/cycle.md, "3. Steps", "Look" and "Power".

module rdt_look
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
(
  // Straps `l3_sets`, `l2_sets`.
  input  logic [3:0]       l3_sets_i,
  input  logic [3:0]       l2_sets_i,

  // The access, or the change of power, in progress.
  // verilator lint_off UNUSEDSIGNAL
  input  job_t             job_i,
  // verilator lint_on UNUSEDSIGNAL
  // The line that is searched is in the word of the cache.
  input  logic             l3_hit_i,
  input  logic             l2_hit_i,
  // A way without power is valid in the L2 word.
  input  logic             l2_off_i,

  // The line that is searched in each cache.
  output logic [LineW-1:0] l3_search_o,
  output logic [LineW-1:0] l2_search_o,
  // What the step does with each cache.
  output command_t         l3_command_o,
  output command_t         l2_command_o
);

  // The L3 cache holds what is written, since the L2 cache will not.
  logic late;
  assign late = job_i.write && (job_i.l2_allowed == '0);

  // Steps that look for the line that leaves; all others look for that of the access.
  assign l3_search_o = ((job_i.step == StepMarkRead) || (job_i.step == StepMark)) ? job_i.victim : job_i.line;
  assign l2_search_o = ((job_i.step == StepInvRead) || (job_i.step == StepInvLook)) ? job_i.victim : job_i.line;

  // A set for a walk and for clear, else that of the line.
  logic by_set;
  assign by_set = (job_i.step == StepClear) || (job_i.step == StepL2WalkRead) || (job_i.step == StepL3WalkRead);

  always_comb begin
    l3_command_o     = '0;
    l3_command_o.set_index = by_set ? job_i.set_index : set_of(l3_search_o[SetW-1:0], l3_sets_i);
    l3_command_o.way = job_i.way;
    unique case (job_i.step)
      StepClear: l3_command_o.clear = 1'b1;
      StepL3Read, StepMarkRead, StepL3WalkRead: l3_command_o.read = 1'b1;
      StepL3Look: begin
        l3_command_o.write  = l3_hit_i;
        l3_command_o.target = TargetHit;
        l3_command_o.touch  = 1'b1;
        l3_command_o.dirty  = late;
      end
      StepEvict: begin
        l3_command_o.write  = 1'b1;
        l3_command_o.target = TargetWay;
        l3_command_o.empty  = 1'b1;
      end
      StepL3Fill: begin
        l3_command_o.write  = 1'b1;
        l3_command_o.target = TargetWay;
        l3_command_o.touch  = 1'b1;
        l3_command_o.fill   = 1'b1;
        l3_command_o.dirty  = late;
      end
      StepMark: begin
        l3_command_o.write  = l3_hit_i;
        l3_command_o.target = TargetHit;
        l3_command_o.dirty  = 1'b1;
      end
      default: ;
    endcase
  end

  always_comb begin
    l2_command_o     = '0;
    l2_command_o.set_index = by_set ? job_i.set_index : set_of(l2_search_o[SetW-1:0], l2_sets_i);
    unique case (job_i.step)
      StepClear: l2_command_o.clear = 1'b1;
      StepL2Read, StepInvRead, StepL2Fetch, StepL2WalkRead: l2_command_o.read = 1'b1;
      StepL2Look: begin
        l2_command_o.write  = l2_hit_i;
        l2_command_o.target = TargetHit;
        l2_command_o.touch  = 1'b1;
        l2_command_o.dirty  = job_i.write;
      end
      StepInvLook: begin
        l2_command_o.write  = l2_hit_i;
        l2_command_o.target = TargetHit;
        l2_command_o.empty  = 1'b1;
      end
      StepL2Fill: begin
        l2_command_o.write  = 1'b1;
        l2_command_o.target = l2_hit_i ? TargetHit : TargetVictim;
        l2_command_o.touch  = 1'b1;
        l2_command_o.fill   = !l2_hit_i;
        l2_command_o.dirty  = job_i.write;
      end
      StepL2Walk: begin
        l2_command_o.write  = l2_off_i;
        l2_command_o.target = TargetOff;
        l2_command_o.empty  = 1'b1;
      end
      default: ;
    endcase
  end

endmodule
