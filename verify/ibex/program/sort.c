/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdlib.h>

#include "machine.h"

enum { COUNT = 1500 };
static uint32_t values[COUNT];

static int compare(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static void sift(uint32_t *heap, unsigned root, unsigned end) {
  uint32_t value = heap[root];
  for (unsigned child; (child = 2 * root + 1) < end; root = child) {
    if (child + 1 < end && heap[child] < heap[child + 1]) child++;
    if (heap[child] <= value) break;
    heap[root] = heap[child];
  }
  heap[root] = value;
}

static void heapsort(uint32_t *heap, unsigned count) {
  for (unsigned root = count / 2; root-- > 0;) sift(heap, root, count);
  for (unsigned end = count; end-- > 1;) {
    uint32_t last = heap[end];
    heap[end] = heap[0];
    heap[0] = last;
    sift(heap, 0, end);
  }
}

static uint32_t fill(uint32_t seed) {
  for (unsigned at = 0; at < COUNT; at++) values[at] = next_random(&seed);
  return seed;
}

static uint32_t check(void) {
  uint32_t sum = 0;
  for (unsigned at = 0; at < COUNT; at++) {
    if (at && values[at - 1] > values[at]) call(CALL_EXIT, 1);
    sum = sum * 17 + values[at];
  }
  return sum;
}

/* The same numbers with qsort of the C library and with heapsort. */
uint32_t sort(uint32_t seed) {
  fill(seed);
  qsort(values, COUNT, sizeof *values, compare);
  uint32_t sum = check();
  fill(seed);
  heapsort(values, COUNT);
  if (check() != sum) call(CALL_EXIT, 2);
  return sum;
}
