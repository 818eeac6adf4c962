/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The kernel of the debug unit: sets breakpoints, takes #DB, and answers the calls of the program.
 */
#include "debug.h"
#include "machine.h"

/* The test bench replaces these values. */
const volatile struct parameters parameters __attribute__((used, section(".parameters"))) = {.rounds = 1, .parts = 63, .user_mode = 1};

/* Four breakpoints, until so many #DB were taken; 0: for ever. */
struct setting {
  uint32_t address[4], dr7, taken;
};
enum { SETTINGS = 8 };
/* TF of the program, and the settings one after the other. The test bench replaces these values. */
static const volatile struct {
  uint32_t tf, count;
  struct setting settings[SETTINGS];
} debugging __attribute__((used, section(".parameters"))) = {.count = 1};

/* The program is made for the kernel of LWP. */
struct lwp_block block;

enum { CAUSE_DEBUG = 0x80000010, CAUSE_CALL_USER = 8 };
enum { MSTATUS_MPIE = 1 << 7, MIE_DEBUG = 1 << 16, EXIT_TRAP = 100, EXIT_DEBUG = 101 };

static void leave(uint32_t code) {
  DEVICE->exit = code;
  for (;;) {
  }
}

static void move_to(unsigned number, uint32_t value) {
  if (debug_write(number, value) != DEBUG_DONE) leave(EXIT_DEBUG);
}

static uint32_t move_from(unsigned number) {
  uint32_t value;
  if (debug_read(number, &value) != DEBUG_DONE) leave(EXIT_DEBUG);
  return value;
}

/* The setting that is active, and the #DB that it has taken. */
static uint32_t active, taken;

static void set(uint32_t setting) {
  const volatile struct setting *wanted = &debugging.settings[setting];
  move_to(7, 0);
  for (unsigned n = 0; n < 4; n++) move_to(n, wanted->address[n]);
  move_to(7, wanted->dr7);
  active = setting;
  taken = 0;
}

/* A program may use the memory and nothing else. */
static void protect(void) {
  __asm__ volatile("csrw pmpaddr0, %0" ::"r"(0x003FFFFF >> 3));
  __asm__ volatile("csrw pmpcfg0, %0" ::"r"(0x1F));
}

/* Prepares the machine, and returns mstatus for the program. */
uint32_t kernel(void) {
  protect();
  /* An instruction breakpoint is refused, and so is whatever a debugger would set next to it. */
  if (debug_write(7, DEBUG_LOCAL(0)) != DEBUG_GP) leave(EXIT_DEBUG);
  set(0);
  for (unsigned n = 0; n < 4; n++)
    if (move_from(n) != debugging.settings[0].address[n]) leave(EXIT_DEBUG);
  DEBUG->flags = debugging.tf;
  __asm__ volatile("csrw mie, %0" ::"r"(MIE_DEBUG));
  return MSTATUS_MPIE;
}

/* Takes every #DB that is pending: the one that interrupted, and those of the instructions that had retired behind it. */
static void debugged(void) {
  do {
    DEBUG->ack = DEBUG_TAKE;
    uint32_t status = move_from(6), from = DEBUG->from[0];
    if (!(status & (DEBUG_STATUS_B | DEBUG_STATUS_BS)) || !from) leave(EXIT_DEBUG);
    /* BS stays in DR6 until software clears it. */
    if (++taken % 2 == 0) move_to(6, 0);
    if (taken == debugging.settings[active].taken && active + 1 < debugging.count) set(active + 1);
    DEBUG->ack = DEBUG_RESUME;
  } while (DEBUG->status & DEBUG_PENDING);
}

/* With GD a MOV raises #DB and does nothing, until the #DB is taken. */
static void detect(void) {
  uint32_t value;
  move_to(6, 0);
  move_to(7, DEBUG_DR7_GD);
  if (debug_read(0, &value) != DEBUG_DB || !(DEBUG->status & DEBUG_PENDING)) leave(EXIT_DEBUG);
  DEBUG->ack = DEBUG_TAKE;
  if (!(move_from(6) & DEBUG_STATUS_BD) || (move_from(7) & DEBUG_DR7_GD)) leave(EXIT_DEBUG);
  DEBUG->ack = DEBUG_RESUME;
  if (DEBUG->status & DEBUG_PENDING) leave(EXIT_DEBUG);
}

/* Called for each trap with a0 and a7 of the program and the cause. */
void handle(uint32_t argument, uint32_t number, uint32_t cause) {
  /* A #DB may be pending behind a call: it interrupts when the program goes on. */
  if (cause == CAUSE_DEBUG) {
    debugged();
    return;
  }
  if (cause != CAUSE_CALL_USER) leave(EXIT_TRAP);
  if (number == CALL_EXIT) {
    if (DEBUG->status & DEBUG_PENDING) debugged();
    detect();
    leave(argument);
  }
  if (number == CALL_TEXT) DEVICE->text = argument;
  uint32_t epc;
  __asm__ volatile("csrr %0, mepc" : "=r"(epc));
  __asm__ volatile("csrw mepc, %0" ::"r"(epc + 4));
}
