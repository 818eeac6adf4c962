/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Driver of the performance counters next to a core with RVFI (docs/src/integration/ibex-perf.md), for a 32-bit core.
 */
#ifndef PERF_H
#define PERF_H

#include <stdint.h>

/* A page of the register requests. */
struct perf_request {
  volatile uint32_t start, unused, number, result, wdata[2], rdata[2];
};
#define PERF_USER ((struct perf_request *)0x40000000)
#define PERF_KERNEL ((struct perf_request *)0x40001000)
enum { PERF_RDMSR = 0, PERF_WRMSR = 1, PERF_RDPMC = 4 };
enum { PERF_DONE = 0, PERF_GP = 2, PERF_NOT_MINE = 4 };

/* The interrupt, and the entry of the local APIC. */
struct perf_apic {
  volatile uint32_t status, ack, lvt;
};
#define PERF_APIC ((struct perf_apic *)0x40002000)
enum { PERF_PENDING = 1, PERF_LVT_MASK = 1 << 16 };

enum {
  PERF_COUNTER = 0xC1,
  PERF_SELECT = 0x186,
  PERF_FIXED = 0x309,
  PERF_FIXED_CONTROL = 0x38D,
  PERF_GLOBAL_STATUS = 0x38E,
  PERF_GLOBAL_CONTROL = 0x38F,
  PERF_GLOBAL_CLEAR = 0x390
};
/* ECX of RDPMC for a fixed counter. */
#define PERF_PMC_FIXED (1u << 30)

/* perf driver: from here */
/* Makes a request, and returns its result. */
static inline unsigned perf_do(struct perf_request *page, unsigned operation, uint32_t number) {
  page->number = number;
  page->start = operation;
  return page->result;
}

/* Writes an MSR; bits 63:32 are `high`. Returns the result. */
static inline unsigned perf_write(uint32_t number, uint32_t low, uint32_t high) {
  PERF_KERNEL->wdata[0] = low;
  PERF_KERNEL->wdata[1] = high;
  return perf_do(PERF_KERNEL, PERF_WRMSR, number);
}

/* Reads an MSR or a counter. Returns the result. */
static inline unsigned perf_read(unsigned operation, uint32_t number, uint64_t *value) {
  unsigned result = perf_do(PERF_KERNEL, operation, number);
  *value = PERF_KERNEL->rdata[0] | (uint64_t)PERF_KERNEL->rdata[1] << 32;
  return result;
}
/* perf driver: to here */

#endif
