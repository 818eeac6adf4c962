/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The kernel of the performance counters: counts, samples at each overflow, and answers the calls of the program.
 */
#include "machine.h"
#include "perf.h"

/* The test bench replaces these values. */
const volatile struct parameters parameters __attribute__((used, section(".parameters"))) = {.rounds = 1, .parts = 31, .user_mode = 1};

/* What is counted until so many interrupts were taken; 0: for ever. A counter with a period interrupts after so many events. */
enum { GENERAL = 4, FIXED = 3, SETTINGS = 8 };
struct setting {
  uint32_t select[GENERAL], period[GENERAL], fixed_control, fixed_period, samples;
};
/* 1: version 2, with all counters; 0: P6, with two general ones. The test bench replaces these values. */
static const volatile struct {
  uint32_t architectural, count;
  struct setting settings[SETTINGS];
} counting __attribute__((used, section(".parameters"))) = {.count = 1};

/* The program is made for the kernel of LWP. */
struct lwp_block block;

enum { CAUSE_PERF = 0x80000010, CAUSE_CALL_USER = 8 };
enum { MSTATUS_MPIE = 1 << 7, MIE_PERF = 1 << 16, EXIT_TRAP = 100, EXIT_PERF = 101 };
enum { VECTOR = 0xEE, EN = 1 << 22 };

static void leave(uint32_t code) {
  DEVICE->exit = code;
  for (;;) {
  }
}

static void check(int holds) {
  if (!holds) leave(EXIT_PERF);
}

static unsigned general(void) { return counting.architectural ? GENERAL : 2; }

static void write_msr(uint32_t number, uint32_t low, uint32_t high) { check(perf_write(number, low, high) == PERF_DONE); }

static uint64_t read_msr(uint32_t number) {
  uint64_t value;
  check(perf_read(PERF_RDMSR, number, &value) == PERF_DONE);
  return value;
}

static uint64_t read_counter(uint32_t number) {
  uint64_t value;
  check(perf_read(PERF_RDPMC, number, &value) == PERF_DONE);
  return value;
}

/* The setting that is active, and the interrupts that it has taken. */
static const volatile struct setting *active;
static uint32_t next, taken;

static void start(uint32_t on) {
  if (counting.architectural) {
    write_msr(PERF_GLOBAL_CONTROL, on ? (1 << GENERAL) - 1 : 0, on ? (1 << FIXED) - 1 : 0);
  } else {
    write_msr(PERF_SELECT, active->select[0] & ~(on ? 0 : EN), 0);
  }
}

/* Stops, reads every counter, and goes on with the next setting. */
static void stop(void) {
  start(0);
  for (unsigned c = 0; c < general(); c++) check(read_counter(c) == read_msr(PERF_COUNTER + c));
  for (unsigned k = 0; counting.architectural && k < FIXED; k++)
    check(read_counter(PERF_PMC_FIXED | k) == read_msr(PERF_FIXED + k));
}

static void set(void) {
  active = &counting.settings[next++];
  taken = 0;
  start(0);
  for (unsigned c = 0; c < general(); c++) {
    write_msr(PERF_COUNTER + c, -active->period[c], 0);
    if (c || counting.architectural) write_msr(PERF_SELECT + c, active->select[c], 0);
  }
  if (counting.architectural) {
    for (unsigned k = 0; k < FIXED; k++) write_msr(PERF_FIXED + k, 0, 0);
    if (active->fixed_period) write_msr(PERF_FIXED, -active->fixed_period, 0xFF);
    write_msr(PERF_FIXED_CONTROL, active->fixed_control, 0);
    write_msr(PERF_GLOBAL_CLEAR, (1 << GENERAL) - 1, (1 << FIXED) - 1);
  }
  start(1);
}

