// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types of the wires between the stages of the Lightweight Profiling unit, and functions that several stages use.
//
// Contract: docs/src/lwp/README.md, "The shape".

package lwp_stage_pkg;

  import lwp_pkg::*;

  // Access that a state machine wants from the memory port.
  typedef struct packed {
    // Command: read, write or write probe.
    mem_cmd_e    cmd;
    // Bytes of the aligned 8 that are accessed.
    logic [7:0]  be;
    // Linear address, low 3 bits 0.
    logic [63:0] addr;
    // Data to write; 0 if the access is not a write.
    logic [63:0] wdata;
  } access_t;

  // Filters that a load must pass to be counted.
  typedef struct packed {
    // Every latency passes.
    logic        any_latency;
    // Every source of data passes.
    logic        any_level;
    // Lowest latency that passes, in steps of 16 cycles.
    logic [27:0] min_steps;
    // Per source of data: the source passes.
    logic [7:0]  level_ok;
  } criteria_t;

  // Changes of the session by the control state machine at the end of this cycle.
  typedef struct packed {
    // LWPMSR0 is written.
    logic wrmsr0;
    // All records are dropped.
    logic forget;
    // The session is dropped.
    logic drop;
    // The session ends, and another pointer takes its place.
    logic switch_to;
    // The session has been flushed: only its block in memory contains it.
    logic unload;
    // A word of the block being loaded is valid in this cycle.
    logic load;
    // The load ends: the session becomes active if it is good.
    logic commit;
    // The load of the old block ends after a fault on the new one: its session is active again.
    logic back;
    // MissedEvents in memory is up to date.
    logic flushed;
  } ctl_act_t;

  // Context word that is restored at the end of this cycle, one-hot, and whether the old thread's state is cleared.
  typedef struct packed {
    // The state of the old thread is cleared.
    logic clear;
    // Word 0: LWPCB pointer.
    logic pointer;
    // Word 1: head, `missed`, `reload`, `pending`.
    logic ring;
    // Word 2: counters of events 1 and 2.
    logic counters;
    // Word 3: counter of event 3, `tail_skip`, `rotate`.
    logic counter;
    // Word 4: EventId, flags and data of records[0].
    logic rec_first;
    // Word 5: `ip` of records[0].
    logic rec_ip;
    // Word 6: `addr` of records[0].
    logic rec_addr;
    // Word 8: LWPMSR0 and the threshold interrupt.
    logic msr0;
    // Word 9: LFSR.
    logic lfsr;
  } restore_t;

  // Slot of the block being loaded.
  typedef struct packed {
    // Per event: the slot selects the event.
    logic [NumEvents-1:0] selects;
    // A restored session is reloaded: keep the counter.
    logic                 keep;
    // Number of the slot.
    logic [4:0]           slot;
    // EventInterval of the slot.
    logic [CounterW-1:0]  interval;
    // EventCounter of the slot.
    logic [CounterW-1:0]  counter;
  } slot_load_t;

  // Reload of a counter whose record leaves the queue: new counter = (interval & keep) | bits.
  typedef struct packed {
    // One-hot: the event whose counter is reloaded; 0 if there is none.
    logic [NumEvents-1:0] valid;
    // Bits of the interval that are kept.
    logic [CounterW-1:0]  keep;
    // Random bits in place of the others.
    logic [CounterW-1:0]  bits;
  } reload_t;

  // Returns `addr`, truncated to 32 bits outside 64-bit mode.
  function automatic logic [63:0] mode_addr(logic mode64, logic [63:0] addr);
    return {addr[63:32] & {32{mode64}}, addr[31:0]};
  endfunction

  // Returns whether a load passes both filters. `steps` is its latency in steps of 16 cycles.
  function automatic logic eligible(criteria_t criteria, logic [27:0] steps, source_e source);
    return (criteria.any_latency || (steps >= criteria.min_steps)) &&
           (criteria.any_level || criteria.level_ok[source]);
  endfunction

  // Returns the bytes used in a ring of `size` bytes.
  function automatic logic [27:0] ring_used(logic [27:0] head, logic [27:0] tail, logic [27:0] size);
    return (head - tail) + ((head < tail) ? size : 28'd0);
  endfunction

  // Returns whether `id` is the EventId of the event with index `e`.
  function automatic logic is_event(event_id_e id, int unsigned e);
    return 32'(id) == (e + 1);
  endfunction

  // Returns the lowest bit that is 1, one-hot; 0 if there is none.
  function automatic logic [7:0] lowest(logic [7:0] bits);
    return bits & (~bits + 8'd1);
  endfunction

endpackage
