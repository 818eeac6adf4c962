/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The units of this project as cycle-accurate models, for test benches: the Lightweight Profiling unit in structs of named
 * fields, as below, and every unit in rows of words ("Any unit, in words").
 *
 *   lwp_config_t cfg;
 *   lwp_inputs_t in = {0};
 *   lwp_outputs_t out;
 *   lwp_model_t *model;
 *
 *   lwp_config_init(&cfg, sizeof cfg);
 *   cfg.retire_lanes = 2;
 *   if (lwp_model_new(&cfg, sizeof cfg, LWP_MODEL_ABI_VERSION, &model) != LWP_OK)
 *     die(lwp_model_last_error());
 *   for (;;) {                                      // one clock cycle
 *     lwp_model_outputs(model, &out, sizeof out);   // what the unit shows in this cycle
 *     ...                                           // decide what it sees: fill in
 *     lwp_model_step(model, &in, sizeof in);        // the clock edge that ends the cycle
 *   }
 *   lwp_model_free(model);
 *
 * The unit is a Moore machine: outputs depend on registers alone, never on the inputs of the same cycle.
 * What each port means: "Ports" in the book, docs/src/lwp/ports.md; fields have the names and the order used there.
 *
 * Every function checks what it is given, changes nothing if it refuses, and says why (lwp_model_last_error). Those that
 * return lwp_status_t answer
 *   LWP_ERR_NULL      to a null pointer,
 *   LWP_ERR_ALIGN     to one that is misaligned for its type,
 *   LWP_ERR_HANDLE    to a model that is none, or is one of another unit than the function's structs,
 *   LWP_ERR_SIZE      to a size other than that of this version's struct or row,
 *   LWP_ERR_INTERNAL  if the model itself fails (a bug; no panic unwinds into the caller),
 * and what their comments add to that.
 *
 * No function can check that a pointer points to as much memory as its size says, nor that a model has not been freed:
 * both are undefined behaviour, as with memcpy and free. A second lwp_model_free often answers LWP_ERR_HANDLE, but need
 * not. A model may move between threads but is used by one at a time; different models know nothing of each other.
 */
#ifndef LWP_MODEL_H
#define LWP_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows with every change to this file that an old caller would notice. */
#define LWP_MODEL_ABI_VERSION 1u

/* What the functions answer. Text for people: lwp_model_last_error(). */
typedef int32_t lwp_status_t;
enum {
  LWP_OK = 0,
  LWP_ERR_NULL = 1,     /* a pointer is null */
  LWP_ERR_SIZE = 2,     /* a size is not that of this version's struct or row */
  LWP_ERR_VERSION = 3,  /* header and library have different ABI versions */
  LWP_ERR_ALIGN = 4,    /* a pointer is not aligned for what it points to */
  LWP_ERR_HANDLE = 5,   /* this is not a model */
  LWP_ERR_BUILD = 6,    /* no model of these sizes, or of this name, is built in */
  LWP_ERR_STRAPS = 7,   /* straps that no hardware may have */
  LWP_ERR_RANGE = 8,    /* a field holds a value that its port cannot carry, a reserved byte is not 0, or there is no such field */
  LWP_ERR_MISMATCH = 9, /* lwp_model_check: the unit differs from the model */
  LWP_ERR_INTERNAL = 10,/* a bug in the model; this model is of no further use, free it */
  LWP_ERR_CAPSULE = 11, /* there is nothing that a failure capsule could hold */
  LWP_ERR_FILE = 12     /* a file cannot be written */
};

/* Sizes and straps, static after reset. Fill it with lwp_config_init, then change what your unit has otherwise.
 * Fields of one bit take 0 or 1; the others the codes of the table "Straps" in the book, in its order. */
