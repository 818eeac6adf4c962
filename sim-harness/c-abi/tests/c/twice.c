/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A model that is used after it was freed: undefined, but noticed as long as its memory has not been given to somebody
 * else. Here it never is, and the allocator writes nothing of its own into it. */

#include "lwp_model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the place of the C library's: what was freed stays as it is. */
void free(void *pointer) { (void)pointer; }

static int refused(lwp_status_t status) {
  return status == LWP_ERR_HANDLE && strstr(lwp_model_last_error(), "was freed") != NULL;
}

int main(void) {
  lwp_config_t config;
  lwp_outputs_t out;
  lwp_model_t *model;
  if (lwp_config_init(&config, sizeof config) != LWP_OK) return 2;
  if (lwp_model_new(&config, sizeof config, LWP_MODEL_ABI_VERSION, &model) != LWP_OK) return 2;
  if (lwp_model_free(model) != LWP_OK) return 2;
  if (!refused(lwp_model_free(model)) || !refused(lwp_model_reset(model))) return 1;
  if (!refused(lwp_model_outputs(model, &out, sizeof out))) return 1;
  puts("refused");
  return 0;
}
