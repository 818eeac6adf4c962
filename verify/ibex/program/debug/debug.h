/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Driver of the debug unit next to a core with RVFI (docs/src/integration/ibex-debug.md), for a 32-bit core.
 *
 * A kernel writes DR0 to DR3 and DR7 with debug_write, and at the interrupt takes one #DB after the other: TAKE, DR6,
 * FROM, RESUME, until STATUS has no #DB.
 */
#ifndef DEBUG_H
#define DEBUG_H

#include <stdint.h>

/* Registers of the delivery of #DB. */
struct debug_page {
  volatile uint32_t status, ack, flags, from[2];
};
#define DEBUG ((struct debug_page *)0x40002000)
enum { DEBUG_PENDING = 1, DEBUG_HANDLER = 2, DEBUG_LOST = 4 };
enum { DEBUG_TAKE = 1, DEBUG_RESUME = 2, DEBUG_FOUND = 4 };

/* Page of the register requests, with the rights of the kernel. */
struct debug_request {
  volatile uint32_t start, unused, number, result, wdata[2], rdata[2];
};
#define DEBUG_REQUEST ((struct debug_request *)0x40001000)
enum { DEBUG_MOV_FROM = 5, DEBUG_MOV_TO = 6 };
enum { DEBUG_DONE = 0, DEBUG_UD = 1, DEBUG_GP = 2, DEBUG_DB = 5 };

#define DEBUG_LOCAL(n) (1u << (2 * (n)))
#define DEBUG_STATUS_B 0xFu
#define DEBUG_STATUS_BD (1u << 13)
#define DEBUG_STATUS_BS (1u << 14)
#define DEBUG_DR7_GD (1u << 13)

/* debug driver: from here */
/* Writes a debug register, and returns the result. */
static inline unsigned debug_write(unsigned number, uint32_t value) {
  DEBUG_REQUEST->number = number;
  DEBUG_REQUEST->wdata[0] = value;
  DEBUG_REQUEST->start = DEBUG_MOV_TO;
  return DEBUG_REQUEST->result;
}

/* Reads a debug register, and returns the result. */
static inline unsigned debug_read(unsigned number, uint32_t *value) {
  DEBUG_REQUEST->number = number;
  DEBUG_REQUEST->start = DEBUG_MOV_FROM;
  *value = DEBUG_REQUEST->rdata[0];
  return DEBUG_REQUEST->result;
}
/* debug driver: to here */

#endif
