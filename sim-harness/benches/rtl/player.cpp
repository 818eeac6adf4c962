// Plays recorded inputs on one Verilated build of the RTL and prints Mcycles/s of its fastest round.
//
//   player ROWS ROUNDS
//
// ROWS is what `cargo bench --bench lockstep -- --record` writes. Before it is timed, the build has to show the recorded outputs in
// every cycle, as far as its top module shows them. Exit code 1: it does not; 2: wrong arguments.
#include "Vrtl.h"
#include "verilated.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr size_t kStraps = sizeof(Vrtl::straps_i) / 4;
constexpr size_t kIn = sizeof(Vrtl::in_i) / 4;
constexpr size_t kOut = sizeof(Vrtl::out_o) / 4;

struct Rows {
    size_t out_words = 0, cycles = 0;
    std::vector<uint32_t> straps = std::vector<uint32_t>(kStraps), in, out;

    bool read(const char* path) {
        FILE* file = std::fopen(path, "rb");
        uint32_t head[3];
        if (!file || std::fread(head, 4, 3, file) != 3 || head[0] != kIn || head[1] < kOut) return false;
        out_words = head[1];
        cycles = head[2];
        in.resize(kIn * cycles);
        out.resize(out_words * cycles);
        const bool whole = std::fread(straps.data(), 4, kStraps, file) == kStraps &&
                           std::fread(in.data(), 4, in.size(), file) == in.size() &&
                           std::fread(out.data(), 4, out.size(), file) == out.size();
        std::fclose(file);
        return whole;
    }
};

// Seconds of all cycles from power-up on; negative if the outputs are not those of the recording.
double play(const Rows& rows, bool compare) {
    VerilatedContext context;
    // Before the straps are loaded assertions may rightly fail.
    context.fatalOnError(false);
    context.assertOn(false);
    Vrtl top{&context};
    std::memcpy(&top.straps_i, rows.straps.data(), sizeof(top.straps_i));
    std::memset(&top.in_i, 0, sizeof(top.in_i));
    for (const uint8_t level : {0, 1, 0}) {
        top.clk_i = top.in_clk_i = level;
        top.eval();
    }
    context.assertOn(true);
    const auto start = std::chrono::steady_clock::now();
    for (size_t cycle = 0; cycle < rows.cycles; ++cycle) {
        std::memcpy(&top.in_i, &rows.in[cycle * kIn], sizeof(top.in_i));
        for (const uint8_t level : {1, 0}) {
            top.clk_i = top.in_clk_i = level;
            top.eval();
        }
        if (compare && std::memcmp(&top.out_o, &rows.out[cycle * rows.out_words], sizeof(top.out_o)) != 0) {
            std::fprintf(stderr, "player: outputs differ in cycle %zu\n", cycle);
            return -1;
        }
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
    Rows rows;
    const int rounds = argc == 3 ? std::atoi(argv[2]) : 0;
    if (rounds < 1 || !rows.read(argv[1])) {
        std::fprintf(stderr, "usage: player ROWS ROUNDS, with rows of this build\n");
        return 2;
    }
    if (play(rows, true) < 0) return 1;
    double best = play(rows, false);
    for (int round = 1; round < rounds; ++round) best = std::min(best, play(rows, false));
    std::printf("%.4f\n", static_cast<double>(rows.cycles) / best / 1e6);
    return 0;
}
