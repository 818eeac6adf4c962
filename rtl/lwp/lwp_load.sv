// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Load: finds the eligible loads of one lane, and the load to be recorded if event 3 expires in the lane.
// Combinational.
//
// A latency comes with the load or from the miss address buffer. With replay the address comes from the tagged load,
// and latency and source come from the tag.
//
// Specification: Lightweight Profiling Proposal, "DCache misses". Contract: docs/src/lwp/count-gather.md.

module lwp_load
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  // Width of a reported latency (CPUID LWPCacheMax): 10 to 31.
  parameter int unsigned LatencyBits = 31
) (
  // Strap `latency_source` = buffer: the unit measures latencies.
  input  logic                                   buffer_i,
  // Strap `address_policy` = replay: a load is replayed for its address.
  input  logic                                   replay_i,
  // Filters that a load must pass to be counted.
  input  criteria_t                              criteria_i,
  // Per entry of the miss address buffer: latency that it reports, in cycles.
  input  logic [MabEntries-1:0][LatencyBits-1:0] mab_report_i,
  // Only source and latency of the tag are used; bits of a latency from LatencyBits on are ignored.
  // verilator lint_off UNUSEDSIGNAL
  // Tag: the load that is being replayed for its address.
  input  tag_t                                   tag_i,
  // Loads of the lane, in program order.
  input  load_t [LoadPorts-1:0]                  loads_i,
  // verilator lint_on UNUSEDSIGNAL
  // The first eligible load of the lane is not the one to be recorded.
  input  logic                                   second_i,

  // Number of eligible loads in the lane.
  output logic [1:0]                             count_o,
  // The lane carries the replay of the tagged load.
  output logic                                   is_tagged_o,

  // The address of the load to be recorded is known.
  output logic                                   addr_valid_o,
  // Source of the data of the load to be recorded.
  output source_e                                source_o,
  // Latency in cycles of the load to be recorded.
  output logic [LatencyBits-1:0]                 latency_o,
  // Linear address of the data of the load to be recorded.
  output logic [63:0]                            addr_o
);

  logic [LatencyBits-1:0] latency0, latency1;
  logic [1:0]             counted, replayed;

  assign latency0 = buffer_i ? mab_report_i[loads_i[0].latency[2:0]] : loads_i[0].latency[LatencyBits-1:0];
  assign latency1 = buffer_i ? mab_report_i[loads_i[1].latency[2:0]] : loads_i[1].latency[LatencyBits-1:0];

  // The replay of the tagged load is not counted as a miss.
  assign replayed = {loads_i[1].is_tagged, loads_i[0].is_tagged} & {2{replay_i}};
  assign counted  = {
    loads_i[1].miss && !replayed[1] && eligible(criteria_i, 28'(latency1[LatencyBits-1:4]), loads_i[1].source),
    loads_i[0].miss && !replayed[0] && eligible(criteria_i, 28'(latency0[LatencyBits-1:4]), loads_i[0].source)
  };

  assign count_o     = 2'(counted[0]) + 2'(counted[1]);
  assign is_tagged_o = replayed != '0;

  // The load on port 1 is recorded. If the first load is not eligible, only the second can expire the event.
  logic port1;
  assign port1 = replay_i ? !replayed[0] : (second_i || !counted[0]);

  assign addr_valid_o = port1 ? loads_i[1].addr_valid : loads_i[0].addr_valid;
  assign addr_o       = port1 ? loads_i[1].addr : loads_i[0].addr;
  assign source_o     = replay_i ? tag_i.source : (port1 ? loads_i[1].source : loads_i[0].source);
  assign latency_o    = replay_i ? tag_i.latency[LatencyBits-1:0] : (port1 ? latency1 : latency0);

endmodule