typedef struct lwp_config {
  /* Sizes: RetireLanes, EventSlots, LatencyBits of the RTL. These are built in:
   *   1, 2, 4 or 8 lanes with 8 slots and 31 bits (4, 8, 31 is the default);
   *   1, 3, 10;   2, 13, 20;   8, 26, 16. */
  uint8_t retire_lanes;
  uint8_t event_slots;
  uint8_t latency_bits;
  /* Straps. */
  uint8_t present;
  uint8_t avail_ire;
  uint8_t avail_bre;
  uint8_t avail_dme;
  uint8_t avail_int;
  uint8_t latency_filter;
  uint8_t level_filter;
  uint8_t data_source;
  uint8_t gather_policy;   /* 0 one, 1 all */
  uint8_t one_per_instr;
  uint8_t gather_select;   /* 0 lowest slot, 1 rotating, 2 random */
  uint8_t gather_target;   /* 0 same, 1 next */
  uint8_t store_timing;    /* 0 async, 1 sync */
  uint8_t collision;       /* 0 delay, 1 discard */
  uint8_t leave_policy;    /* 0 discard, 1 drain, 2 hold */
  uint8_t fault_policy;    /* 0 trap, 1 fault, 2 trap_pending, 3 nonpaged */
  uint8_t address_policy;  /* 0 same load, 1 next load, 2 replay, 3 none */
  uint8_t address_gate;
  uint8_t latency_source;  /* 0 core, 1 buffer */
  uint8_t latency_step;    /* 0 one cycle, 1 sixteen */
  uint8_t latency_phase;   /* 0 exact, 1 free-running */
  uint8_t prediction;      /* 0 some, 1 all, 2 none */
  uint8_t head_flush;      /* 0 each record, 1 deferred */
  uint8_t tail_reread;     /* 0 each record, 1 lazy */
  uint8_t tail_nth;        /* 1 to 15 */
  uint8_t interval_source; /* 0 cached, 1 read for each record */
  uint8_t missed_mode;     /* 0 memory, 1 cached */
  uint8_t write_on_full;   /* 0 write_slot, 1 skip */
  uint8_t misaligned;      /* 0 #GP, 1 low 4 bits ignored */
  uint8_t flush_outside;   /* 0 sync, 1 skip */
  uint8_t v86;
  uint8_t entropy;         /* 0 LFSR, 1 port */
  uint8_t irq_delay;       /* cycles */
  uint8_t core_id;
  uint8_t reserved[3];     /* 0 */
  uint32_t lfsr_seed;      /* not 0 */
} lwp_config_t;

/* One load of a retiring instruction. */
typedef struct lwp_load {
  uint64_t addr;      /* linear address of the lowest byte that missed */
  uint32_t latency;   /* cycles, 31 bits */
  uint8_t source;     /* LWP_SOURCE_... */
  uint8_t miss;       /* there is a load here that missed the DCache */
  uint8_t addr_valid; /* addr is known */
  uint8_t tagged;     /* address_policy replay: the tagged load, replayed */
} lwp_load_t;

enum { LWP_SOURCE_NONE = 0, LWP_SOURCE_LOCAL_L3 = 1, LWP_SOURCE_REMOTE = 2, LWP_SOURCE_DRAM = 3, LWP_SOURCE_OTHER = 7 };

/* One retiring instruction. */
typedef struct lwp_lane {
  uint64_t ip;               /* linear address */
  uint64_t branch_next;      /* linear address of the instruction executed next */
  lwp_load_t loads[2];       /* in program order */
  uint8_t valid;             /* an instruction retires in this lane */
  uint8_t counts;            /* it contributes to the retired-instruction count */
  uint8_t branch_kind;       /* LWP_BRANCH_... */
  uint8_t branch_taken;
  uint8_t branch_pred_valid; /* branch_pred_ok is known */
  uint8_t branch_pred_ok;
  uint8_t reserved[2];       /* 0 */
} lwp_lane_t;

enum {
  LWP_BRANCH_NONE = 0,
  LWP_BRANCH_JMP = 1,      /* JMP rel */
  LWP_BRANCH_JCC = 2,      /* Jcc, LOOPx, JCXZ */
  LWP_BRANCH_JMP_IND = 3,
  LWP_BRANCH_CALL = 4,     /* CALL rel */
  LWP_BRANCH_CALL_IND = 5,
  LWP_BRANCH_RET = 6,
  LWP_BRANCH_FAR_JMP = 7,
  LWP_BRANCH_FAR_CALL = 8,
  LWP_BRANCH_FAR_RET = 9,
  LWP_BRANCH_SYSTEM = 10   /* never counted */
};

