/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <string.h>

#include "machine.h"

enum { SIZE = 24 };
static int32_t left[SIZE][SIZE], product[SIZE][SIZE];
FAR static int32_t right[SIZE][SIZE];

uint32_t multiply(uint32_t seed) {
  uint32_t sum = 0;
  for (unsigned row = 0; row < SIZE; row++)
    for (unsigned column = 0; column < SIZE; column++) {
      left[row][column] = (int32_t)next_random(&seed) >> 20;
      right[row][column] = (int32_t)next_random(&seed) >> 20;
    }
  for (unsigned row = 0; row < SIZE; row++)
    for (unsigned column = 0; column < SIZE; column++) {
      int32_t value = 0;
      for (unsigned inner = 0; inner < SIZE; inner++) value += left[row][inner] * right[inner][column];
      product[row][column] = value;
    }
  memcpy(left, product, sizeof left);
  for (unsigned row = 0; row < SIZE; row++) sum = 5 * sum + (uint32_t)left[row][row] / (row + 1);
  return sum;
}
