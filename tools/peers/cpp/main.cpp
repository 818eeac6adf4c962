// SPDX-License-Identifier: MIT OR Apache-2.0
//
// RTL and model side by side as one would write it in C++: a Verilated class, the model's C library, a memcmp in every cycle.
//
//   main ROWS CYCLES [--flip-input CYCLE] [--flip-expected CYCLE WORD]
//
// ROWS: three words of straps, then the words of each cycle's inputs. Exit code: 0 no difference, 1 one, 2 anything else.

#include "Vrtl.h"
#include "lwp_model.h"
#include "peer.h"

#include <chrono>
#include <cstring>

namespace {

void must(lwp_status_t status) {
  if (status != LWP_OK) give_up(lwp_model_last_error());
}

#ifdef REGISTERED
// Ports of replay_top.sv: the inputs come from registers, so logic behind them is computed once a cycle.
void begin(Vrtl &rtl) {
  rtl.clk_i = rtl.in_clk_i = 1;
  rtl.eval();
  rtl.clk_i = rtl.in_clk_i = 0;
  rtl.eval();
}
void end(Vrtl &) {}
#else
// Ports of lwp_flat: inputs while the clock is low, then the edge.
void begin(Vrtl &rtl) {
  rtl.clk_i = 0;
  rtl.eval();
}
void end(Vrtl &rtl) {
  rtl.clk_i = 1;
  rtl.eval();
}
#endif

// Straps are set and inputs are 0, which is reset.
void power_up(Vrtl &rtl, const uint32_t *straps) {
  std::memcpy(&rtl.straps_i, straps, sizeof rtl.straps_i);
  std::memset(&rtl.in_i, 0, sizeof rtl.in_i);
  begin(rtl);
  end(rtl);
}

// The cycle in which RTL and model differ, or `cycles`.
uint64_t compare(Vrtl &rtl, lwp_model_t *model, const uint32_t *rows, uint64_t cycles, const Flip &flip) {
  constexpr uint32_t kWords = sizeof rtl.in_i / 4;
  uint32_t expected[LWP_ROW_WORDS];
  static_assert(sizeof rtl.out_o == sizeof expected, "a row");
  for (uint64_t cycle = 0; cycle < cycles; cycle++) {
    const uint32_t *row = rows + cycle * kWords;
    std::memcpy(&rtl.in_i, row, sizeof rtl.in_i);
    if (cycle == flip.input) rtl.in_i[0] ^= Flip::kCpl;
    begin(rtl);
    must(lwp_model_probe(model, expected, LWP_ROW_WORDS));
    if (cycle == flip.expected) expected[flip.word] ^= 1;
    if (std::memcmp(&rtl.out_o, expected, sizeof expected) != 0) return cycle;
    end(rtl);
    must(lwp_model_step_words(model, row, kWords));
  }
  return cycles;
}

}  // namespace

int main(int argc, char **argv) {
  const Arguments given(argc, argv);
  const auto words = read_words(given.rows);
  Vrtl rtl;
  if (words.size() < LWP_STRAP_WORDS + given.cycles * (sizeof rtl.in_i / 4)) give_up("ROWS has fewer cycles");
  lwp_model_t *model = nullptr;
  must(lwp_model_new_words(words.data(), LWP_STRAP_WORDS, 4, 8, 31, LWP_MODEL_ABI_VERSION, &model));
  power_up(rtl, words.data());

  const auto start = std::chrono::steady_clock::now();
  const uint64_t cycle = compare(rtl, model, words.data() + LWP_STRAP_WORDS, given.cycles, given.flip);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  if (cycle < given.cycles) {
    // The library names the fields.
    const lwp_status_t status = lwp_model_check(model, reinterpret_cast<const uint32_t *>(&rtl.out_o), LWP_ROW_WORDS);
    if (status == LWP_ERR_MISMATCH) std::fprintf(stderr, "%s\n", lwp_model_last_error());
    std::printf("peer: cycle %llu differs\n", static_cast<unsigned long long>(cycle));
  } else {
    std::printf("peer: %llu cycles in %.9f s\n", static_cast<unsigned long long>(cycle), seconds.count());
  }
  rtl.final();
  must(lwp_model_free(model));
  return cycle < given.cycles ? 1 : 0;
}
