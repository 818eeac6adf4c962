// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the stages of the Lightweight Profiling unit tell one another within a cycle, and functions that several of them use.
//
// Contract: docs/src/lwp/README.md, "The shape".

package lwp_stage_pkg;

  import lwp_pkg::*;

  // What a state machine wants from the memory port.
  typedef struct packed {
    mem_cmd_e    cmd;
    logic [7:0]  be;
    logic [63:0] addr;
    logic [63:0] wdata;
  } access_t;

  // What a load must bring to be counted.
  typedef struct packed {
    logic        any_latency;
    logic        any_level;
    logic [27:0] min_steps;   // in steps of 16 cycles
    logic [7:0]  level_ok;    // by source
  } criteria_t;

  // What the control machine does to the session at the end of this cycle.
  typedef struct packed {
    logic wrmsr0;
    logic forget;    // the records
    logic drop;      // the session
    logic switch_to; // another pointer
    logic unload;    // the session went back to its block
    logic load;      // a word of the new block is here
    logic commit;
    logic back;      // the session that was flushed is here again
    logic flushed;   // MissedEvents in memory is up to date
  } ctl_act_t;

  // A word of the context that is written at the end of this cycle.
  typedef struct packed {
    logic clear;     // what another thread left
    logic pointer;   // word 0
    logic ring;      // word 1
    logic counters;  // word 2
    logic counter;   // word 3
    logic rec_first; // word 4
    logic rec_ip;    // word 5
    logic rec_addr;  // word 6
    logic msr0;      // word 8
    logic lfsr;      // word 9
  } restore_t;

  // A slot of the block that selects an event; a reload keeps the counter.
  typedef struct packed {
    logic [NumEvents-1:0] selects;
    logic                 keep;
    logic [4:0]           slot;
    logic [CounterW-1:0]  interval;
    logic [CounterW-1:0]  counter;
  } slot_load_t;

  // An event starts over: the interval's bits under keep, and these.
  typedef struct packed {
    logic [NumEvents-1:0] valid;
    logic [CounterW-1:0]  keep;
    logic [CounterW-1:0]  bits;
  } reload_t;

  // Outside 64-bit mode addresses are 32 bits wide.
  function automatic logic [63:0] mode_addr(logic mode64, logic [63:0] addr);
    return {addr[63:32] & {32{mode64}}, addr[31:0]};
  endfunction

  // A load counts if it passes both filters.
  function automatic logic eligible(criteria_t criteria, logic [27:0] steps, source_e source);
    return (criteria.any_latency || (steps >= criteria.min_steps)) &&
           (criteria.any_level || criteria.level_ok[source]);
  endfunction

  // Bytes between two offsets of the ring.
  function automatic logic [27:0] ring_used(logic [27:0] head, logic [27:0] tail, logic [27:0] size);
    return (head - tail) + ((head < tail) ? size : 28'd0);
  endfunction

  function automatic logic is_event(event_id_e id, int unsigned e);
    return 32'(id) == (e + 1);
  endfunction

  // A 1 in the lowest place that has one.
  function automatic logic [7:0] lowest(logic [7:0] bits);
    return bits & (~bits + 8'd1);
  endfunction

endpackage
