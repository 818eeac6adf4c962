/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The kernel: switches LWP on, drains the ring at the threshold interrupt, and answers the calls of the program.
 */
#include "machine.h"

/* The test bench replaces these values. */
const volatile struct parameters parameters __attribute__((used, section(".parameters"))) = {
    .interval = {2000, 500, 300}, .threshold = 16, .ring = 64, .rounds = 1, .parts = 31, .user_mode = 1, .lwp = 1};

enum { RING_MAX = 1024 };
struct lwp_block block;
static struct lwp_record ring[RING_MAX] __attribute__((aligned(32)));

enum { CAUSE_EXTERNAL = 0x8000000B, CAUSE_CALL_USER = 8, CAUSE_CALL_MACHINE = 11 };
enum { MSTATUS_MPIE = 1 << 7, MSTATUS_MPP_MACHINE = 3 << 11, MIE_EXTERNAL = 1 << 11, EXIT_TRAP = 100, EXIT_LWP = 101 };

static void leave(uint32_t code) {
  DEVICE->exit = code;
  for (;;) {
  }
}

/* Gives every record to the test bench. */
static void drain(void) {
  struct lwp_record record;
  const uint32_t *words = (const uint32_t *)&record;
  while (lwp_pop(&block, &record))
    for (unsigned word = 0; word < sizeof record / sizeof *words; word++) DEVICE->record = words[word];
}

/* A program may use the memory and the page of the unit that is for it. */
static void protect(void) {
  __asm__ volatile("csrw pmpaddr0, %0" ::"r"(0x003FFFFF >> 3));
  __asm__ volatile("csrw pmpaddr1, %0" ::"r"((uint32_t)LWP_USER >> 2 | 0xFFF >> 3));
  __asm__ volatile("csrw pmpcfg0, %0" ::"r"(0x1B1F));
}

static void profile(void) {
  uint32_t msr0 = parameters.threshold ? LWP_MSR0_INTERRUPT : 0;
  lwp_init(&block, ring, parameters.ring, parameters.threshold);
  for (unsigned event = LWP_INSTRUCTIONS; event <= LWP_MISSES; event++)
    if (parameters.interval[event - 1]) {
      msr0 |= LWP_MSR0_ENABLE(event);
      lwp_event(&block, event, parameters.interval[event - 1]);
    }
  if (lwp_enable(LWP_KERNEL, msr0) || lwp_start(LWP_KERNEL, &block)) leave(EXIT_LWP);
}

/* Prepares the machine, and returns mstatus for the program. */
uint32_t kernel(void) {
  if (parameters.user_mode) protect();
  if (parameters.lwp) profile();
  __asm__ volatile("csrw mie, %0" ::"r"(MIE_EXTERNAL));
  return MSTATUS_MPIE | (parameters.user_mode ? 0 : MSTATUS_MPP_MACHINE);
}

static void finish(uint32_t code) {
  if (parameters.lwp) {
    DEVICE->end_of_session = 1;
    if (lwp_start(LWP_KERNEL, 0)) leave(EXIT_LWP);
    drain();
  }
  leave(code);
}

/* Called for each trap with a0 and a7 of the program and the cause. */
void handle(uint32_t argument, uint32_t number, uint32_t cause) {
  if (cause == CAUSE_EXTERNAL) {
    LWP_KERNEL->ack = LWP_STATUS_IRQ;
    drain();
    return;
  }
  if (cause != CAUSE_CALL_USER && cause != CAUSE_CALL_MACHINE) leave(EXIT_TRAP);
  if (number == CALL_EXIT) finish(argument);
  if (number == CALL_TEXT) DEVICE->text = argument;
  uint32_t epc;
  __asm__ volatile("csrr %0, mepc" : "=r"(epc));
  __asm__ volatile("csrw mepc, %0" ::"r"(epc + 4));
}
