// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Lanes: compares addresses and accesses of a cycle with the breakpoints, goes through the lanes in program order, and
// finds the first exception. Combinational.
//
// Specification: sections 3.1.1 to 3.1.5 and 4.1. Contract: docs/src/debug/cycle.md, "3. Compare" and "4. Lanes".

module debug_lanes
  import retire_pkg::*;
  import debug_pkg::*;
#(
  // Instructions that can retire in a cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes  = 1,
  // Accesses of a lane that are compared: 1 or 2.
  parameter int unsigned LaneAccesses = 1
) (
  // Straps, constant after reset.
  input  config_t                      cfg_i,

  // Lanes.
  input  lane_t [RetireLanes-1:0]      lanes_i,
  // I/O of lane 0.
  input  io_t                          io_i,
  // Addresses have 64 bits.
  input  logic                         wide_i,
  // CR4.DE.
  input  logic                         de_i,
  // IA32_DEBUGCTL.BTF: single steps at taken branches only.
  input  logic                         btf_i,
  // Address of the instruction in front of which an interruption is taken, or that is asked for.
  input  logic [63:0]                  next_ip_i,
  // `next_ip_i` is compared instead of the address of lane 0.
  input  logic                         next_i,

  // DR0 to DR3.
  input  logic [Breakpoints-1:0][63:0] address_i,
  // DR7.
  input  dr7_t                         dr7_i,
  // Flags before lane 0.
  input  next_flags_t                  flags_i,
  // Held conditions before lane 0.
  input  conditions_t                  held_i,

  // Breakpoints that `next_ip_i` meets; valid with `next_i`.
  output conditions_t                  fetch_o,
  // Breakpoints that the accesses of lane 0 meet, without I/O.
  output conditions_t                  data_o,
  // Flags behind the last accepted lane.
  output next_flags_t                  flags_o,
  // Held conditions behind the last accepted lane.
  output conditions_t                  held_o,
  // An accepted lane switched tasks.
  output logic                         task_o,
  // Cut of the group.
  output cut_t                         cut_o,
  // Exception of the group.
  output raise_t                       raise_o
);

  // Some straps concern other stages.
  logic unused_cfg;
  assign unused_cfg = ^{cfg_i.long_mode, cfg_i.merge_next, cfg_i.status, cfg_i.fault_rf};

  /////////////
  // Compare //
  /////////////

  conditions_t [RetireLanes-1:0] fetch, data;
  conditions_t                   io;

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_compare
    lane_t       lane;
    logic [63:0] ip;
    assign lane = lanes_i[l];
    assign ip   = ((l == 0) && next_i) ? next_ip_i : lane.retired.ip;

    // The next section uses flags, kind and branch of the lane. Its other fields do not matter.
    logic unused_lane;
    assign unused_lane = ^lane;

    debug_compare #(
      .Kind(CompareFetch)
    ) u_fetch (
      .io_gate_i    (cfg_i.io_gate),
      .exec_length_i(cfg_i.exec_length),
      .status_off_i (cfg_i.status_off),
      .address_i,
      .dr7_i,
      .wide_i,
      .de_i,
      .read_i       (1'b0),
      .write_i      (1'b0),
      .addr_i       (ip),
      .size_i       (7'd1),
      .conditions_o (fetch[l])
    );

    conditions_t [LaneAccesses-1:0] accesses;
    for (genvar a = 0; a < int'(LaneAccesses); a++) begin : gen_accesses
      debug_compare #(
        .Kind(CompareData)
      ) u_data (
        .io_gate_i    (cfg_i.io_gate),
        .exec_length_i(cfg_i.exec_length),
        .status_off_i (cfg_i.status_off),
        .address_i,
        .dr7_i,
        .wide_i,
        .de_i,
        .read_i       (lane.accesses[a].read),
        .write_i      (lane.accesses[a].write),
        .addr_i       (lane.accesses[a].addr),
        .size_i       (lane.accesses[a].size),
        .conditions_o (accesses[a])
      );
    end

    always_comb begin
      data[l] = '0;
      for (int unsigned a = 0; a < LaneAccesses; a++) data[l] |= accesses[a];
    end
  end

  debug_compare #(
    .Kind(CompareIo)
  ) u_io (
    .io_gate_i    (cfg_i.io_gate),
    .exec_length_i(cfg_i.exec_length),
    .status_off_i (cfg_i.status_off),
    .address_i,
    .dr7_i,
    .wide_i,
    .de_i,
    .read_i       (1'b0),
    .write_i      (1'b0),
    .addr_i       ({48'd0, io_i.io_port}),
    .size_i       ({4'd0, io_i.io_size}),
    .conditions_o (io)
  );

  // The direction of I/O does not matter.
  logic unused_io;
  assign unused_io = io_i.io_write;

  assign fetch_o = fetch[0];
  assign data_o  = data[0];

  ///////////
  // Lanes //
  ///////////

  // Accesses of a lane, with the I/O of lane 0.
  conditions_t [RetireLanes-1:0] touched;
  // The instruction accesses I/O ports.
  logic [RetireLanes-1:0]        is_io;
  // TF makes this instruction a step.
  logic [RetireLanes-1:0]        step;
  // The instruction is inside a region. The region was aborted.
  logic [RetireLanes-1:0]        in_tx, tx_abort;

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lane
    kind_e kind;
    assign kind        = lanes_i[l].debug.kind;
    assign is_io[l]    = (l == 0) && io_i.io_valid;
    assign touched[l]  = data[l] | (io & {$bits(conditions_t){is_io[l]}});
    assign in_tx[l]    = lanes_i[l].transaction.in_tx && cfg_i.rtm;
    assign tx_abort[l] = lanes_i[l].transaction.tx_abort && cfg_i.rtm;
    assign step[l]     = lanes_i[l].flags.tf && !(kind inside {KindIntN, KindInt3, KindTask}) &&
                         ((kind != KindInt1) || (cfg_i.int1_step == Int1StepReport)) &&
                         (!btf_i || ((lanes_i[l].branch.branch_kind != BranchNone) && lanes_i[l].branch.branch_taken));
  end

  // Values of one lane in its turn. The lane continues a repetition. A breakpoint stops it. It is INT3 in a region.
  logic        continues, stops, int3;
  // The lane is an iteration, and not the last one; it casts a shadow; its fast string group continues; one of both
  // holds its conditions.
  logic        iterates, loads, group, defer;
  // The lane is INT1; BS and BT are reported.
  logic        int1, bs, bt;
  // Number of the iteration in its group.
  logic [5:0]  n;
  // Conditions of the lane, with those held before it.
  conditions_t pend;
  // A lane was cut.
  logic        cut;

  always_comb begin
    flags_o = flags_i;
    held_o  = held_i;
    task_o  = 1'b0;
    cut_o   = '0;
    raise_o = '0;
    cut     = 1'b0;

    continues = 1'b0;
    stops     = 1'b0;
    int3      = 1'b0;
    iterates  = 1'b0;
    loads     = 1'b0;
    group     = 1'b0;
    defer     = 1'b0;
    int1      = 1'b0;
    bs        = 1'b0;
    bt        = 1'b0;
    n         = '0;
    pend      = '0;

    for (int unsigned l = 0; l < RetireLanes; l++) begin
      continues = flags_o.in_rep && (lanes_i[l].flags.rep inside {RepFurther, RepLast});
      stops     = !continues && !flags_o.rf && !flags_o.passed &&
                  !(flags_o.shadow && (cfg_i.ss_fetch == SsFetchSkip)) && (fetch[l].hit != '0);
      int3      = (lanes_i[l].debug.kind == KindInt3) && in_tx[l];

      iterates = lanes_i[l].flags.rep inside {RepFirst, RepFurther};
      loads    = lanes_i[l].flags.ss_load && !(flags_o.shadow && (cfg_i.ss_chain == SsChainFirst));
      n        = (continues && (flags_o.string_n != cfg_i.string_group)) ? flags_o.string_n + 6'd1 : 6'd0;
      group    = iterates && (n != cfg_i.string_group) && !lanes_i[l].flags.tf && !is_io[l];
      defer    = loads || group;

      pend = held_o | touched[l];
      int1 = lanes_i[l].debug.kind == KindInt1;
      bt   = (lanes_i[l].debug.kind == KindTask) && lanes_i[l].debug.t_flag;
      bs   = step[l] && !loads;

      if (lanes_i[l].retired.valid && !cut) begin
        if (tx_abort[l]) begin
          flags_o = '0;
          held_o  = '0;
        end else if (stops || int3) begin
          cut           = 1'b1;
          held_o        = '0;
          cut_o         = '{cut_valid: 1'b1, cut_before: 1'b1, cut_lane: 3'(l)};
          raise_o.valid = 1'b1;
          raise_o.in_tx = in_tx[l];
          raise_o.fault = 1'b1;
          raise_o.b     = (fetch[l].hit | fetch[l].off) & {Breakpoints{stops}};
        end else begin
          held_o           = pend & {$bits(conditions_t){defer}};
          if (lanes_i[l].debug.kind inside {KindIret, KindTask}) flags_o.rf = lanes_i[l].debug.rf_image;
          else if (!iterates || (cfg_i.rep_rf == RepRfSet)) flags_o.rf = 1'b0;
          flags_o.shadow   = loads;
          flags_o.in_rep   = iterates;
          flags_o.passed   = 1'b0;
          flags_o.string_n = n & {6{iterates}};
          task_o           = task_o || (lanes_i[l].debug.kind == KindTask);
          if (int1 || bt || bs || (!defer && (pend.hit != '0))) begin
            cut           = 1'b1;
            cut_o         = '{cut_valid: 1'b1, cut_before: 1'b0, cut_lane: 3'(l)};
            raise_o.valid = 1'b1;
            raise_o.in_tx = in_tx[l];
            raise_o.b     = (pend.hit | pend.off) & {Breakpoints{!defer}};
            raise_o.bs    = bs;
            raise_o.bt    = bt;
          end
        end
      end
    end
  end

endmodule
