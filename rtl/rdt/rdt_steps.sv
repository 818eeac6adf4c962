// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Steps: takes one access, or one change of power, through the caches. A step takes a cycle, unless it waits for memory.
//
// Contract: docs/src/rdt/cycle.md, "3. Steps". Requirements RDTM-02, RDTM-03, RDTM-32, RDTA-02, RDTA-23.

module rdt_steps
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // Number of the last set that clear writes: of the larger cache.
  parameter logic [SetW-1:0] LastSet = 12'd7
) (
  // Clock: all registers change at its rising edge.
  input  logic            clk_i,
  // Asynchronous reset, active low.
  input  logic            rst_ni,

  // Straps `l3_sets`, `l2`, `l2_sets`, `write_backs`.
  input  logic [3:0]      l3_sets_i,
  input  logic            l2_i,
  input  logic [3:0]      l2_sets_i,
  input  logic            write_backs_i,

  // The access that is chosen, if one is ready. It is taken in idle.
  input  choice_t         choice_i,
  // The L2 cache, the L3 cache loses ways in this cycle.
  input  logic            l2_shrinks_i,
  input  logic            l3_shrinks_i,
  // What the word of each cache holds.
  // verilator lint_off UNUSEDSIGNAL
  input  found_t          l3_found_i,
  input  found_t          l2_found_i,
  // verilator lint_on UNUSEDSIGNAL
  // Answers of memory.
  input  mem_in_t         mem_i,

  // The step is clear; it is the first, the last cycle of clear.
  output logic            clear_o,
  output logic            first_o,
  output logic            cleared_o,
  // The step is idle; the access is taken.
  output logic            idle_o,
  output logic            chosen_o,
  // The line that is searched in each cache.
  output logic [LineW-1:0] l3_search_o,
  output logic [LineW-1:0] l2_search_o,
  // What the step does with each cache, with the access in progress, and with the counters.
  output command_t        l3_command_o,
  output command_t        l2_command_o,
  output progress_t       progress_o,
  output count_t          count_o,

  // Registers.
  output job_t            job_o
);

  job_t job_d, job_q;

  rdt_look u_look (
    .l3_sets_i,
    .l2_sets_i,
    .job_i   (job_q),
    .l3_hit_i(l3_found_i.hit),
    .l2_hit_i(l2_found_i.hit),
    .l2_off_i(l2_found_i.off),
    .l3_search_o,
    .l2_search_o,
    .l3_command_o,
    .l2_command_o
  );

  ///////////
  // Terms //
  ///////////

  assign clear_o   = job_q.step == StepClear;
  assign first_o   = clear_o && (job_q.set_index == '0);
  assign cleared_o = clear_o && (job_q.set_index == LastSet);
  assign idle_o    = job_q.step == StepIdle;
  assign chosen_o  = idle_o && !l2_shrinks_i && !l3_shrinks_i && choice_i.valid;

  // The walk has reached the last set of the cache.
  logic l3_last, l2_last;
  assign l3_last = job_q.set_index == set_of({SetW{1'b1}}, l3_sets_i);
  assign l2_last = job_q.set_index == set_of({SetW{1'b1}}, l2_sets_i);

  // The memory request writes; a line that gets no way of the L3 cache is written at once.
  logic writes;
  assign writes = job_q.write && !job_q.fills;

  // Where a line of the L3 cache that leaves goes next; it is dirty in one of the caches.
  function automatic step_e leave(logic dirty);
    return dirty ? StepWriteBack : StepEvict;
  endfunction

  ///////////
  // Steps //
  ///////////

  // The access is done with the L3 cache; the L2 cache holds it as well if it may.
  logic  ends, to_l2;
  step_e after_l3;
  assign to_l2    = job_q.l2_allowed != '0;
  assign after_l3 = to_l2 ? StepL2Fetch : StepIdle;

  always_comb begin
    job_d = job_q;
    ends  = 1'b0;
    unique case (job_q.step)
      StepClear: begin
        job_d.set_index = cleared_o ? '0 : (job_q.set_index + SetW'(1));
        if (cleared_o) job_d.step = StepIdle;
      end

      StepIdle: begin
        if (l2_shrinks_i || l3_shrinks_i) begin
          job_d.walk = 1'b1;
          job_d.set_index  = '0;
          job_d.step = l2_shrinks_i ? StepL2WalkRead : StepL3WalkRead;
        end else begin
          job_d.walk = 1'b0;
          if (choice_i.valid) begin
            job_d.turn       = choice_i.turn;
            job_d.rmid       = choice_i.rmid;
            job_d.cos        = choice_i.cos;
            job_d.write      = choice_i.write;
            job_d.code       = choice_i.code;
            job_d.line       = choice_i.line;
            job_d.l3_allowed = choice_i.l3_allowed;
            job_d.l2_allowed = choice_i.l2_allowed;
            job_d.hit        = 1'b0;
            job_d.step       = choice_i.to_l2 ? StepL2Read : StepL3Read;
          end
        end
      end

      StepL2Read: job_d.step = StepL2Look;

      StepL2Look: begin
        ends       = l2_found_i.hit;
        job_d.step = StepIdle;
      end

      StepL3Read: job_d.step = StepL3Look;

      StepL3Look: begin
        if (l3_found_i.hit) begin
          job_d.hit  = 1'b1;
          job_d.step = after_l3;
          ends       = !to_l2;
        end else if (job_q.l3_allowed == '0) begin
          job_d.fills      = 1'b0;
          job_d.l2_allowed = '0;
          job_d.step       = StepMemRequest;
        end else begin
          job_d.fills = 1'b1;
          job_d.way   = l3_found_i.victim_way;
          job_d.step  = StepMemRequest;
          if (l3_found_i.victim.valid) begin
            job_d.victim       = l3_found_i.victim.line;
            job_d.victim_rmid  = l3_found_i.victim.rmid;
            job_d.victim_dirty = l3_found_i.victim.dirty;
            job_d.step         = l2_i ? StepInvRead : leave(l3_found_i.victim.dirty);
          end
        end
      end

      StepInvRead: job_d.step = StepInvLook;

      StepInvLook: begin
        job_d.victim_dirty = job_q.victim_dirty || l2_found_i.hit_dirty;
        job_d.step         = leave(job_q.victim_dirty || l2_found_i.hit_dirty);
      end

      StepWriteBack: if (mem_i.mem_gnt) job_d.step = StepEvict;

      StepEvict: job_d.step = job_q.walk ? StepL3WalkRead : StepMemRequest;

      StepMemRequest: begin
        if (mem_i.mem_gnt) begin
          job_d.step = writes ? StepIdle : StepMemWait;
          ends       = writes;
        end
      end

      StepMemWait: begin
        if (mem_i.mem_rvalid) begin
          job_d.step = job_q.fills ? StepL3Fill : StepIdle;
          ends       = !job_q.fills;
        end
      end

      StepL3Fill: begin
        job_d.step = after_l3;
        ends       = !to_l2;
      end

      StepL2Fetch: job_d.step = StepL2Fill;

      StepL2Fill: begin
        if (!l2_found_i.hit && l2_found_i.victim.valid && l2_found_i.victim.dirty) begin
          job_d.victim = l2_found_i.victim.line;
          job_d.step   = StepMarkRead;
        end else begin
          job_d.step = StepIdle;
          ends       = 1'b1;
        end
      end

      StepMarkRead: job_d.step = StepMark;

      StepMark: begin
        job_d.step = job_q.walk ? StepL2WalkRead : StepIdle;
        ends       = !job_q.walk;
      end

      StepL2WalkRead: job_d.step = StepL2Walk;

      StepL2Walk: begin
        job_d.step = StepL2WalkRead;
        if (l2_found_i.off) begin
          if (l2_found_i.off_line.dirty) begin
            job_d.victim = l2_found_i.off_line.line;
            job_d.step   = StepMarkRead;
          end
        end else if (l2_last) begin
          job_d.walk = 1'b0;
          job_d.set_index  = '0;
          job_d.step = StepIdle;
        end else begin
          job_d.set_index = job_q.set_index + SetW'(1);
        end
      end

      StepL3WalkRead: job_d.step = StepL3Walk;

      StepL3Walk: begin
        job_d.step = StepL3WalkRead;
        if (l3_found_i.off) begin
          job_d.way          = l3_found_i.off_way;
          job_d.victim       = l3_found_i.off_line.line;
          job_d.victim_rmid  = l3_found_i.off_line.rmid;
          job_d.victim_dirty = l3_found_i.off_line.dirty;
          job_d.step         = l2_i ? StepInvRead : leave(l3_found_i.off_line.dirty);
        end else if (l3_last) begin
          job_d.walk = 1'b0;
          job_d.set_index  = '0;
          job_d.step = StepIdle;
        end else begin
          job_d.set_index = job_q.set_index + SetW'(1);
        end
      end

      default: ;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      job_q <= '0;
    end else begin
      job_q <= job_d;
    end
  end

  assign job_o = job_q;

  /////////////////
  // Consequences //
  /////////////////

  // An access that hits the L2 cache in l2_look never asks the L3 cache.
  assign progress_o = '{
    ends:   ends,
    l2_hit: ends && (job_q.step == StepL2Look),
    l3_hit: ends && job_d.hit && (job_q.step != StepL2Look),
    misses: (job_q.step == StepL2Look) && !l2_found_i.hit
  };

  // A line that leaves is charged to its own RMID.
  logic granted_back, granted;
  assign granted_back = (job_q.step == StepWriteBack) && mem_i.mem_gnt;
  assign granted      = (job_q.step == StepMemRequest) && mem_i.mem_gnt;
  assign count_o = '{
    start:        cleared_o,
    charge:       (granted_back && write_backs_i) || (granted && (!writes || write_backs_i)),
    charge_local: mem_i.mem_local,
    enter:        job_q.step == StepL3Fill,
    leave:        job_q.step == StepEvict,
    rmid:         ((job_q.step == StepWriteBack) || (job_q.step == StepEvict)) ? job_q.victim_rmid : job_q.rmid
  };

endmodule
