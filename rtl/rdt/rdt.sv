// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Resource Director Technology: the tags of an L3 cache and an L2 cache, which count what each RMID occupies and moves to
// and from memory, fill only the ways of a class's mask, and delay the accesses of a class.
//
// The unit is a Moore machine with one clock: every output is a function of registers. All registers reset to 0,
// asynchronously. The two memories are not reset; the unit writes all of their words after reset.
//
// Specification: the document on debugging, branch records, TSC and RDT, sections 8 and 9. Contract: docs/src/rdt/.

module rdt
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // Logical processors that share the caches: 1, 2, 4 or 8.
  parameter int unsigned LogicalProcessors = 2,
  // Sets of the L3 cache: 2 to 4096, a power of two.
  parameter int unsigned L3Sets            = 8,
  // Ways of the L3 cache: 2 to 16.
  parameter int unsigned L3Ways            = 4,
  // Sets of the L2 cache: 2 to 1024, a power of two.
  parameter int unsigned L2Sets            = 4,
  // Ways of the L2 cache: 2 to 8.
  parameter int unsigned L2Ways            = 2,
  // RMIDs with counters: 2 to 32.
  parameter int unsigned Rmids             = 4,
  // Classes of service: 2 to 16.
  parameter int unsigned Classes           = 4
) (
  // Clock: all registers change at its rising edge.
  input  logic                            clk_i,
  // Asynchronous reset, active low.
  input  logic                            rst_ni,

  // Straps, constant after reset.
  input  config_t                         cfg_i,

  // Per logical processor: its access behind its own first-level cache, and the interruption that it takes.
  input  lp_in_t [LogicalProcessors-1:0]  lp_i,
  // Answers of memory.
  input  mem_in_t                         mem_i,
  // Ways of each cache that shall have power.
  input  power_in_t                       power_i,
  // Monitoring data are not available in this cycle.
  input  logic                            qm_unavailable_i,
  // Set that the probe shows in the next cycle. Affects nothing else; tie it to 0 in a product.
  input  logic [SetW-1:0]                 show_i,
  // Mode of the logical processor that makes the register request.
  input  mode_in_t                        mode_i,
  // Register request; accepted in every cycle.
  input  retire_pkg::reg_request_t        reg_i,

  // Per logical processor: a request is accepted; its access is complete, and which cache it hit.
  output lp_out_t [LogicalProcessors-1:0] lp_o,

  // A line is to be read from memory or written to it; stays, with the next four, until `mem_gnt`.
  output logic                            mem_req_o,
  // The line is written; 0 without `mem_req_o`.
  output logic                            mem_write_o,
  // Physical address of the line; 0 without `mem_req_o`.
  output logic [AddressW-1:0]             mem_addr_o,
  // RMID to which the transfer is charged; 0 without `mem_req_o`.
  output logic [4:0]                      mem_rmid_o,
  // Class of service of the access; 0 for a line that is written back, and without `mem_req_o`.
  output logic [3:0]                      mem_cos_o,

  // Ways of the L3 cache that have power.
  output logic [4:0]                      l3_on_o,
  // Ways of the L2 cache that have power.
  output logic [3:0]                      l2_on_o,
  // A cache is being emptied: ways that `l3_on_o` and `l2_on_o` leave out may not be switched off yet.
  output logic                            walking_o,

  // The result of the last cycle's request is valid, in this one cycle.
  output logic                            reg_done_o,
  // Result: 0 done, 2 #GP(0), 4 not mine; valid with `reg_done_o`, else 0.
  output retire_pkg::reg_result_e         reg_result_o,
  // EDX:EAX of RDMSR; 0 unless such a request is done.
  output logic [63:0]                     reg_rdata_o,

  // All registers of the unit, and a set of each cache, for verification. Leave the port open in a product. Waves show the
  // registers in the modules that hold them.
  // verilator tracing_off
  output state_t                          state_o
  // verilator tracing_on
);

  if ((LogicalProcessors != 1) && (LogicalProcessors != 2) && (LogicalProcessors != 4) &&
      (LogicalProcessors != 8)) begin : gen_bad_processors
    $error("LogicalProcessors must be 1, 2, 4 or 8");
  end
  if ((L3Sets < 2) || (L3Sets > 4096) || ((L3Sets & (L3Sets - 1)) != 0)) begin : gen_bad_l3_sets
    $error("L3Sets must be a power of two from 2 to 4096");
  end
  if ((L3Ways < 2) || (L3Ways > MaxL3Ways)) begin : gen_bad_l3_ways
    $error("L3Ways must be 2 to 16");
  end
  if ((L2Sets < 2) || (L2Sets > 1024) || ((L2Sets & (L2Sets - 1)) != 0)) begin : gen_bad_l2_sets
    $error("L2Sets must be a power of two from 2 to 1024");
  end
  if ((L2Ways < 2) || (L2Ways > MaxL2Ways)) begin : gen_bad_l2_ways
    $error("L2Ways must be 2 to 8");
  end
  if ((Rmids < 2) || (Rmids > MaxRmids)) begin : gen_bad_rmids
    $error("Rmids must be 2 to 32");
  end
  if ((Classes < 2) || (Classes > MaxClasses)) begin : gen_bad_classes
    $error("Classes must be 2 to 16");
  end

  localparam int unsigned L3IndexW = $clog2(L3Sets);
  localparam int unsigned L2IndexW = $clog2(L2Sets);
  localparam int unsigned MoreSets = (L3Sets > L2Sets) ? L3Sets : L2Sets;

  ///////////////
  // Registers //
  ///////////////

  cdp_t                             cdp;
  class_t   [Classes-1:0]           classes;
  binding_t [LogicalProcessors-1:0] binding;
  entry_t   [LogicalProcessors-1:0] accesses;
  rmid_t    [Rmids-1:0]             rmid;
  job_t                             job;
  power_t                           power;
  answer_t                          answer;

  logic [LogicalProcessors-1:0][CreditW-1:0] credit;

  // The sets that were read or written last, and those that are shown.
  logic [L3IndexW-1:0]     l3_index;
  logic [L2IndexW-1:0]     l2_index;
  logic                    l3_written, l2_written;
  l3_line_t [L3Ways-1:0]   l3_word, l3_show;
  l3_line_t [L2Ways-1:0]   l2_word, l2_show;

  logic [SetW-1:0] show_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      show_q <= '0;
    end else begin
      show_q <= show_i;
    end
  end

  ///////////////////////
  // Register requests //
  ///////////////////////

  logic [LogicalProcessors-1:0] asks;
  retire_pkg::reg_result_e      result;
  write_t                       write;

  rdt_request #(
    .LogicalProcessors(LogicalProcessors)
  ) u_request (
    .cfg_i,
    .mode_i,
    .reg_i,
    .cdp_i   (cdp),
    .asks_o  (asks),
    .result_o(result),
    .write_o (write)
  );

  rdt_answer #(
    .LogicalProcessors(LogicalProcessors),
    .Rmids            (Rmids),
    .Classes          (Classes)
  ) u_answer (
    .clk_i,
    .rst_ni,
    .events_i     (cfg_i.events),
    .l3_max_rmid_i(cfg_i.l3_max_rmid),
    .width_i      (cfg_i.width),
    .scale_i      (cfg_i.scale),
    .select_i     (cfg_i.select),
    .valid_i      (reg_i.reg_valid),
    .op_i         (reg_i.reg_op),
    .number_i     (reg_i.reg_number),
    .asks_i       (asks),
    .result_i     (result),
    .unavailable_i(qm_unavailable_i),
    .cdp_i        (cdp),
    .classes_i    (classes),
    .binding_i    (binding),
    .rmid_i       (rmid),
    .answer_o     (answer)
  );

  logic clear, first, cleared, idle;

  rdt_classes #(
    .Classes(Classes)
  ) u_classes (
    .clk_i,
    .rst_ni,
    .l3_cat_i (cfg_i.l3_cat),
    .l3_cos_i (cfg_i.l3_cos),
    .l3_ways_i(cfg_i.l3_ways),
    .l2_cat_i (cfg_i.l2_cat),
    .l2_cos_i (cfg_i.l2_cos),
    .l2_ways_i(cfg_i.l2_ways),
    .first_i  (first),
    .write_i  (write),
    .wdata_i  (reg_i.reg_wdata),
    .cdp_o    (cdp),
    .classes_o(classes)
  );

  ////////////////////////
  // Logical processors //
  ////////////////////////

  // The selection of a package is that of logical processor 0. The access in progress is that of logical processor `turn`.
  progress_t                         progress;
  logic [LogicalProcessors-1:0]      ready, selects;
  logic [LogicalProcessors-1:0][3:0] cos, access_cos;

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_processors
    assign selects[i] = (cfg_i.select == SelectPackage) ? (i == 0) : asks[i];

    rdt_binding u_binding (
      .clk_i,
      .rst_ni,
      .settle_i     (cfg_i.settle),
      .association_i(write.association && asks[i]),
      .selection_i  (write.selection && selects[i]),
      .wdata_i      (reg_i.reg_wdata),
      .binding_o    (binding[i])
    );

    rdt_entry u_entry (
      .clk_i,
      .rst_ni,
      .line_i    (cfg_i.line),
      .l2_i      (cfg_i.l2),
      .clear_i   (clear),
      .lp_i      (lp_i[i]),
      .rmid_i    (binding[i].rmid),
      .cos_i     (binding[i].cos),
      .progress_i(progress & {$bits(progress_t){job.turn == 3'(i)}}),
      .ready_o   (ready[i]),
      .access_o  (accesses[i])
    );

    assign cos[i]        = binding[i].cos;
    assign access_cos[i] = accesses[i].cos;
  end

  ////////////
  // Choice //
  ////////////

  logic                         chosen;
  logic [LogicalProcessors-1:0] next, paced, chosen_l3;
  choice_t                      choice;
  logic [Classes-1:0][11:0]     delay;

  for (genvar n = 0; n < int'(Classes); n++) begin : gen_delay
    assign delay[n] = classes[n].delay;
  end

  // One-hot: the logical processor whose access to the L3 cache begins.
  assign chosen_l3 = next & {LogicalProcessors{chosen && !choice.to_l2}};

  rdt_pace #(
    .LogicalProcessors(LogicalProcessors),
    .Classes          (Classes)
  ) u_pace (
    .clk_i,
    .rst_ni,
    .mba_i       (cfg_i.mba),
    .mba_cos_i   (cfg_i.mba_cos),
    .mba_linear_i(cfg_i.mba_linear),
    .mba_scope_i (cfg_i.mba_scope),
    .mba_period_i(cfg_i.mba_period),
    .delay_i     (delay),
    .cos_i       (cos),
    .access_cos_i(access_cos),
    .chosen_i    (chosen_l3),
    .paced_o     (paced),
    .credit_o    (credit)
  );

  rdt_choice #(
    .LogicalProcessors(LogicalProcessors),
    .Classes          (Classes)
  ) u_choice (
    .cfg_i,
    .cdp_i    (cdp),
    .classes_i(classes),
    .power_i  (power),
    .access_i (accesses),
    .paced_i  (paced),
    .turn_i   (job.turn),
    .next_o   (next),
    .choice_o (choice)
  );

  ///////////
  // Steps //
  ///////////

  logic             l2_shrinks, l3_shrinks;
  logic [LineW-1:0] l3_search, l2_search;
  found_t           l3_found, l2_found;
  command_t         l3_command, l2_command;
  count_t           count;

  rdt_walk u_walk (
    .clk_i,
    .rst_ni,
    .l3_ways_i   (cfg_i.l3_ways),
    .l2_ways_i   (cfg_i.l2_ways),
    .wanted_i    (power_i),
    .idle_i      (idle),
    .cleared_i   (cleared),
    .l2_shrinks_o(l2_shrinks),
    .l3_shrinks_o(l3_shrinks),
    .power_o     (power)
  );

  rdt_steps #(
    .LastSet(SetW'(MoreSets - 1))
  ) u_steps (
    .clk_i,
    .rst_ni,
    .l3_sets_i    (cfg_i.l3_sets),
    .l2_i         (cfg_i.l2),
    .l2_sets_i    (cfg_i.l2_sets),
    .write_backs_i(cfg_i.write_backs),
    .choice_i     (choice),
    .l2_shrinks_i (l2_shrinks),
    .l3_shrinks_i (l3_shrinks),
    .l3_found_i   (l3_found),
    .l2_found_i   (l2_found),
    .mem_i,
    .clear_o      (clear),
    .first_o      (first),
    .cleared_o    (cleared),
    .idle_o       (idle),
    .chosen_o     (chosen),
    .l3_search_o  (l3_search),
    .l2_search_o  (l2_search),
    .l3_command_o (l3_command),
    .l2_command_o (l2_command),
    .progress_o   (progress),
    .count_o      (count),
    .job_o        (job)
  );

  rdt_counts #(
    .Rmids(Rmids)
  ) u_counts (
    .clk_i,
    .rst_ni,
    .events_i  (cfg_i.events),
    .max_rmid_i(cfg_i.max_rmid),
    .start_i   (cfg_i.start),
    .count_i   (count),
    .rmid_o    (rmid)
  );

  ////////////
  // Caches //
  ////////////

  rdt_cache #(
    .Sets (L3Sets),
    .Ways (L3Ways),
    .Owned(1'b1)
  ) u_l3 (
    .clk_i,
    .rst_ni,
    .search_i    (l3_search),
    .allowed_i   (job.l3_allowed[L3Ways-1:0]),
    .on_i        (power.l3_on),
    .found_o     (l3_found),
    .command_i   (l3_command),
    .rmid_i      (job.rmid),
    .code_i      (job.code),
    .index_o     (l3_index),
    .written_o   (l3_written),
    .word_o      (l3_word),
    .show_index_i(show_q[L3IndexW-1:0]),
    .show_o      (l3_show)
  );

  rdt_cache #(
    .Sets (L2Sets),
    .Ways (L2Ways),
    .Owned(1'b0)
  ) u_l2 (
    .clk_i,
    .rst_ni,
    .search_i    (l2_search),
    .allowed_i   (job.l2_allowed[L2Ways-1:0]),
    .on_i        (5'(power.l2_on)),
    .found_o     (l2_found),
    .command_i   (l2_command),
    .rmid_i      (5'd0),
    .code_i      (1'b0),
    .index_o     (l2_index),
    .written_o   (l2_written),
    .word_o      (l2_word),
    .show_index_i(show_q[L2IndexW-1:0]),
    .show_o      (l2_show)
  );

  /////////////
  // Outputs //
  /////////////

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_outputs
    assign lp_o[i].req_ready = ready[i];
    assign lp_o[i].done      = accesses[i].done;
    assign lp_o[i].l2_hit    = accesses[i].l2_hit;
    assign lp_o[i].l3_hit    = accesses[i].l3_hit;
  end

  logic             back, request;
  logic [LineW-1:0] mem_line;
  assign back        = job.step == StepWriteBack;
  assign request     = job.step == StepMemRequest;
  assign mem_line    = back ? job.victim : (job.line & {LineW{request}});
  assign mem_req_o   = back || request;
  assign mem_write_o = back || (request && job.write && !job.fills);
  assign mem_addr_o  = AddressW'(mem_line) << cfg_i.line;
  assign mem_rmid_o  = back ? job.victim_rmid : (job.rmid & {5{request}});
  assign mem_cos_o   = job.cos & {4{request}};

  assign l3_on_o   = power.l3_on;
  assign l2_on_o   = power.l2_on;
  assign walking_o = job.walk;

  assign reg_done_o   = answer.reg_done;
  assign reg_result_o = answer.reg_result;
  assign reg_rdata_o  = answer.reg_rdata;

  ///////////
  // Probe //
  ///////////

  rdt_probe #(
    .LogicalProcessors(LogicalProcessors),
    .L3Sets           (L3Sets),
    .L3Ways           (L3Ways),
    .L2Sets           (L2Sets),
    .L2Ways           (L2Ways),
    .Rmids            (Rmids),
    .Classes          (Classes)
  ) u_probe (
    .cdp_i       (cdp),
    .classes_i   (classes),
    .binding_i   (binding),
    .access_i    (accesses),
    .credit_i    (credit),
    .rmid_i      (rmid),
    .job_i       (job),
    .power_i     (power),
    .answer_i    (answer),
    .l3_index_i  (l3_index),
    .l3_written_i(l3_written),
    .l3_word_i   (l3_word),
    .l2_index_i  (l2_index),
    .l2_written_i(l2_written),
    .l2_word_i   (l2_word),
    .clear_i     (clear),
    .show_index_i(show_q),
    .l3_show_i   (l3_show),
    .l2_show_i   (l2_show),
    .state_o
  );

`ifndef SYNTHESIS
  rdt_assert #(
    .LogicalProcessors(LogicalProcessors),
    .L3Sets           (L3Sets),
    .L3Ways           (L3Ways),
    .L2Sets           (L2Sets),
    .L2Ways           (L2Ways),
    .Rmids            (Rmids),
    .Classes          (Classes)
  ) u_assert (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .mem_i,
    .mode_i,
    .reg_i,
    .cdp_i       (cdp),
    .classes_i   (classes),
    .binding_i   (binding),
    .access_i    (accesses),
    .credit_i    (credit),
    .rmid_i      (rmid),
    .job_i       (job),
    .power_i     (power),
    .answer_i    (answer),
    .l3_command_i(l3_command),
    .l2_command_i(l2_command),
    .l3_found_i  (l3_found),
    .l2_found_i  (l2_found),
    .l3_word_i   (l3_word),
    .l2_word_i   (l2_word),
    .l3_written_i(l3_written),
    .l2_written_i(l2_written),
    .count_i     (count),
    .chosen_i    (chosen_l3),
    .paced_i     (paced)
  );
`endif

endmodule
