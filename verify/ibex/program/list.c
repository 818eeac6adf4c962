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
