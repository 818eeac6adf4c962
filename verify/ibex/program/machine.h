/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the machine has besides memory, and what the programs ask of the kernel.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

#include "lwp.h"

#define LWP_USER ((struct lwp_page *)0x40000000)
#define LWP_KERNEL ((struct lwp_page *)0x40001000)

/* The test bench. */
struct device {
  volatile uint32_t exit, text, record, end_of_session;
};
#define DEVICE ((struct device *)0x50000000)

/* Places data in the memory whose loads are misses. */
#define FAR __attribute__((section(".far")))

/* Written by the test bench before the run. An interval of 0: the event is not recorded. Bit n of `parts`: the n-th program
 * runs. Threshold and ring are numbers of records. */
struct parameters {
  uint32_t interval[3], threshold, ring, rounds, parts, user_mode, lwp;
};
extern const volatile struct parameters parameters;

/* The control block of the session, which the kernel starts. */
extern struct lwp_block block;

/* Calls of the kernel. */
enum { CALL_EXIT, CALL_TEXT };

static inline void call(uint32_t number, uint32_t argument) {
  register uint32_t a0 __asm__("a0") = argument;
  register uint32_t a7 __asm__("a7") = number;
  __asm__ volatile("ecall" ::"r"(a0), "r"(a7) : "memory");
}

/* The programs: each returns a sum that depends on all that it computed. */
uint32_t sort(uint32_t seed);
uint32_t parse(uint32_t seed);
uint32_t multiply(uint32_t seed);
uint32_t walk(uint32_t seed);
uint32_t touch(uint32_t seed);
/* Next to the debug unit alone. */
uint32_t straddle(uint32_t seed);

/* The next number of a simple random sequence. */
static inline uint32_t next_random(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  return *state ^= *state << 5;
}

#endif
