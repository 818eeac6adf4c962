/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <string.h>

#include "machine.h"

/* A text of terms and its reader: expression = term { (+|-) term }, term = factor { * factor }, factor = number | ( expression ). */
enum { LENGTH = 4000, DEPTH = 6 };
static char source[LENGTH + 64];
static const char *cursor;

static uint32_t expression(void);

static char *write_number(char *to, uint32_t value) {
  char digits[10];
  unsigned count = 0;
  do digits[count++] = (char)('0' + value % 10);
  while (value /= 10);
  while (count) *to++ = digits[--count];
  return to;
}

static char *write_expression(char *to, uint32_t *state, unsigned depth) {
  uint32_t choice = next_random(state);
  if (depth == 0 || (choice & 3) == 0) return write_number(to, choice >> 20);
  *to++ = '(';
  to = write_expression(to, state, depth - 1);
  *to++ = "+-*+"[choice >> 2 & 3];
  to = write_expression(to, state, depth - 1);
  *to++ = ')';
  return to;
}

static uint32_t factor(void) {
  uint32_t value = 0;
  if (*cursor == '(') {
    cursor++;
    value = expression();
    cursor++;
    return value;
  }
  while (*cursor >= '0' && *cursor <= '9') value = 10 * value + (uint32_t)(*cursor++ - '0');
  return value;
}

static uint32_t term(void) {
  uint32_t value = factor();
  while (*cursor == '*') {
    cursor++;
    value *= factor();
  }
  return value;
}

/* One function for each operator, called through a table: branches whose targets are data. */
static uint32_t add(uint32_t a, uint32_t b) { return a + b; }
static uint32_t subtract(uint32_t a, uint32_t b) { return a - b; }
static uint32_t (*const operators[128])(uint32_t, uint32_t) = {['+'] = add, ['-'] = subtract};

static uint32_t expression(void) {
  uint32_t value = term();
  for (uint32_t (*operate)(uint32_t, uint32_t); (operate = operators[(unsigned char)*cursor & 127]);) {
    cursor++;
    value = operate(value, term());
  }
  return value;
}

uint32_t parse(uint32_t seed) {
  char *end = source;
  uint32_t sum = 0;
  while (end < source + LENGTH / 2) {
    end = write_expression(end, &seed, DEPTH / 2);
    *end++ = '\n';
  }
  *end = 0;
  for (cursor = source; *cursor; cursor++) sum = 3 * sum + expression();
  return sum + strlen(source);
}
