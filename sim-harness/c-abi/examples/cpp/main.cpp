// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The model driven from C++: a program of 60 instructions profiles itself, every tenth instruction makes a record.
//
//   main            prints the records and checks them
//   main --inject   one instruction is hidden from the unit, so that the check must fail
//
// Exit code: 0 as expected, 1 not, 2 the model refused a call.

#include "lwp_model.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace {

constexpr std::uint64_t kBlock = 0x10000;   // the control block (LWPCB)
constexpr std::uint64_t kBuffer = 0x20000;  // the ring buffer
constexpr std::uint64_t kCode = 0x401000;
constexpr unsigned kInterval = 10;
constexpr unsigned kInstructions = 60;

void check(lwp_status_t status) {
  if (status == LWP_OK) return;
  std::fprintf(stderr, "%s\n", lwp_model_last_error());
  std::exit(2);
}

// The unit, and a memory that grants at once and answers in the cycle after.
class Machine {
 public:
  lwp_inputs_t in = {};
  lwp_outputs_t out = {};

  Machine() {
    lwp_config_t config;
    check(lwp_config_init(&config, sizeof config));
    config.core_id = 5;
    check(lwp_model_new(&config, sizeof config, LWP_MODEL_ABI_VERSION, &model_));
    check(lwp_model_outputs(model_, &out, sizeof out));
    in.op_mode = LWP_MODE_64;
  }
  ~Machine() { lwp_model_free(model_); }
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  std::uint64_t &word(std::uint64_t address) { return memory_[address & ~std::uint64_t{7}]; }

  // One clock cycle with the inputs in `in`; then `out` is what the next cycle shows.
  void cycle() {
    in.mem_gnt = out.mem_req;
    check(lwp_model_step(model_, &in, sizeof in));
    in.mem_rvalid = in.mem_gnt;
    if (in.mem_gnt) access();
    in.lanes[0] = lwp_lane_t{};
    in.ctl_valid = 0;
    check(lwp_model_outputs(model_, &out, sizeof out));
  }

  // An operation, from request to answer.
  std::uint64_t operation(std::uint8_t op, std::uint64_t value) {
    while (out.stall) cycle();
    in.ctl_valid = 1;
    in.ctl_op = op;
    in.ctl_wdata = value;
    do cycle(); while (!out.rsp_valid);
    if (out.rsp_fault != LWP_FAULT_NONE) std::printf("operation %u ends with fault %u\n", op, out.rsp_fault);
    return out.rsp_rdata;
  }

 private:
  lwp_model_t *model_ = nullptr;
  std::map<std::uint64_t, std::uint64_t> memory_;

  void access() {
    std::uint64_t &data = word(out.mem_addr);
    in.mem_rdata = data;
    if (out.mem_cmd != LWP_MEM_WRITE) return;
    for (unsigned byte = 0; byte < 8; byte++) {
      const std::uint64_t mask = std::uint64_t{0xFF} << (8 * byte);
      if (out.mem_be >> byte & 1) data = (data & ~mask) | (out.mem_wdata & mask);
    }
  }
};

// The control block: a ring of 8 records, one event (instructions retired).
void write_block(Machine &machine) {
  const std::uint64_t buffer_bytes = 8 * 32;
  machine.word(kBlock) = buffer_bytes << 32;
  machine.word(kBlock + 8) = kBuffer;
  machine.word(kBlock + 40) = std::uint64_t{kInterval} << 32 | 1 << 26 | kInterval;  // counter, EventId, interval
}

// Thirty-two cycles an instruction: enough to store a record before the next one retires.
void run(Machine &machine, bool inject) {
  for (unsigned n = 0; n < kInstructions; n++) {
    while (machine.out.stall) machine.cycle();
    lwp_lane_t &lane = machine.in.lanes[0];
    lane.valid = 1;
    lane.counts = !(inject && n == 35);
    lane.ip = kCode + 4 * n;
    lane.branch_next = lane.ip + 4;
    for (int cycle = 0; cycle < 32; cycle++) machine.cycle();
  }
}

bool report(Machine &machine) {
  const std::uint64_t head = machine.word(kBlock + 16) & 0xFFFFFFFF;
  bool good = head == 32 * (kInstructions / kInterval);
  for (std::uint64_t at = 0; at < head; at += 32) {
    const std::uint64_t first = machine.word(kBuffer + at), ip = machine.word(kBuffer + at + 8);
    std::printf("record: event %u, core %u, ip %#llx\n", unsigned(first & 0xFF), unsigned(first >> 8 & 0xFF),
                static_cast<unsigned long long>(ip));
    // The tenth instruction is number 9.
    good = good && ip == kCode + 4 * (at / 32 * kInterval + kInterval - 1);
  }
  return good;
}

}  // namespace

int main(int argc, char **argv) {
  const bool inject = argc > 1 && std::strcmp(argv[1], "--inject") == 0;
  Machine machine;
  write_block(machine);
  machine.operation(LWP_OP_WRITE_MSR0, 0x3);  // ring 0: LWP and the instructions-retired event
  machine.in.cpl = 3;
  machine.cycle();  // a mode change takes a cycle
  machine.operation(LWP_OP_LLWPCB, kBlock);
  run(machine, inject);
  machine.operation(LWP_OP_SLWPCB, 0);
  const bool good = report(machine);
  std::puts(good ? "every tenth instruction was recorded" : "NOT every tenth instruction was recorded");
  return good ? 0 : 1;
}
