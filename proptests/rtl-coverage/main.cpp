// Plays cases to a unit that was verilated with coverage, compares every row, and writes what was counted.
//
//   Vreplay FILE < cases
//
// A case is: number of cycles (32 bits), straps, then for each cycle a row of inputs and a row of expected outputs. Exit code: 0
// all rows agree, 1 one does not (it is named), 2 the input ends in the middle or the file cannot be written.
#include "Vreplay.h"
#include "verilated.h"
#include "verilated_cov.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>

namespace {

bool take(void* into, size_t bytes) { return std::fread(into, 1, bytes, stdin) == bytes; }

class Bench {
    Vreplay& top_;

    void edge(uint8_t level) {
        top_.clk_i = level;
        top_.in_clk_i = level;
        top_.eval();
    }

public:
    explicit Bench(Vreplay& top)
        : top_{top} {}

    // All-zero inputs hold the unit in reset; the edge loads the straps.
    bool straps() {
        std::memset(&top_.in_i, 0, sizeof(top_.in_i));
        if (!take(&top_.straps_i, sizeof(top_.straps_i))) return false;
        edge(1);
        edge(0);
        return true;
    }

    // The outputs of a cycle are those after the edge that loads its inputs.
    bool cycle(uint32_t* expected, bool& agrees) {
        if (!take(&top_.in_i, sizeof(top_.in_i)) || !take(expected, sizeof(top_.out_o))) return false;
        edge(1);
        edge(0);
        agrees = std::memcmp(&top_.out_o, expected, sizeof(top_.out_o)) == 0;
        return true;
    }
};

int play(Vreplay& top) {
    Bench bench{top};
    uint32_t cycles = 0;
    for (unsigned long number = 0; take(&cycles, sizeof(cycles)); ++number) {
        if (!bench.straps()) return 2;
        for (uint32_t at = 0; at < cycles; ++at) {
            uint32_t expected[sizeof(top.out_o) / 4];
            bool agrees = true;
            if (!bench.cycle(expected, agrees)) return 2;
            if (agrees) continue;
            std::printf("case %lu: model and RTL differ in cycle %u\n", number, at);
            return 1;
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: Vreplay FILE < cases\n");
        return 2;
    }
    VerilatedContext context;
    Vreplay top{&context};
    const int code = play(top);
    if (code == 2) std::fprintf(stderr, "the cases end in the middle of one\n");
    top.final();
    context.coveragep()->write(argv[1]);
    struct stat written;
    return stat(argv[1], &written) == 0 ? code : 2;
}
