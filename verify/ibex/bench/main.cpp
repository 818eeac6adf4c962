// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Runs the machine and writes what happens in it to standard output, for the checker (src/trace.rs has the layout).
//
//   Vibex_machine +image=FILE [+every=N] [+unit-every=N] [+limit=CYCLES] [+quiet]
//
// +every, +unit-every: the bus grants core and unit in one cycle of so many. +limit: the most cycles. +quiet: writes only the end, to measure the speed, which
// is in cycles of processor time.
// Exit code: 0 if the program has ended, whatever its own code; 3 if the limit was reached first.

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

#include "Vibex_machine.h"
#include "verilated.h"

namespace {

enum Kind : uint32_t { Retire = 1, Unit = 2, Device = 3, End = 4 };

// One event: six words, the first of which has kind and details, the second the cycle.
struct Event {
  uint32_t words[6];
};

class Output {
 public:
  // What the simulation prints, like the words of an assertion, goes to standard error from now on.
  explicit Output(bool quiet) : file_(fdopen(dup(STDOUT_FILENO), "wb")), quiet_(quiet) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    events_.reserve(Room);
  }
  void put(const Event &event, bool always = false) {
    if (quiet_ && !always) return;
    events_.push_back(event);
    if (events_.size() == Room) flush();
  }
  void flush() {
    if (fwrite(events_.data(), sizeof(Event), events_.size(), file_) != events_.size()) exit(4);
    fflush(file_);
    events_.clear();
  }

 private:
  static constexpr size_t Room = 4096;
  std::vector<Event> events_;
  FILE *file_;
  bool quiet_;
};

uint64_t number(const VerilatedContext &context, const char *name, uint64_t otherwise) {
  const char *match = const_cast<VerilatedContext &>(context).commandArgsPlusMatch(name);
  return *match ? strtoull(match + strlen(name) + 1, nullptr, 0) : otherwise;
}

void show(const Vibex_machine &machine, uint32_t cycle, Output &output) {
  if (machine.unit_o) {
    uint32_t details = Unit | machine.unit_we_o << 8 | machine.unit_err_o << 9 | machine.unit_be_o << 16;
    output.put({{details, cycle, machine.unit_addr_o, machine.unit_data_o, 0, 0}});
  }
  if (machine.trace_o) {
    uint32_t details = Retire | machine.trace_trap_o << 8 | machine.trace_mode_o << 16;
    output.put({{details, cycle, machine.trace_pc_o, machine.trace_next_o, machine.trace_insn_o, machine.trace_addr_o}});
  }
  if (machine.device_o) {
    output.put({{Device | uint32_t(machine.device_register_o) << 8, cycle, machine.device_data_o, 0, 0, 0}});
  }
}

}  // namespace

int main(int argc, char **argv) {
  auto context = std::make_unique<VerilatedContext>();
  context->commandArgs(argc, argv);
  auto machine = std::make_unique<Vibex_machine>(context.get());
  Output output(*context->commandArgsPlusMatch("quiet"));
  const uint64_t limit = number(*context, "limit=", 4000000000u);
  uint32_t cycle = 0;
  bool ended = false;

  // Reset begins with an edge, before the first edge of the clock.
  machine->every_i = number(*context, "every=", 1);
  machine->unit_every_i = number(*context, "unit-every=", 1);
  machine->rst_ni = 1;
  machine->clk_i = 0;
  machine->eval();
  machine->rst_ni = 0;
  machine->eval();
  const clock_t begin = clock();
  while (!ended && cycle < limit && !context->gotFinish()) {
    machine->clk_i = 1;
    machine->eval();
    machine->clk_i = 0;
    if (cycle == 4) machine->rst_ni = 1;
    machine->eval();
    context->timeInc(1);
    cycle++;
    if (cycle > 5) show(*machine, cycle, output);
    ended = machine->device_o && machine->device_register_o == 0;
  }
  const uint64_t nanoseconds = uint64_t(clock() - begin) * (1000000000 / CLOCKS_PER_SEC);
  output.put({{End, cycle, uint32_t(ended), uint32_t(nanoseconds), uint32_t(nanoseconds >> 32), 0}}, true);
  output.flush();
  machine->final();
  return ended ? 0 : 3;
}
