/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Driver of the LWP unit behind its memory-mapped control port (docs/src/integration/rvfi-top.md), for a 32-bit core.
 *
 * A kernel calls lwp_enable, fills a block with lwp_init and lwp_event, and starts it with lwp_start on LWP_KERNEL: the
 * session begins when the core next enters user mode. A program does the last two steps itself on LWP_USER. Records
 * are taken with lwp_pop until it returns 0: the threshold interrupt is an edge, so records that arrive during the
 * handler raise no further one.
 */
#ifndef LWP_H
#define LWP_H

#include <stdint.h>

/* Registers of a page of the control port. */
struct lwp_page {
  volatile uint32_t start, post, status, fault, operand[2], result[2], fault_addr[2], msr0, sizes, pf_addr[2], ack;
};

/* The control block (LWPCB): size_random has the bytes of the ring in bits 27:0, interval_id of an event its interval in
 * bits 25:0 and its number in bits 31:26. The unit writes flags, head and missed, the program tail. */
struct lwp_block {
  volatile uint32_t flags, size_random, base[2], head, tail, missed[2], threshold, filter;
  volatile struct { uint32_t interval_id, counter; } events[3];
} __attribute__((aligned(64)));

/* A record: event in bits 7:0 of `head`, flags in bits 31:28; `data` is the latency of a miss; `addr` is the target of a
 * branch or the address of a miss. */
struct lwp_record {
  uint32_t head, data, ip[2], addr[2], reserved[2];
};

enum { LWP_LLWPCB, LWP_SLWPCB, LWP_READ_MSR0, LWP_WRITE_MSR0, LWP_READ_MSR1, LWP_WRITE_MSR1 };
enum { LWP_INSTRUCTIONS = 1, LWP_BRANCHES = 2, LWP_MISSES = 3 };
enum { LWP_FAULT_NONE, LWP_FAULT_UD, LWP_FAULT_GP, LWP_FAULT_PF };
enum { LWP_STATUS_BUSY = 1, LWP_STATUS_IRQ = 2, LWP_STATUS_PF = 4 };
#define LWP_MSR0_ENABLE(event) (1u << (event))
#define LWP_MSR0_LWP 1u
#define LWP_MSR0_INTERRUPT (1u << 31)

/* LWP driver: from here */
/* Executes an operation and returns its fault; the core waits at the store that starts it. */
static inline unsigned lwp_do(struct lwp_page *page, unsigned operation, uint32_t operand) {
  page->operand[0] = operand;
  page->operand[1] = 0;
  __asm__ volatile("fence" ::: "memory");
  page->start = operation;
  return page->fault & 3;
}

/* Switches LWP on for events (LWP_MSR0_ENABLE) and the interrupt; 0 switches it off. Kernel page. */
static inline unsigned lwp_enable(struct lwp_page *page, uint32_t msr0) {
  return lwp_do(page, LWP_WRITE_MSR0, msr0 ? msr0 | LWP_MSR0_LWP : 0);
}

/* Describes a ring of `count` records, at least 2, that interrupts at `threshold` of them; 0: never. */
static inline void lwp_init(struct lwp_block *block, struct lwp_record *ring, uint32_t count, uint32_t threshold) {
  *block = (struct lwp_block){.flags = threshold ? LWP_MSR0_INTERRUPT : 0, .size_random = count * sizeof *ring,
                              .base = {(uint32_t)ring}, .threshold = threshold * sizeof *ring};
}

/* Records every interval-th occurrence of an event from the next lwp_start on. */
static inline void lwp_event(struct lwp_block *block, unsigned event, uint32_t interval) {
  block->events[event - 1].interval_id = event << 26 | interval;
  block->events[event - 1].counter = interval;
}

/* Starts a session, or ends it with a block of 0. */
static inline unsigned lwp_start(struct lwp_page *page, struct lwp_block *block) {
  return lwp_do(page, LWP_LLWPCB, (uint32_t)block);
}

/* Takes the oldest record out of the ring; 0 if there is none. */
static inline int lwp_pop(struct lwp_block *block, struct lwp_record *record) {
  uint32_t tail = block->tail, next = tail + sizeof *record;
  if (tail == block->head) return 0;
  __asm__ volatile("fence" ::: "memory");
  *record = *(struct lwp_record *)(block->base[0] + tail);
  __asm__ volatile("fence" ::: "memory");
  block->tail = next == (block->size_random & 0x0FFFFFFF) ? 0 : next;
  return 1;
}
/* LWP driver: to here */

#endif
