// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Event qualification of an Itanium processor: four counters that count an event only if its instruction address, opcode,
// data address, unit mask, privilege level, process and instruction set are monitored, and monitoring is not frozen.
//
// The unit is a Moore machine with one clock: every output is a register. Reset is asynchronous: nothing is constrained
// and monitoring is frozen.
//
// Specification: section 6.1.3 of the processor's reference manual. Contract: docs/src/itanium/.

module itanium
  import itanium_pkg::*;
  import itanium_stage_pkg::*;
#(
  // Bundles that can be fetched, issued and retired in a cycle: 1, 2.
  parameter int unsigned Bundles    = 1,
  // Bundles in flight whose tags are kept: 4, 8, 16.
  parameter int unsigned TagEntries = 4
) (
  // Clock: all registers change at its rising edge.
  input  logic                  clk_i,
  // Asynchronous reset, active low.
  input  logic                  rst_ni,

  // Straps, constant after reset.
  input  config_t               cfg_i,

  // A small table uses the lowest bits of `id` alone.
  // verilator lint_off UNUSEDSIGNAL
  // Per bundle: it is fetched; entry, address and privilege level.
  input  fetch_t [Bundles-1:0]  fetch_i,
  // Per bundle: its first instruction is issued; entry and encoding.
  input  issue_t [Bundles-1:0]  issue_i,
  // Per bundle: instructions of it retire; entry and slots.
  input  retire_t [Bundles-1:0] retire_i,
  // verilator lint_on UNUSEDSIGNAL
  // IA-32 instructions that retire.
  input  logic [1:0]            ia32_i,
  // verilator lint_off UNUSEDSIGNAL
  // Per memory record: events of one memory access; entry and slot of its instruction, address.
  input  mem_t [MemPorts-1:0]   mem_i,
  // verilator lint_on UNUSEDSIGNAL
  // A period of the core's clock begins in this cycle.
  input  logic                  core_clock_i,
  // PSR.cpl: privilege level of what retires, of memory records and of a request.
  input  logic [1:0]            cpl_i,
  // PSR.is: IA-32 code runs.
  input  logic                  psr_is_i,
  // An interruption is delivered; what retires in this cycle is ignored, and no request is made.
  input  logic                  int_valid_i,
  // The performance monitor interrupt is taken.
  input  logic                  irq_ack_i,
  // Register request; accepted in every cycle without `int_valid_i`.
  input  reg_request_t          reg_i,

  // A performance monitor interrupt is requested, until it is acknowledged.
  output logic                  irq_o,
  // Bit c: PMD[4 + c] overflowed in the last cycle, and PMC[4 + c].ev is 1. A pulse.
  output logic [Counters-1:0]   pin_o,
  // PSR.up, bit 2 of the PSR.
  output logic                  psr_up_o,
  // PSR.sp, bit 20 of the PSR.
  output logic                  psr_sp_o,
  // PSR.pp, bit 21 of the PSR.
  output logic                  psr_pp_o,
  // Events of the last cycle may be captured by the instruction event address registers.
  output logic                  iear_on_o,
  // Events of the last cycle may be captured by the data event address registers.
  output logic                  dear_on_o,
  // Branches of the last cycle may be recorded by the branch trace buffer.
  output logic                  btb_on_o,
  // The request of the last cycle is answered.
  output logic                  reg_done_o,
  // Result: 0 done, 4 not mine, 6 Privileged Operation fault, 7 Reserved Register/Field fault; 0 without `reg_done_o`.
  output logic [2:0]            reg_result_o,
  // What a mov from a register file reads; 0 unless such a request is done.
  output logic [63:0]           reg_rdata_o,

  // All registers of the unit, for verification. Leave the port open in a product. Waves show the registers in the modules
  // that hold them.
  // verilator tracing_off
  output state_t                state_o
  // verilator tracing_on
);

  if ((Bundles != 1) && (Bundles != 2)) begin : gen_bad_bundles
    $error("Bundles must be 1 or 2");
  end
  if ((TagEntries != 4) && (TagEntries != 8) && (TagEntries != 16)) begin : gen_bad_entries
    $error("TagEntries must be 4, 8 or 16");
  end

  localparam int unsigned EntryW = $clog2(TagEntries);

  ///////////////
  // Registers //
  ///////////////

  status_t                 status;
  freeze_t                 freeze;
  counter_t [Counters-1:0] counter;
  matcher_t [Matchers-1:0] matcher;
  pmc10_t                  pmc10;
  pmc11_t                  pmc11;
  pmc12_t                  pmc12;
  pmc13_t                  pmc13;
  ibr_t [Pairs-1:0]        ibr;
  dbr_t [Pairs-1:0]        dbr;
  tag_t [TagEntries-1:0]   tag;
  ear_t                    ear;
  answer_t                 answer;

  write_t write;

  itanium_request u_request (
    .clk_i,
    .rst_ni,
    .reg_i,
    .int_valid_i,
    .cpl_i,
    .sp_i      (status.sp),
    .dcr_pp_i  (status.dcr_pp),
    .fr_i      (freeze.fr),
    .overflow_i(freeze.overflow),
    .counter_i (counter),
    .matcher_i (matcher),
    .pmc10_i   (pmc10),
    .pmc11_i   (pmc11),
    .pmc12_i   (pmc12),
    .pmc13_i   (pmc13),
    .ibr_i     (ibr),
    .dbr_i     (dbr),
    .write_o   (write),
    .answer_o  (answer)
  );

  itanium_registers u_registers (
    .clk_i,
    .rst_ni,
    .write_i  (write),
    .wdata_i  (reg_i.reg_wdata),
    .matcher_o(matcher),
    .pmc10_o  (pmc10),
    .pmc11_o  (pmc11),
    .pmc12_o  (pmc12),
    .pmc13_o  (pmc13),
    .ibr_o    (ibr),
    .dbr_o    (dbr)
  );

  itanium_status u_status (
    .clk_i,
    .rst_ni,
    .up_on_interruption_i(cfg_i.up_on_interruption),
    .int_valid_i,
    .write_i             (write),
    .wdata_i             (reg_i.reg_wdata),
    .status_o            (status)
  );

  //////////
  // Tags //
  //////////

  logic [Bundles-1:0]             fetches, issues, range, issue_range;
  logic [Bundles-1:0][EntryW-1:0] fetch_id, issue_id, retire_id;
  logic [Bundles-1:0][Slots-1:0]  issue_pmc8, issue_pmc9, retire_pmc8, retire_pmc9;
  bundle_t [Bundles-1:0]          bundle;

  for (genvar b = 0; b < int'(Bundles); b++) begin : gen_bundles
    assign fetches[b]   = fetch_i[b].valid && !psr_is_i;
    assign fetch_id[b]  = fetch_i[b].id[EntryW-1:0];
    assign issues[b]    = issue_i[b].valid && !psr_is_i;
    assign issue_id[b]  = issue_i[b].id[EntryW-1:0];
    assign retire_id[b] = retire_i[b].id[EntryW-1:0];

    itanium_range u_range (
      .ta_i   (pmc13.ta),
      .ibr_i  (ibr),
      .addr_i (fetch_i[b].addr),
      .cpl_i  (fetch_i[b].cpl),
      .range_o(range[b])
    );

    itanium_opcode u_opcode (
      .matcher_i (matcher),
      .range_i   (issue_range[b]),
      .template_i(issue_i[b].template_code),
      .slot_i    ({issue_i[b].slot2, issue_i[b].slot1, issue_i[b].slot0}),
      .pmc8_o    (issue_pmc8[b]),
      .pmc9_o    (issue_pmc9[b])
    );

    assign bundle[b].retires = retire_i[b].slots & {Slots{retire_i[b].valid && !psr_is_i && !int_valid_i}};
    assign bundle[b].off     = retire_i[b].off;
    assign bundle[b].branch  = retire_i[b].branch;
    assign bundle[b].taken   = retire_i[b].taken;
    assign bundle[b].pmc8    = retire_pmc8[b];
    assign bundle[b].pmc9    = retire_pmc9[b];
  end

  logic [MemPorts-1:0][EntryW-1:0] mem_id;
  logic [MemPorts-1:0][1:0]        mem_slot;
  logic [MemPorts-1:0]             mem_pmc8;
  record_t [MemPorts-1:0]          record;

  itanium_tags #(
    .Bundles   (Bundles),
    .TagEntries(TagEntries)
  ) u_tags (
    .clk_i,
    .rst_ni,
    .fetch_i      (fetches),
    .fetch_id_i   (fetch_id),
    .range_i      (range),
    .issue_i      (issues),
    .issue_id_i   (issue_id),
    .pmc8_i       (issue_pmc8),
    .pmc9_i       (issue_pmc9),
    .retire_id_i  (retire_id),
    .mem_id_i     (mem_id),
    .mem_slot_i   (mem_slot),
    .issue_range_o(issue_range),
    .retire_pmc8_o(retire_pmc8),
    .retire_pmc9_o(retire_pmc9),
    .mem_pmc8_o   (mem_pmc8),
    .tag_o        (tag)
  );

  for (genvar p = 0; p < int'(MemPorts); p++) begin : gen_records
    logic    in_range;
    record_t events;
    assign mem_id[p]   = mem_i[p].id[EntryW-1:0];
    assign mem_slot[p] = mem_i[p].slot;

    itanium_data u_data (
      .pt_i    (pmc11.pt),
      .dbr_i   (dbr),
      .psr_is_i,
      .cpl_i,
      .addr_i  (mem_i[p].addr),
      .passes_o(in_range)
    );

    assign events = {mem_i[p].read, mem_i[p].write, mem_i[p].l1d_read, mem_i[p].l1d_miss, mem_i[p].l2_read,
                     mem_i[p].l2_write, mem_i[p].l2_miss, mem_i[p].dtc_miss, mem_i[p].dtlb_miss};

    // While IA-32 code runs, Tag(PMC[8]) is off and passes.
    assign record[p] = events & {$bits(record_t){mem_i[p].valid && in_range && (psr_is_i || mem_pmc8[p])}};
  end

  //////////////
  // Counters //
  //////////////

  logic [1:0] ia32;
  assign ia32 = ia32_i & {2{psr_is_i && !int_valid_i}};

  logic [Counters-1:0] over, oi;

  for (genvar c = 0; c < int'(Counters); c++) begin : gen_counters
    logic [2:0] n;
    logic       on;

    itanium_select #(
      .Bundles(Bundles)
    ) u_select (
      .es_i    (counter[c].es),
      .umask_i (counter[c].umask),
      .bundle_i(bundle),
      .record_i(record),
      .ia32_i  (ia32),
      .core_clock_i,
      .n_o     (n)
    );

    itanium_monitor u_monitor (
      .ism_order_i(cfg_i.ism_order),
      .fr_i       (freeze.fr),
      .up_i       (status.up),
      .pp_i       (status.pp),
      .cpl_i,
      .psr_is_i,
      .plm_i      (counter[c].plm),
      .pm_i       (counter[c].pm),
      .ism_i      (counter[c].ism),
      .on_o       (on)
    );

    itanium_counter #(
      .ThresholdW((c < 2) ? 3 : 2)
    ) u_counter (
      .clk_i,
      .rst_ni,
      .n_i        (n),
      .on_i       (on),
      .write_pmc_i(write.pmc[c]),
      .write_pmd_i(write.pmd[c]),
      .wdata_i    (reg_i.reg_wdata),
      .over_o     (over[c]),
      .counter_o  (counter[c])
    );

    assign oi[c]    = counter[c].oi;
    assign pin_o[c] = counter[c].pin;
  end

  itanium_freeze u_freeze (
    .clk_i,
    .rst_ni,
    .always_i  (cfg_i.freeze_always),
    .over_i    (over),
    .oi_i      (oi),
    .irq_ack_i,
    .write_i   (write.pmc0),
    .fr_i      (reg_i.reg_wdata[0]),
    .overflow_i(reg_i.reg_wdata[7:4]),
    .freeze_o  (freeze)
  );

  itanium_ear u_ear (
    .clk_i,
    .rst_ni,
    .ism_order_i(cfg_i.ism_order),
    .fr_i       (freeze.fr),
    .up_i       (status.up),
    .pp_i       (status.pp),
    .cpl_i,
    .psr_is_i,
    .pmc10_i    (pmc10),
    .pmc11_i    (pmc11),
    .pmc12_i    (pmc12),
    .ear_o      (ear)
  );

  /////////////
  // Outputs //
  /////////////

  assign irq_o        = freeze.irq;
  assign psr_up_o     = status.up;
  assign psr_sp_o     = status.sp;
  assign psr_pp_o     = status.pp;
  assign iear_on_o    = ear.iear_on;
  assign dear_on_o    = ear.dear_on;
  assign btb_on_o     = ear.btb_on;
  assign reg_done_o   = answer.reg_done;
  assign reg_result_o = answer.reg_result;
  assign reg_rdata_o  = answer.reg_rdata;

  ///////////
  // Probe //
  ///////////

  always_comb begin
    state_o                     = '0;
    state_o.status              = status;
    state_o.freeze              = freeze;
    state_o.counter             = counter;
    state_o.matcher             = matcher;
    state_o.pmc10               = pmc10;
    state_o.pmc11               = pmc11;
    state_o.pmc12               = pmc12;
    state_o.pmc13               = pmc13;
    state_o.ibr                 = ibr;
    state_o.dbr                 = dbr;
    state_o.tag[TagEntries-1:0] = tag;
    state_o.ear                 = ear;
    state_o.answer              = answer;
  end

`ifndef SYNTHESIS
  itanium_assert #(
    .TagEntries(TagEntries)
  ) u_assert (
    .clk_i,
    .counter_i(counter),
    .tag_i    (tag),
    .answer_i (answer)
  );

  itanium_assert_step #(
    .Bundles   (Bundles),
    .TagEntries(TagEntries)
  ) u_assert_step (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .fetch_i,
    .issue_i,
    .core_clock_i,
    .cpl_i,
    .psr_is_i,
    .int_valid_i,
    .irq_ack_i,
    .reg_i,
    .status_i (status),
    .freeze_i (freeze),
    .counter_i(counter),
    .matcher_i(matcher),
    .pmc10_i  (pmc10),
    .pmc11_i  (pmc11),
    .pmc12_i  (pmc12),
    .pmc13_i  (pmc13),
    .ibr_i    (ibr),
    .dbr_i    (dbr),
    .tag_i    (tag),
    .ear_i    (ear),
    .answer_i (answer)
  );
`endif

endmodule
