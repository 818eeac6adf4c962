/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "machine.h"

enum { SPAN = 48 };
static uint8_t span[SPAN] __attribute__((aligned(16)));

/* Stores and loads words, halfwords and bytes at each address of a span, most of them not aligned. */
uint32_t straddle(uint32_t seed) {
  uint32_t sum = 0;
  for (unsigned at = 0; at + sizeof(uint32_t) <= SPAN; at++) {
    volatile uint8_t *place = span + at;
    *(volatile uint32_t *)place = next_random(&seed);
    sum = 3 * sum + *(volatile uint16_t *)(place + 1) + (uint32_t) * (volatile int16_t *)(place + 2);
    *(volatile uint16_t *)(place + 2) = (uint16_t)sum;
    *(place + 1) = (uint8_t)seed;
    sum = 5 * sum + *(volatile uint32_t *)place + *(place + 3) + (uint32_t) * (volatile int8_t *)(place + 2);
  }
  return sum;
}