/* What the unit sees in one cycle. All zeros: nothing happens, in ring 0 of real mode. */
typedef struct lwp_inputs {
  /* Mode. */
  uint8_t cpl;           /* 0 to 3 */
  uint8_t smm;
  uint8_t op_mode;       /* LWP_MODE_... */
  /* Retire. */
  uint8_t partial;       /* only the loads of lane 0, whose instruction retires later */
  /* Miss address buffer, replay. */
  uint8_t alloc_valid;
  uint8_t alloc_entry;   /* 0 to 7 */
  uint8_t fill_valid;
  uint8_t fill_entry;    /* 0 to 7 */
  uint8_t fill_source;   /* LWP_SOURCE_... */
  uint8_t replay_abort;
  /* Control. */
  uint8_t ctl_valid;
  uint8_t ctl_op;        /* LWP_OP_...; other codes up to 15 are no operations */
  uint8_t ctl_word;      /* of save and restore, 0 to 15 */
  /* Memory. */
  uint8_t mem_gnt;       /* the request is taken */
  uint8_t mem_rvalid;    /* the response is here */
  uint8_t mem_err;       /* it is a page fault */
  /* Acknowledge. */
  uint8_t pf_ack;
  uint8_t irq_ack;
  uint8_t reserved[6];   /* 0 */
  uint32_t entropy;      /* with the strap entropy = port */
  uint32_t fill_latency; /* cycles, 31 bits */
  uint64_t fill_ip;
  uint64_t ctl_wdata;    /* rAX of LLWPCB, value of a WRMSR or of a restore */
  uint64_t ctl_ds_base;
  uint64_t mem_rdata;    /* the aligned 8 bytes */
  lwp_lane_t lanes[8];   /* lane 0 is the oldest; those above retire_lanes stay all 0 */
} lwp_inputs_t;

enum { LWP_MODE_REAL = 0, LWP_MODE_V86 = 1, LWP_MODE_PROTECTED = 2, LWP_MODE_COMPATIBILITY = 3, LWP_MODE_64 = 4 };

enum {
  LWP_OP_LLWPCB = 0,
  LWP_OP_SLWPCB = 1,
  LWP_OP_READ_MSR0 = 2,
  LWP_OP_WRITE_MSR0 = 3,
  LWP_OP_READ_MSR1 = 4,
  LWP_OP_WRITE_MSR1 = 5,
  LWP_OP_SAVE = 6,
  LWP_OP_RESTORE = 7
};

/* What the unit shows in one cycle. */
typedef struct lwp_outputs {
  /* Retire. */
  uint8_t stall;           /* nothing may retire and no operation is accepted */
  uint8_t cut_valid;
  uint8_t cut_lane;
  uint8_t drain;
  uint8_t flush_req;
  uint8_t addr_track;
  /* Control. */
  uint8_t rsp_valid;       /* the operation is done */
  uint8_t rsp_fault;       /* LWP_FAULT_... */
  uint8_t rsp_fault_write;
  /* Memory. */
  uint8_t mem_req;
  uint8_t mem_cmd;         /* LWP_MEM_... */
  uint8_t mem_be;          /* bytes of the aligned 8 that are meant */
  /* Page fault and interrupt, until acknowledged. */
  uint8_t pf_valid;
  uint8_t pf_write;
  uint8_t pf_abort;
  uint8_t irq;
  uint32_t msr0;           /* CPUID 8000_001C EAX */
  uint32_t reserved;       /* 0 */
  uint64_t rsp_rdata;
  uint64_t rsp_fault_addr;
  uint64_t mem_addr;
  uint64_t mem_wdata;
  uint64_t pf_addr;
} lwp_outputs_t;

enum { LWP_FAULT_NONE = 0, LWP_FAULT_UD = 1, LWP_FAULT_GP = 2, LWP_FAULT_PF = 3 };
enum { LWP_MEM_READ = 0, LWP_MEM_WRITE = 1, LWP_MEM_PROBE = 2 };

/* A model: one unit and all its registers. */
typedef struct lwp_model lwp_model_t;

/* ---- One unit, in named fields ---- */

/* The version that the library was built with: equal to LWP_MODEL_ABI_VERSION, or every lwp_model_new fails. */
uint32_t lwp_model_abi_version(void);

