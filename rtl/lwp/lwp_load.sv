// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The loads of one lane: which of them count, and what is recorded if the DCache-miss event expires in the lane.
//
// Combinational. A latency comes with the load or from the miss address buffer. With replay the tagged load brings
// its address, and the tag what was known of its first pass.
//
// Specification: Lightweight Profiling Proposal, "DCache misses". Contract: docs/src/lwp/count-gather.md.

module lwp_load
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned LatencyBits = 31
) (
  input  logic                                   buffer_i,
  input  logic                                   replay_i,
  input  criteria_t                              criteria_i,
  input  logic [MabEntries-1:0][LatencyBits-1:0] mab_report_i,
  // Only what replay needs of the tag.
  // verilator lint_off UNUSEDSIGNAL
  input  tag_t                                   tag_i,
  // Bits of a latency from LatencyBits on mean nothing.
  input  load_t [LoadPorts-1:0]                  loads_i,
  // verilator lint_on UNUSEDSIGNAL
  // The lane's first eligible load is not the one to be recorded.
  input  logic                                   second_i,

  // Eligible loads.
  output logic [1:0]                             count_o,
  output logic                                   is_tagged_o,

  // The load to be recorded.
  output logic                                   addr_valid_o,
  output source_e                                source_o,
  output logic [LatencyBits-1:0]                 latency_o,
  output logic [63:0]                            addr_o
);

  logic [LatencyBits-1:0] latency0, latency1;
  logic [1:0]             counted, replayed;

  assign latency0 = buffer_i ? mab_report_i[loads_i[0].latency[2:0]] : loads_i[0].latency[LatencyBits-1:0];
  assign latency1 = buffer_i ? mab_report_i[loads_i[1].latency[2:0]] : loads_i[1].latency[LatencyBits-1:0];

  // A replayed load missed in its first pass, and was not counted then.
  assign replayed = {loads_i[1].is_tagged, loads_i[0].is_tagged} & {2{replay_i}};
  assign counted  = {
    loads_i[1].miss && !replayed[1] && eligible(criteria_i, 28'(latency1[LatencyBits-1:4]), loads_i[1].source),
    loads_i[0].miss && !replayed[0] && eligible(criteria_i, 28'(latency0[LatencyBits-1:4]), loads_i[0].source)
  };

  assign count_o     = 2'(counted[0]) + 2'(counted[1]);
  assign is_tagged_o = replayed != '0;

  // A lane whose first load does not count can only have expired by its second.
  logic port1;
  assign port1 = replay_i ? !replayed[0] : (second_i || !counted[0]);

  assign addr_valid_o = port1 ? loads_i[1].addr_valid : loads_i[0].addr_valid;
  assign addr_o       = port1 ? loads_i[1].addr : loads_i[0].addr;
  assign source_o     = replay_i ? tag_i.source : (port1 ? loads_i[1].source : loads_i[0].source);
  assign latency_o    = replay_i ? tag_i.latency[LatencyBits-1:0] : (port1 ? latency1 : latency0);

endmodule
