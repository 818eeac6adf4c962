/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a caller can get wrong and the library can notice: each is refused with its status and a text, and changes nothing.
 * Built with the address and undefined-behaviour sanitizers, so that every byte it touches is its own. */

#include "lwp_model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

/* The call must answer `wanted`, and if that is a failure, with a text that names the function and holds `words`. */
static void expect(int line, lwp_status_t wanted, lwp_status_t got, const char *words) {
  const char *text = lwp_model_last_error();
  if (got != wanted) {
    printf("line %d: status %d, not %d (%s)\n", line, (int)got, (int)wanted, text);
    failures++;
  } else if (wanted != LWP_OK && strstr(text, words) == NULL) {
    printf("line %d: the text lacks \"%s\": %s\n", line, words, text);
    failures++;
  }
}
#define EXPECT(wanted, call, words) expect(__LINE__, (wanted), (call), (words))
#define FINE(call) expect(__LINE__, LWP_OK, (call), "")
#define THAT(condition) \
  do { \
    if (!(condition)) { \
      printf("line %d: not so: %s\n", __LINE__, #condition); \
      failures++; \
    } \
  } while (0)

static lwp_config_t config;

static lwp_model_t *new_model(void) {
  lwp_model_t *model = NULL;
  FINE(lwp_model_new(&config, sizeof config, LWP_MODEL_ABI_VERSION, &model));
  THAT(model != NULL);
  return model;
}

static void abuse_new(void) {
  lwp_model_t *model = (lwp_model_t *)&config; /* anything: a failure sets it to null */
  const uint32_t v = LWP_MODEL_ABI_VERSION;
  const size_t size = sizeof config;
  EXPECT(LWP_ERR_NULL, lwp_config_init(NULL, size), "lwp_config_init: config is null");
  EXPECT(LWP_ERR_SIZE, lwp_config_init(&config, size - 1), "config has 43 bytes, this library expects 44");
  EXPECT(LWP_ERR_NULL, lwp_model_new(NULL, size, v, &model), "lwp_model_new: config is null");
  THAT(model == NULL);
  EXPECT(LWP_ERR_NULL, lwp_model_new(&config, size, v, NULL), "model is null");
  EXPECT(LWP_ERR_NULL, lwp_model_new(NULL, 0, 0, NULL), "model is null");
  EXPECT(LWP_ERR_SIZE, lwp_model_new(&config, size + 4, v, &model), "config has 48 bytes");
  EXPECT(LWP_ERR_SIZE, lwp_model_new(&config, 0, v, &model), "config has 0 bytes");
  EXPECT(LWP_ERR_SIZE, lwp_model_new(&config, (size_t)-1, v, &model), "config has");
  EXPECT(LWP_ERR_VERSION, lwp_model_new(&config, size, v + 1, &model), "ABI version 2, this library has 1");
  EXPECT(LWP_ERR_VERSION, lwp_model_new(&config, size, 0, &model), "ABI version 0");
  THAT(lwp_model_abi_version() == v);
}

static void abuse_config(void) {
  lwp_model_t *model;
  lwp_config_t bad;
  char *room = malloc(sizeof bad + 1);
#define BAD(field, value, status, words) \
  do { \
    bad = config; \
    bad.field = (value); \
    EXPECT(status, lwp_model_new(&bad, sizeof bad, LWP_MODEL_ABI_VERSION, &model), words); \
    THAT(model == NULL); \
  } while (0)
  BAD(retire_lanes, 3, LWP_ERR_BUILD, "retire_lanes 3, event_slots 8, latency_bits 31");
  BAD(retire_lanes, 0, LWP_ERR_BUILD, "there are: 4/8/31");
  BAD(event_slots, 27, LWP_ERR_BUILD, "event_slots 27");
  BAD(latency_bits, 255, LWP_ERR_BUILD, "latency_bits 255");
  BAD(present, 2, LWP_ERR_RANGE, "config->present is 0x2, the most is 0x1");
  BAD(gather_select, 3, LWP_ERR_RANGE, "config->gather_select is 0x3");
  BAD(fault_policy, 255, LWP_ERR_RANGE, "config->fault_policy is 0xff, the most is 0x3");
  BAD(reserved[2], 1, LWP_ERR_RANGE, "config->reserved is 0x10000 and must be 0");
  BAD(lfsr_seed, 0, LWP_ERR_STRAPS, "lfsr_seed must not be 0");
  BAD(fault_policy, 1, LWP_ERR_STRAPS, "needs store_timing = sync");
#undef BAD
  memset(&bad, 0xA5, sizeof bad);
  EXPECT(LWP_ERR_RANGE, lwp_model_new(&bad, sizeof bad, LWP_MODEL_ABI_VERSION, &model), "config->present is 0xa5");
  EXPECT(LWP_ERR_ALIGN, lwp_config_init((lwp_config_t *)(void *)(room + 1), sizeof bad), "config is not aligned to 4 bytes");
  free(room);
}

static void abuse_inputs(void) {
  lwp_model_t *model;
  lwp_inputs_t in;
  uint32_t before[LWP_ROW_WORDS], after[LWP_ROW_WORDS];
  config.retire_lanes = 2;
  model = new_model();
  config.retire_lanes = 4;
  memset(&in, 0, sizeof in);
  in.cpl = 3;
  FINE(lwp_model_step(model, &in, sizeof in));
  FINE(lwp_model_probe(model, before, LWP_ROW_WORDS));
#define BAD(field, value, words) \
  do { \
    memset(&in, 0, sizeof in); \
    in.field = (value); \
    EXPECT(LWP_ERR_RANGE, lwp_model_step(model, &in, sizeof in), words); \
  } while (0)
  BAD(cpl, 4, "lwp_model_step: inputs->cpl is 0x4, the most is 0x3");
  BAD(ctl_op, 16, "inputs->ctl_op is 0x10");
  BAD(irq_ack, 2, "inputs->irq_ack is 0x2, the most is 0x1");
  BAD(reserved[5], 1, "inputs->reserved is 0x10000000000 and must be 0");
  BAD(fill_latency, 0x80000000u, "inputs->fill_latency is 0x80000000, the most is 0x7fffffff");
  BAD(lanes[1].branch_kind, 16, "inputs->lanes[1].branch_kind is 0x10, the most is 0xf");
  BAD(lanes[0].loads[1].latency, 0xffffffffu, "inputs->lanes[0].loads[1].latency is 0xffffffff");
  BAD(lanes[1].loads[0].source, 8, "inputs->lanes[1].loads[0].source is 0x8");
  BAD(lanes[0].reserved[0], 9, "inputs->lanes[0].reserved is 0x9 and must be 0");
  BAD(lanes[2].valid, 1, "inputs->lanes[2] (a model with 2 lanes looks at none above 1)");
  BAD(lanes[7].loads[1].tagged, 1, "inputs->lanes[7]");
#undef BAD
  memset(&in, 0xFF, sizeof in);
  EXPECT(LWP_ERR_RANGE, lwp_model_step(model, &in, sizeof in), "inputs->cpl");
  memset(&in, 0, sizeof in);
  EXPECT(LWP_ERR_NULL, lwp_model_step(model, NULL, sizeof in), "inputs is null");
  EXPECT(LWP_ERR_SIZE, lwp_model_step(model, &in, sizeof in - sizeof(lwp_lane_t)), "inputs has 456 bytes");
  FINE(lwp_model_probe(model, after, LWP_ROW_WORDS));
  THAT(memcmp(before, after, sizeof before) == 0); /* nothing refused has changed anything */
  FINE(lwp_model_free(model));
}

static void abuse_rows(void) {
  lwp_model_t *model = new_model();
  lwp_inputs_t in = {0};
  uint32_t row[LWP_ROW_WORDS], words[LWP_INPUT_WORDS(4)];
  char *room = malloc(sizeof row + 4);
  EXPECT(LWP_ERR_NULL, lwp_model_probe(model, NULL, LWP_ROW_WORDS), "row is null");
  EXPECT(LWP_ERR_SIZE, lwp_model_probe(model, row, 67), "row has 67 words, this library expects 79");
  EXPECT(LWP_ERR_ALIGN, lwp_model_probe(model, (uint32_t *)(void *)(room + 1), LWP_ROW_WORDS), "row is not aligned");
  EXPECT(LWP_ERR_NULL, lwp_model_step_words(model, NULL, LWP_INPUT_WORDS(4)), "inputs is null");
  EXPECT(LWP_ERR_SIZE, lwp_model_step_words(model, words, LWP_INPUT_WORDS(8)), "inputs has 100 words, this library expects 56");
  EXPECT(LWP_ERR_NULL, lwp_model_pack_inputs(model, NULL, sizeof in, words, LWP_INPUT_WORDS(4)), "inputs is null");
  EXPECT(LWP_ERR_NULL, lwp_model_pack_inputs(model, &in, sizeof in, NULL, LWP_INPUT_WORDS(4)), "row is null");
  EXPECT(LWP_ERR_SIZE, lwp_model_pack_inputs(model, &in, sizeof in, words, 1), "row has 1 words");
  EXPECT(LWP_ERR_SIZE, lwp_model_pack_straps(model, words, 4), "row has 4 words");
  EXPECT(LWP_ERR_NULL, lwp_model_pack_straps(model, NULL, LWP_STRAP_WORDS), "row is null");
  EXPECT(LWP_ERR_NULL, lwp_model_check(model, NULL, LWP_ROW_WORDS), "row is null");
  FINE(lwp_model_probe(model, row, LWP_ROW_WORDS));
  FINE(lwp_model_check(model, row, LWP_ROW_WORDS));
  row[29] ^= 5;
  EXPECT(LWP_ERR_MISMATCH, lwp_model_check(model, row, LWP_ROW_WORDS), "state.events[2].counter: model 0x0, unit 0x5");
  memset(words, 0xFF, sizeof words); /* words carry what wires carry: any of it is legal */
  FINE(lwp_model_step_words(model, words, LWP_INPUT_WORDS(4)));
  free(room);
  FINE(lwp_model_free(model));
}

static void abuse_new_words(void) {
  lwp_model_t *model = NULL;
  uint32_t straps[LWP_STRAP_WORDS] = {0x200200FF, 1, 0x20}; /* the default */
  const uint32_t v = LWP_MODEL_ABI_VERSION;
  EXPECT(LWP_ERR_NULL, lwp_model_new_words(NULL, 3, 4, 8, 31, v, &model), "straps is null");
  EXPECT(LWP_ERR_NULL, lwp_model_new_words(straps, 3, 4, 8, 31, v, NULL), "model is null");
  EXPECT(LWP_ERR_SIZE, lwp_model_new_words(straps, 2, 4, 8, 31, v, &model), "straps has 2 words");
  EXPECT(LWP_ERR_VERSION, lwp_model_new_words(straps, 3, 4, 8, 31, v + 7, &model), "ABI version 8");
  EXPECT(LWP_ERR_BUILD, lwp_model_new_words(straps, 3, 4, 8, 30, v, &model), "latency_bits 30");
  straps[0] |= 3u << 18;
  EXPECT(LWP_ERR_RANGE, lwp_model_new_words(straps, 3, 4, 8, 31, v, &model), "gather_select is 0x3");
  THAT(model == NULL);
  straps[0] &= ~(3u << 18);
  FINE(lwp_model_new_words(straps, 3, 8, 26, 16, v, &model));
  FINE(lwp_model_free(model));
}

static void abuse_units(void) {
  lwp_model_t *model = NULL, *other = (lwp_model_t *)&config;
  lwp_build_t build;
  lwp_field_t field;
  lwp_inputs_t in = {0};
  const uint32_t v = LWP_MODEL_ABI_VERSION;
  EXPECT(LWP_ERR_NULL, lwp_model_build(0, NULL, sizeof build), "lwp_model_build: build is null");
  EXPECT(LWP_ERR_SIZE, lwp_model_build(0, &build, 8), "build has 8 bytes, this library expects 48");
  EXPECT(LWP_ERR_BUILD, lwp_model_build(0xffffffffu, &build, sizeof build), "builds, from 0 on");
  FINE(lwp_model_build(0, &build, sizeof build));
  EXPECT(LWP_ERR_NULL, lwp_model_new_unit(NULL, "lp1", NULL, 0, v, &other), "unit is null");
  THAT(other == NULL);
  EXPECT(LWP_ERR_NULL, lwp_model_new_unit("tsc", NULL, NULL, 0, v, &other), "build is null");
  EXPECT(LWP_ERR_NULL, lwp_model_new_unit("tsc", "lp1", NULL, 0, v, NULL), "model is null");
  EXPECT(LWP_ERR_NULL, lwp_model_new_unit("tsc", "lp1", NULL, 2, v, &other), "straps is null");
  EXPECT(LWP_ERR_VERSION, lwp_model_new_unit("tsc", "lp1", NULL, 0, v + 1, &other), "ABI version 2");
  EXPECT(LWP_ERR_BUILD, lwp_model_new_unit("tsc", "\xff", NULL, 0, v, &other), "of a unit tsc is built in");
  FINE(lwp_model_new_unit("tsc", "lp1", NULL, 0, v, &model));
  EXPECT(LWP_ERR_NULL, lwp_model_field(model, LWP_ROW_SHOWN, 0, NULL, sizeof field), "field is null");
  EXPECT(LWP_ERR_SIZE, lwp_model_field(model, LWP_ROW_SHOWN, 0, &field, 4), "field has 4 bytes");
  EXPECT(LWP_ERR_RANGE, lwp_model_field(model, 3, 0, &field, sizeof field), "row is 0x3, the most is 0x2");
  EXPECT(LWP_ERR_RANGE, lwp_model_field(model, LWP_ROW_STRAPS, 10, &field, sizeof field), "index is 0xa, the most is 0x9");
  EXPECT(LWP_ERR_HANDLE, lwp_model_step(model, &in, sizeof in), "model is one of the unit tsc");
  FINE(lwp_model_free(model));
}

static void abuse_handles(void) {
  lwp_outputs_t out;
  uint64_t other[4] = {1, 2, 3, 4};
  char *room = calloc(1, 64);
  lwp_model_t *foreign = (lwp_model_t *)(void *)other, *odd = (lwp_model_t *)(void *)(room + 3), *model;
  lwp_inputs_t in = {0};
  EXPECT(LWP_ERR_NULL, lwp_model_reset(NULL), "lwp_model_reset: model is null");
  EXPECT(LWP_ERR_NULL, lwp_model_step(NULL, &in, sizeof in), "model is null");
  EXPECT(LWP_ERR_NULL, lwp_model_outputs(NULL, &out, sizeof out), "model is null");
  EXPECT(LWP_ERR_NULL, lwp_model_probe(NULL, NULL, 0), "model is null");
  EXPECT(LWP_ERR_NULL, lwp_model_check(NULL, NULL, 0), "model is null");
  EXPECT(LWP_ERR_HANDLE, lwp_model_reset(foreign), "model is not a model");
  EXPECT(LWP_ERR_HANDLE, lwp_model_free(foreign), "lwp_model_free: model is not a model");
  EXPECT(LWP_ERR_HANDLE, lwp_model_outputs(foreign, &out, sizeof out), "model is not a model");
  EXPECT(LWP_ERR_ALIGN, lwp_model_reset(odd), "model is not aligned to 8 bytes");
  FINE(lwp_model_free(NULL));
  model = new_model();
  EXPECT(LWP_ERR_NULL, lwp_model_outputs(model, NULL, sizeof out), "outputs is null");
  EXPECT(LWP_ERR_SIZE, lwp_model_outputs(model, &out, 8), "outputs has 8 bytes, this library expects 64");
  FINE(lwp_model_reset(model));
  FINE(lwp_model_reset(model));
  FINE(lwp_model_free(model));
  free(room);
}

static void abuse_capsules(void) {
  uint32_t row[LWP_ROW_WORDS], in[LWP_INPUT_WORDS(4)] = {1};
  const uint32_t words = LWP_ROW_WORDS, in_words = LWP_INPUT_WORDS(4);
  lwp_model_t *model = new_model();
  const char *nowhere = "/proc/nonexistent/x.capsule";
  THAT(strcmp(lwp_model_last_capsule(), "") == 0);
  FINE(lwp_model_probe(model, row, words));
  EXPECT(LWP_ERR_CAPSULE, lwp_model_capsule(model, nowhere, "a test", row, words, NULL, 0), "the model is not recorded");
  FINE(lwp_model_record(model));
  EXPECT(LWP_ERR_CAPSULE, lwp_model_capsule(model, nowhere, "a test", row, words, in, in_words), "nothing has failed");
  row[0] ^= 1;
  EXPECT(LWP_ERR_FILE, lwp_model_capsule(model, nowhere, "a test", row, words, in, in_words), "/proc/nonexistent/x.capsule: ");
  EXPECT(LWP_ERR_NULL, lwp_model_capsule(model, NULL, "a test", row, words, NULL, 0), "path is null");
  EXPECT(LWP_ERR_NULL, lwp_model_capsule(model, nowhere, NULL, row, words, NULL, 0), "found_by is null");
  EXPECT(LWP_ERR_NULL, lwp_model_capsule(model, nowhere, "a test", NULL, words, NULL, 0), "row is null");
  EXPECT(LWP_ERR_NULL, lwp_model_capsule(model, nowhere, "a test", row, words, NULL, in_words), "inputs is null");
  EXPECT(LWP_ERR_SIZE, lwp_model_capsule(model, nowhere, "a test", row, words - 1, NULL, 0), "row has 78 words");
  EXPECT(LWP_ERR_SIZE, lwp_model_capsule(model, nowhere, "a test", row, words, in, 1), "inputs has 1 words");
  EXPECT(LWP_ERR_NULL, lwp_model_record(NULL), "lwp_model_record: model is null");
  /* A read of LWPMSR0 is answered: a register changes. */
  in[0] = 1u | 1u << 8 | 2u << 9;
  FINE(lwp_model_step_words(model, in, in_words));
  EXPECT(LWP_ERR_CAPSULE, lwp_model_record(model), "a register of the model has changed since reset");
  FINE(lwp_model_reset(model));
  FINE(lwp_model_record(model));
  FINE(lwp_model_free(model));
}

int main(int argc, char **argv) {
  FINE(lwp_config_init(&config, sizeof config));
  abuse_new();
  abuse_config();
  abuse_inputs();
  abuse_rows();
  abuse_new_words();
  abuse_units();
  abuse_handles();
  abuse_capsules();
  if (argc > 1 && strcmp(argv[1], "overrun") == 0) {
    /* The one thing that the library cannot notice, and the sanitizer does: memory smaller than its size says. */
    lwp_model_t *model = new_model();
    uint32_t *small = malloc(4 * (LWP_ROW_WORDS - 1));
    FINE(lwp_model_probe(model, small, LWP_ROW_WORDS));
    printf("word 0: %u\n", (unsigned)small[0]);
    free(small);
    FINE(lwp_model_free(model));
  }
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