/* Four lanes, eight slots, 31 bits; each strap at the default of the book. */
lwp_status_t lwp_config_init(lwp_config_t *config, size_t size);

/* A unit as it comes out of reset. On failure *model is null. Also: LWP_ERR_VERSION, LWP_ERR_RANGE (a field of the
 * config), LWP_ERR_BUILD (its sizes), LWP_ERR_STRAPS (its straps together). */
lwp_status_t lwp_model_new(const lwp_config_t *config, size_t size, uint32_t abi_version, lwp_model_t **model);

/* Null is fine: nothing happens. The handle must not be used afterwards. */
lwp_status_t lwp_model_free(lwp_model_t *model);

/* Every register back to 0. */
lwp_status_t lwp_model_reset(lwp_model_t *model);

/* The clock edge that ends the present cycle, in which the unit saw these inputs. Also: LWP_ERR_RANGE. */
lwp_status_t lwp_model_step(lwp_model_t *model, const lwp_inputs_t *inputs, size_t size);

/* What the unit shows in the present cycle. */
lwp_status_t lwp_model_outputs(const lwp_model_t *model, lwp_outputs_t *outputs, size_t size);

/* Text of the last failure in this thread, never null; good until the next failure in it. */
const char *lwp_model_last_error(void);

/* ---- All state, in words ----
 *
 * Rows of 32-bit words, laid out as "The flat image" in the book says (docs/src/lwp/flat.md).
 * Counts are in words. A test bench in SystemVerilog comes in here (dpi/lwp_model_pkg.sv). */

#define LWP_STRAP_WORDS 3u
#define LWP_INPUT_WORDS(retire_lanes) (12u + 11u * (retire_lanes))
#define LWP_ROW_WORDS 79u /* outputs (12), then every register (67) */

/* As lwp_model_new, with straps in words; `words` is LWP_STRAP_WORDS. Also: as lwp_model_new. */
lwp_status_t lwp_model_new_words(const uint32_t *straps, uint32_t words, uint32_t retire_lanes, uint32_t event_slots,
                                 uint32_t latency_bits, uint32_t abi_version, lwp_model_t **model);

/* As lwp_model_step, with LWP_INPUT_WORDS(retire_lanes) words. Bit 0 of word 0 is rst_n: if 0, this is lwp_model_reset.
 * Words carry what wires carry, so no value is out of range: bits without a name are ignored. */
lwp_status_t lwp_model_step_words(lwp_model_t *model, const uint32_t *inputs, uint32_t words);

/* Outputs and every register in the present cycle; `words` is LWP_ROW_WORDS. */
lwp_status_t lwp_model_probe(const lwp_model_t *model, uint32_t *row, uint32_t words);

/* The model's straps (LWP_STRAP_WORDS), and inputs with rst_n = 1 (LWP_INPUT_WORDS), in words: for a unit whose ports are
 * those words. The second also: LWP_ERR_RANGE. */
lwp_status_t lwp_model_pack_straps(const lwp_model_t *model, uint32_t *row, uint32_t words);
lwp_status_t lwp_model_pack_inputs(const lwp_model_t *model, const lwp_inputs_t *inputs, size_t size, uint32_t *row,
                                   uint32_t words);

/* Compares a row (LWP_ROW_WORDS) of another unit, such as the RTL, with the model's in the present cycle.
 * Also, if they differ: LWP_ERR_MISMATCH, and lwp_model_last_error() names each field with both values. */
lwp_status_t lwp_model_check(const lwp_model_t *model, const uint32_t *row, uint32_t words);

/* ---- Failure capsules ----
 *
 * What `lwp-sim replay`, `shrink` and `report` take: the straps, the inputs of every cycle since reset, and the failure. Every unit. */

/* Keeps the inputs of every cycle from now on; the model must be in its reset state. It costs time and memory (a copy of what changes
 * in each cycle, up to a gigabyte). Again: what was kept is forgotten. Also: LWP_ERR_CAPSULE (a register has changed since reset). */
lwp_status_t lwp_model_record(lwp_model_t *model);

