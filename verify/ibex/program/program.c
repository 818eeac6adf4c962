/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The program that is profiled: sorts, parses, multiplies, walks.
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

void program(void) {
  uint32_t sum = 0;
  for (uint32_t round = 1; round <= parameters.rounds; round++)
    sum = sum * 31 + sort(round) + 3 * parse(round) + 5 * multiply(round) + 7 * walk(round);
  text("sum ");
  hexadecimal(sum);
  call(CALL_EXIT, 0);
  for (;;) {
  }
}
