// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types of the wires between the stages of Resource Director Technology, and functions that several stages use.
//
// Contract: docs/src/rdt/cycle.md.

package rdt_stage_pkg;

  import rdt_pkg::*;

  // Registers of a logical processor that WRMSR writes.
  typedef struct packed {
    logic [4:0]  rmid;
    logic [3:0]  cos;
    logic [7:0]  event_id;
    logic [11:0] event_rmid;
    logic [7:0]  settle;
  } binding_t;

  // The access of a logical processor.
  typedef struct packed {
    logic [1:0]       stage;
    logic             write;
    logic             code;
    logic [LineW-1:0] line;
    logic [4:0]       rmid;
    logic [3:0]       cos;
    logic             done;
    logic             l2_hit;
    logic             l3_hit;
  } entry_t;

  // The access that is chosen, if one is ready.
  typedef struct packed {
    logic             valid;
    logic [2:0]       turn;
    logic             to_l2;
    logic [4:0]       rmid;
    logic [3:0]       cos;
    logic             write;
    logic             code;
    logic [LineW-1:0] line;
    logic [15:0]      l3_allowed;
    logic [7:0]       l2_allowed;
  } choice_t;

  // The way of a word that a command changes.
  typedef enum logic [1:0] {
    // The way that holds the line.
    TargetHit    = 2'd0,
    // The way that a fill takes.
    TargetVictim = 2'd1,
    // The lowest valid way without power.
    TargetOff    = 2'd2,
    // The way `way`.
    TargetWay    = 2'd3
  } target_e;

  // What a step does with a cache.
  typedef struct packed {
    // The set `set_index` is cleared.
    logic            clear;
    // The set `set_index` is read.
    logic            read;
    logic [SetW-1:0] set_index;
    // The word is written to the set it came from, with the way `target` changed.
    logic            write;
    target_e         target;
    logic [3:0]      way;
    // The way is used.
    logic            touch;
    // The way is emptied.
    logic            empty;
    // The way is filled.
    logic            fill;
    // The line becomes dirty; of a fill: is dirty.
    logic            dirty;
  } command_t;

  // What a word holds.
  typedef struct packed {
    // The line is there, and whether it is dirty.
    logic       hit;
    logic       hit_dirty;
    // The way that a fill takes, and what it holds.
    logic [3:0] victim_way;
    l3_line_t   victim;
    // A way without power is valid; the lowest of them, and what it holds.
    logic       off;
    logic [3:0] off_way;
    l3_line_t   off_line;
  } found_t;

  // What a step does to the access in progress.
  typedef struct packed {
    // It ends, and which cache it hit.
    logic ends;
    logic l2_hit;
    logic l3_hit;
    // It missed the L2 cache and waits for the L3 cache.
    logic misses;
  } progress_t;

  // What a step does to the counters.
  typedef struct packed {
    // All bandwidth counters get their start value.
    logic       start;
    // A line moves between the L3 cache and memory, perhaps of this package.
    logic       charge;
    logic       charge_local;
    // A line enters or leaves the L3 cache.
    logic       enter;
    logic       leave;
    // The RMID of the line that moves, enters or leaves.
    logic [4:0] rmid;
  } count_t;

  // The register that WRMSR writes in this cycle; at most one.
  typedef struct packed {
    logic                  l3_cdp;
    logic                  l2_cdp;
    logic                  selection;
    logic                  association;
    logic [MaxClasses-1:0] l3_mask;
    logic [MaxClasses-1:0] l2_mask;
    logic [MaxClasses-1:0] delay;
  } write_t;

  // Whether a resource has a class of service, given its last class, and whether its classes have two masks.
  function automatic logic has_class(logic exists, logic cdp, logic [3:0] last, logic [3:0] cos);
    logic [4:0] half;
    half = (5'(last) + 5'd1) >> 1;
    return exists && (cdp ? (5'(cos) < half) : (cos <= last));
  endfunction

  // The set of a line, given its lowest bits and the logarithm of the number of sets.
  function automatic logic [SetW-1:0] set_of(logic [SetW-1:0] line, logic [3:0] sets);
    return line & ~({SetW{1'b1}} << sets);
  endfunction

  // The ways from 0 on, as many as `count`.
  function automatic logic [15:0] first_ways(logic [4:0] count);
    return ~(16'hFFFF << count);
  endfunction

endpackage