/* Writes a capsule of a recorded model: another unit shows `row` in the present cycle, and the model does not. `inputs` are those of
 * the present cycle; null and 0 words repeat those of the cycle before. `found_by` names the test bench. No file is overwritten: if
 * `path` exists, the capsule's name gets a number, as in x-2.capsule, and if it is a folder, the capsule is named after unit, build
 * and cycle in it. Also: LWP_ERR_CAPSULE (not recorded, too long, nothing differs, a build that lwp-sim does not have), LWP_ERR_FILE. */
lwp_status_t lwp_model_capsule(const lwp_model_t *model, const char *path, const char *found_by, const uint32_t *row,
                               uint32_t row_words, const uint32_t *inputs, uint32_t input_words);

/* Path of the last capsule that this thread wrote, never null, empty if there is none; good until the next capsule of this thread. */
const char *lwp_model_last_capsule(void);

/* ---- Any unit, in words ----
 *
 * A unit and its build have names, as for `lwp-sim`: "lwp" and "w4", "tsc" and "lp4". Made by name, a model of any unit takes and
 * shows rows of words with the functions above: lwp_model_step_words, lwp_model_probe, lwp_model_pack_straps,
 * lwp_model_check; and lwp_model_reset, lwp_model_free. The counts of words are those of lwp_build_t. Where a field lies in a
 * row, lwp_model_field says; the book has the same tables for each unit ("The flat image", "Rows"). */

/* A build of a unit. Names end with a zero byte. */
typedef struct lwp_build {
  char unit[16];
  char build[16];
  uint32_t strap_words; /* words of the straps */
  uint32_t input_words; /* words of the inputs of a cycle; bit 0 of word 0 is rst_n */
  uint32_t row_words;   /* words of the outputs and every register */
  uint32_t reserved;    /* 0 */
} lwp_build_t;

/* A field of a row. */
typedef struct lwp_field {
  char name[64];     /* as in the unit's contract; ends with a zero byte. Registers begin with "state." */
  uint32_t word;     /* the word that holds its lowest bit */
  uint32_t lsb;      /* its lowest bit in that word */
  uint32_t width;    /* 1 to 64 bits, which may reach into the words that follow */
  uint32_t reserved; /* 0 */
} lwp_field_t;

/* Rows. */
enum { LWP_ROW_STRAPS = 0, LWP_ROW_INPUTS = 1, LWP_ROW_SHOWN = 2 };

/* Build `index` of this library, from 0 on. Also: LWP_ERR_BUILD, which ends the list. */
lwp_status_t lwp_model_build(uint32_t index, lwp_build_t *build, size_t size);

/* A unit as it comes out of reset, with straps in words; null and 0 words are the default straps. On failure *model is null.
 * Also: LWP_ERR_VERSION, LWP_ERR_BUILD (no such unit or build), LWP_ERR_STRAPS (a choice that does not exist, bits without a
 * name, an illegal combination). */
lwp_status_t lwp_model_new_unit(const char *unit, const char *build, const uint32_t *straps, uint32_t words,
                                uint32_t abi_version, lwp_model_t **model);

/* Field `index` of a row (LWP_ROW_...), from 0 on. Also: LWP_ERR_RANGE, which ends the list. */
lwp_status_t lwp_model_field(const lwp_model_t *model, uint32_t row, uint32_t index, lwp_field_t *field, size_t size);

/* The layout is part of the ABI. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define LWP_MODEL_ASSERT(condition) static_assert(condition, #condition)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define LWP_MODEL_ASSERT(condition) _Static_assert(condition, #condition)
#endif
#ifdef LWP_MODEL_ASSERT
LWP_MODEL_ASSERT(sizeof(lwp_config_t) == 44);
LWP_MODEL_ASSERT(sizeof(lwp_load_t) == 16);
LWP_MODEL_ASSERT(sizeof(lwp_lane_t) == 56);
LWP_MODEL_ASSERT(sizeof(lwp_inputs_t) == 512);
LWP_MODEL_ASSERT(sizeof(lwp_outputs_t) == 64);
LWP_MODEL_ASSERT(sizeof(lwp_build_t) == 48);
LWP_MODEL_ASSERT(sizeof(lwp_field_t) == 80);
#undef LWP_MODEL_ASSERT
#endif

#ifdef __cplusplus
}
#endif

#endif /* LWP_MODEL_H */
