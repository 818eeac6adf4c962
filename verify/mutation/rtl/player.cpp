// Plays cases to mutants of the RTL, all of them in this program behind one select, and says which of them differ.
//
//   Vmutants FILE < cases
//
// FILE holds the numbers of the mutants. A case is, in words of 32 bits: how many mutants are dead from now on, their numbers, number
// of cycles, straps, then for each cycle a row of inputs and a row of expected outputs. After each case there is a line `NUMBER CYCLE WHAT` for every mutant that was alive and differs (or broke
// an assertion, where they are compiled in; rows are not compared then) and is dead from now on, and a line `done CYCLES` with the
// cycles that were played. 0 is the RTL without a mutant, played first. Exit code 2: the input ends in the middle of a case.
#include "Vmutants.h"
#include "Vmutants__Syms.h"
#include "verilated.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace {

// A mutant may have a loop without registers: Verilator gives up, and we go on.
struct Unsettled {};

constexpr size_t kStraps = sizeof(Vmutants::straps_i) / 4;
constexpr size_t kIn = sizeof(Vmutants::in_i) / 4;
constexpr size_t kOut = sizeof(Vmutants::out_o) / 4;

// One mutant from power-up on.
class Bench {
    VerilatedContext context_;
    SimMessages messages_;
    std::unique_ptr<Vmutants> top_;

    void edge(uint8_t level) {
        top_->clk_i = level;
        top_->in_clk_i = level;
        top_->eval();
    }

public:
    Bench(uint32_t mutant, const uint32_t* straps) {
        context_.fatalOnError(false);
        Verilated::threadContextp(&context_);
        messages_.muted = true;
        sim_messages = &messages_;
        top_ = std::make_unique<Vmutants>(&context_);
        top_->rootp->vlSymsp->TOP__lwp_mutant_pkg.sel = mutant;
        std::memset(&top_->in_i, 0, sizeof(top_->in_i));
        std::memcpy(&top_->straps_i, straps, sizeof(top_->straps_i));
        // Before the straps are loaded assertions may rightly fail.
        context_.assertOn(false);
        for (const uint8_t level : {0, 1, 0}) edge(level);
        context_.assertOn(true);
    }

    ~Bench() { sim_messages = nullptr; }

    // What is wrong after this cycle; empty: nothing.
    std::string cycle(const uint32_t* row) {
        std::memcpy(&top_->in_i, row, sizeof(top_->in_i));
        edge(1);
        edge(0);
#ifdef MUTANTS_ASSERT
        return context_.gotError() ? label() : "";
#else
        const uint32_t* expected = row + kIn;
        if (std::memcmp(&top_->out_o, expected, sizeof(top_->out_o)) == 0) return "";
        uint32_t actual[kOut];
        std::memcpy(actual, &top_->out_o, sizeof(actual));
        size_t word = 0;
        while (actual[word] == expected[word]) ++word;
        return "word-" + std::to_string(word);
#endif
    }

private:
    // The last part of the path that Verilator prints.
    std::string label() const {
        const std::string text = messages_.text;
        const std::string mark = "Assertion failed in ";
        const size_t at = text.find(mark);
        if (at == std::string::npos) return "error";
        const std::string path = text.substr(at + mark.size(), text.find_first_of(": \n", at + mark.size()) - at - mark.size());
        return path.substr(path.rfind('.') + 1);
    }
};

// Plays one case to one mutant; whether it lives on.
bool survives(uint32_t mutant, const std::vector<uint32_t>& words, uint32_t cycles, unsigned long& played) {
    uint32_t at = 0;
    std::string what;
    try {
        Bench bench{mutant, words.data()};
        for (; at < cycles && what.empty(); ++at) what = bench.cycle(words.data() + kStraps + size_t{at} * (kIn + kOut));
    } catch (const Unsettled&) {
        what = "unsettled";
    }
    played += at;
    if (what.empty()) return true;
    std::printf("%u %u %s\n", mutant, at == 0 ? 0 : at - 1, what.c_str());
    return false;
}

bool take(void* into, size_t bytes) { return std::fread(into, 1, bytes, stdin) == bytes; }

}  // namespace

// Verilator's own would end the program.
void vl_fatal(const char*, int, const char*, const char*) { throw Unsettled{}; }

int main(int argc, char** argv) {
    FILE* list = argc == 2 ? std::fopen(argv[1], "r") : nullptr;
    if (!list) {
        std::fprintf(stderr, "usage: Vmutants FILE < cases\n");
        return 2;
    }
    std::vector<uint32_t> alive{0};
    for (uint32_t number; std::fscanf(list, "%u", &number) == 1;) alive.push_back(number);
    std::fclose(list);
    uint32_t cycles = 0;
    std::vector<uint32_t> words;
    uint32_t count = 0;
    while (take(&count, sizeof(count))) {
        std::set<uint32_t> dead;
        for (uint32_t number; count > 0; --count) {
            if (!take(&number, sizeof(number))) return 2;
            dead.insert(number);
        }
        if (!take(&cycles, sizeof(cycles))) return 2;
        words.resize(kStraps + size_t{cycles} * (kIn + kOut));
        if (!take(words.data(), words.size() * 4)) return 2;
        unsigned long played = 0;
        std::vector<uint32_t> left;
        for (const uint32_t mutant : alive) {
            if (dead.count(mutant) == 0 && survives(mutant, words, cycles, played)) left.push_back(mutant);
        }
        alive = left;
        std::printf("done %lu\n", played);
        std::fflush(stdout);
    }
    return 0;
}
