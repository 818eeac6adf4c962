/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The program that is profiled: sorts, parses, multiplies, walks, touches.
 */
#include "machine.h"

static void text(const char *string) {
  while (*string) call(CALL_TEXT, (uint8_t)*string++);
}

static void hexadecimal(uint32_t value) {
  char digits[10] = "00000000\n";
  for (int digit = 7; digit >= 0; digit--, value >>= 4) digits[digit] = "0123456789abcdef"[value & 15];
  text(digits);
}

/* Asks the unit for the control block, as a program may that profiles itself: the unit writes head and counters to it. */
static void checkpoint(void) {
  if (!parameters.lwp) return;
  if (lwp_do(LWP_USER, LWP_SLWPCB, 0) != LWP_FAULT_NONE || LWP_USER->result[0] != (uint32_t)&block) call(CALL_EXIT, 3);
}

void program(void) {
  uint32_t (*const parts[])(uint32_t) = {
    sort, parse, multiply, walk, touch,
#if defined(DEBUG_UNIT) || defined(PERF_UNIT)
    straddle,
#endif
  };
  uint32_t sum = 0;
  for (uint32_t round = 1; round <= parameters.rounds; round++) {
    for (uint32_t part = 0; part < sizeof parts / sizeof *parts; part++)
      if (parameters.parts >> part & 1) sum = sum * 31 + parts[part](round);
    checkpoint();
  }
  text("sum ");
  hexadecimal(sum);
  call(CALL_EXIT, 0);
  for (;;) {
  }
}
