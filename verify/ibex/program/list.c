/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stddef.h>

#include "machine.h"

enum { NODES = 2000, WALKS = 3 };
struct node {
  struct node *next;
  uint16_t value;
  uint8_t marks[2];
};
FAR static struct node nodes[NODES];

/* Walks a list whose nodes lie in far memory in random order, and removes every third node. */
uint32_t walk(uint32_t seed) {
  struct node *head = NULL;
  uint32_t sum = 0;
  for (unsigned at = 0; at < NODES; at++) {
    struct node *node = &nodes[(at * 773) % NODES];
    *node = (struct node){.next = head, .value = (uint16_t)next_random(&seed), .marks = {(uint8_t)at, (uint8_t)(at >> 8)}};
    head = node;
  }
  for (unsigned walk = 0; walk < WALKS; walk++) {
    unsigned position = 0;
    for (struct node **link = &head; *link; position++) {
      struct node *node = *link;
      sum = 13 * sum + node->value + node->marks[0] + 256u * node->marks[1];
      if (position % 3 == 2) *link = node->next;
      else link = &node->next;
    }
  }
  return sum;
}

/* Loads a few words, halfwords and bytes of far memory, with and without a sign. */
uint32_t touch(uint32_t seed) {
  FAR static volatile int32_t words[4];
  volatile int16_t *halves = (volatile int16_t *)words;
  volatile int8_t *bytes = (volatile int8_t *)words;
  uint32_t sum = 0;
  for (unsigned at = 0; at < 4; at++) words[at] = (int32_t)next_random(&seed);
  for (unsigned at = 0; at < 4; at++) {
    sum = 3 * sum + (uint32_t)words[at] + (uint32_t)halves[2 * at + 1] + (uint32_t)bytes[4 * at + 3];
    sum += (uint16_t)halves[2 * at] + (uint8_t)bytes[4 * at + 1];
  }
  return sum;
}
