/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A unit by its name, in rows of words: the time-stamp counter of a processor with two threads. The crystal ticks, a thread writes its
 * counter, both read theirs.
 *
 *   main            prints the counters and checks them
 *   main --list     prints the builds of the library
 *   main --inject   one tick is hidden from the unit, so that the check must fail
 *
 * Exit code: 0 as expected, 1 not, 2 the model refused a call. */

#include "lwp_model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 64

static void check(lwp_status_t status) {
  if (status == LWP_OK) return;
  fprintf(stderr, "%s\n", lwp_model_last_error());
  exit(2);
}

/* The place of a field in a row. A test bench looks each one up once; this example does not hurry. */
static lwp_field_t field(const lwp_model_t *model, uint32_t row, const char *name) {
  lwp_field_t found;
  for (uint32_t index = 0;; ++index) {
    check(lwp_model_field(model, row, index, &found, sizeof found));
    if (strcmp(found.name, name) == 0) return found;
  }
}

static void set(const lwp_model_t *model, uint32_t row, const char *name, uint32_t *words, uint64_t value) {
  const lwp_field_t at = field(model, row, name);
  for (uint32_t bit = 0; bit < at.width; ++bit) {
    const uint32_t place = at.lsb + bit, mask = 1u << place % 32;
    words[at.word + place / 32] &= ~mask;
    if (value >> bit & 1) words[at.word + place / 32] |= mask;
  }
}

static uint64_t get(const lwp_model_t *model, const char *name, const uint32_t *words) {
  const lwp_field_t at = field(model, LWP_ROW_SHOWN, name);
  uint64_t value = 0;
  for (uint32_t bit = 0; bit < at.width; ++bit) {
    const uint32_t place = at.lsb + bit;
    value |= (uint64_t)(words[at.word + place / 32] >> place % 32 & 1) << bit;
  }
  return value;
}

static lwp_build_t find(const char *unit, const char *build) {
  lwp_build_t found;
  for (uint32_t index = 0;; ++index) {
    check(lwp_model_build(index, &found, sizeof found));
    if (strcmp(found.unit, unit) == 0 && strcmp(found.build, build) == 0) return found;
  }
}

static int list(void) {
  lwp_build_t build;
  for (uint32_t index = 0; lwp_model_build(index, &build, sizeof build) == LWP_OK; ++index) {
    printf("%s %s: %u words of straps, %u of inputs, %u of outputs and registers\n", build.unit, build.build,
           (unsigned)build.strap_words, (unsigned)build.input_words, (unsigned)build.row_words);
  }
  return 0;
}

/* Two counters that count 2 1/2 for each tick of the crystal. */
static lwp_model_t *counters(const lwp_build_t *build) {
  lwp_model_t *model;
  uint32_t straps[WORDS] = {0};
  check(lwp_model_new_unit(build->unit, build->build, NULL, 0, LWP_MODEL_ABI_VERSION, &model));
  check(lwp_model_pack_straps(model, straps, build->strap_words));
  set(model, LWP_ROW_STRAPS, "rate", straps, 0); /* invariant */
  set(model, LWP_ROW_STRAPS, "art_whole", straps, 2);
  set(model, LWP_ROW_STRAPS, "art_rest", straps, 1);
  set(model, LWP_ROW_STRAPS, "art_denominator", straps, 2);
  check(lwp_model_free(model));
  check(lwp_model_new_unit(build->unit, build->build, straps, build->strap_words, LWP_MODEL_ABI_VERSION, &model));
  return model;
}

int main(int argc, char **argv) {
  const int inject = argc > 1 && strcmp(argv[1], "--inject") == 0;
  if (argc > 1 && strcmp(argv[1], "--list") == 0) return list();

  const lwp_build_t build = find("tsc", "lp2");
  lwp_model_t *model = counters(&build);
  uint32_t in[WORDS] = {0}, shown[WORDS];
  set(model, LWP_ROW_INPUTS, "rst_n", in, 1);
  for (int cycle = 0; cycle < 60; ++cycle) {
    /* The crystal ticks in every second cycle. */
    set(model, LWP_ROW_INPUTS, "processor.crystal_tick", in, cycle % 2 == 0 && !(inject && cycle == 20));
    /* In cycle 30 the second thread writes 1000 into its counter, MSR 10H. */
    set(model, LWP_ROW_INPUTS, "reg.reg_valid", in, cycle == 30);
    set(model, LWP_ROW_INPUTS, "reg.reg_op", in, 1);
    set(model, LWP_ROW_INPUTS, "reg.reg_lp", in, 1);
    set(model, LWP_ROW_INPUTS, "reg.reg_number", in, 0x10);
    set(model, LWP_ROW_INPUTS, "reg.reg_wdata", in, 1000);
    check(lwp_model_step_words(model, in, build.input_words));
    check(lwp_model_probe(model, shown, build.row_words));
    if (cycle == 30 && (!get(model, "reg_done", shown) || get(model, "reg_result", shown) != 0)) return 1;
  }

  /* 30 ticks are worth 75. The write comes with the sixteenth tick, whose worth is added: 2 or 3, then 14 more ticks. */
  const uint64_t first = get(model, "state.processors[0].counter", shown);
  const uint64_t second = get(model, "state.processors[1].counter", shown);
  printf("%s %s: the counters are at %llu and %llu\n", build.unit, build.build, (unsigned long long)first,
         (unsigned long long)second);
  /* What another unit shows can be compared: here the same row, then one with a bit flipped. */
  check(lwp_model_check(model, shown, build.row_words));
  shown[build.row_words - 1] ^= 1;
  if (lwp_model_check(model, shown, build.row_words) != LWP_ERR_MISMATCH) return 1;
  printf("%s\n", lwp_model_last_error());
  check(lwp_model_free(model));
  if (first == 75 && second == 1000 + 3 + 35) return 0;
  printf("NOT as expected\n");
  return 1;
}