/* What the unit refuses changes nothing. */
static void refused(void) {
  uint64_t value;
  check(perf_read(PERF_RDMSR, 0x10, &value) == PERF_NOT_MINE && value == 0);
  check(perf_read(PERF_RDPMC, 9, &value) == PERF_NOT_MINE);
  check(perf_write(PERF_SELECT, EN, 1) == PERF_GP);
  check(perf_write(PERF_SELECT, 1 << 21, 0) == PERF_GP);
  /* The user page has the rights of level 3: RDPMC is permitted, and nothing else. */
  PERF_USER->wdata[0] = 1;
  check(perf_do(PERF_USER, PERF_WRMSR, PERF_COUNTER) == PERF_GP);
  check(perf_do(PERF_USER, PERF_RDMSR, PERF_COUNTER) == PERF_GP);
  check(perf_do(PERF_USER, PERF_RDPMC, 0) == PERF_DONE && PERF_USER->rdata[0] == 0);
  check(read_msr(PERF_COUNTER) == 0 && read_msr(PERF_SELECT) == 0);
}

/* A program may use the memory and the page of the unit that is for it. */
static void protect(void) {
  __asm__ volatile("csrw pmpaddr0, %0" ::"r"(0x003FFFFF >> 3));
  __asm__ volatile("csrw pmpaddr1, %0" ::"r"((uint32_t)PERF_USER >> 2 | 0xFFF >> 3));
  __asm__ volatile("csrw pmpcfg0, %0" ::"r"(0x1B1F));
}

/* Prepares the machine, and returns mstatus for the program. */
uint32_t kernel(void) {
  protect();
  refused();
  check(PERF_APIC->lvt == PERF_LVT_MASK);
  PERF_APIC->lvt = VECTOR;
  check(PERF_APIC->lvt == VECTOR && PERF_APIC->status == 0);
  set();
  __asm__ volatile("csrw mie, %0" ::"r"(MIE_PERF));
  return MSTATUS_MPIE;
}

/* Whether general counter c has overflowed: it was preset to -period, so its highest bit was 1. */
static int overflowed(unsigned c, uint64_t status) {
  if (!active->period[c]) return 0;
  return counting.architectural ? status >> c & 1 : !(read_counter(c) >> 39 & 1);
}

/* An overflow: gives the address that was interrupted to the test bench, and presets the counters anew. None is found if the
 * handler of an earlier interrupt has met a counter that overflowed behind its acknowledge. */
static void sample(void) {
  uint32_t epc;
  check(PERF_APIC->status == (PERF_PENDING | VECTOR << 16));
  PERF_APIC->ack = PERF_PENDING;
  __asm__ volatile("csrr %0, mepc" : "=r"(epc));
  DEVICE->record = epc;
  uint64_t status = counting.architectural ? read_msr(PERF_GLOBAL_STATUS) : 0;
  for (unsigned c = 0; c < general(); c++)
    if (overflowed(c, status)) write_msr(PERF_COUNTER + c, -active->period[c], 0);
  if (counting.architectural) {
    if (status >> 32 & 1 && active->fixed_period) write_msr(PERF_FIXED, -active->fixed_period, 0xFF);
    write_msr(PERF_GLOBAL_CLEAR, (uint32_t)status, (uint32_t)(status >> 32));
  }
  if (++taken == active->samples && next < counting.count) {
    stop();
    set();
  }
}

/* Called for each trap with a0 and a7 of the program and the cause. */
void handle(uint32_t argument, uint32_t number, uint32_t cause) {
  if (cause == CAUSE_PERF) {
    sample();
    return;
  }
  if (cause != CAUSE_CALL_USER) leave(EXIT_TRAP);
  if (number == CALL_EXIT) {
    stop();
    leave(argument);
  }
  if (number == CALL_TEXT) DEVICE->text = argument;
  uint32_t epc;
  __asm__ volatile("csrr %0, mepc" : "=r"(epc));
  __asm__ volatile("csrw mepc, %0" ::"r"(epc + 4));
}
