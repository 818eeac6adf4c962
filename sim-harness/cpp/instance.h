// One running model: a Verilated class with the ports of replay_top.sv, its context, its waves.
#pragma once

#include "registers.h"
#include "verilated.h"
#include "waves.h"

#include <cstring>

template <class Model, bool Traced, void (*Settle)(Model&)>
class Instance {
    // A context of its own makes instances on several threads independent.
    VerilatedContext context_;
    SimMessages messages_;
    Model model_;
    Waves<Traced> waves_;
    uint64_t cycle_ = 0;

    static VerilatedContext* prepare(VerilatedContext& context) {
        // A failed assertion is an answer, not the end of the program.
        context.fatalOnError(false);
        if (Traced) context.traceEverOn(true);
        return &context;
    }

    // The rising edge loads the inputs (see replay_top.sv); nothing happens at the falling edge.
    void cycle(const uint32_t* ins) {
        std::memcpy(&model_.in_i, ins, sizeof(model_.in_i));
        edge(1, 1, 0);
        edge(0, 0, kHalf);
        if (Traced) ++cycle_;
    }

    void edge(uint8_t clk, uint8_t in_clk, uint64_t offset) {
        model_.clk_i = clk;
        model_.in_clk_i = in_clk;
        if (Traced) context_.time(cycle_ * 2 * kHalf + offset);
        model_.eval();
        if (!Traced) return;
        waves_.dump(context_.time());
        // A broken rule breaks again in every cycle; the first time is what is looked for.
        if (context_.gotError()) context_.assertOn(false);
    }

public:
    // Time units of half a cycle: time / 10 is the number of the cycle.
    static constexpr uint64_t kHalf = 5;
    static constexpr size_t kStrapWords = sizeof(Model::straps_i) / 4;
    static constexpr size_t kInWords = sizeof(Model::in_i) / 4;
    static constexpr size_t kOutWords = sizeof(Model::out_o) / 4;

    explicit Instance(const uint32_t* straps)
        : model_{prepare(context_)} {
        sim_messages = &messages_;
        power_up(straps);
    }

    // All-zero inputs hold a unit in reset, so the edge that loads the straps changes nothing else. Every register has an
    // asynchronous reset: an instance that has been used is as good as a new one, and costs a hundredth.
    void power_up(const uint32_t* straps) {
        messages_.forget();
        context_.gotError(false);
        context_.gotFinish(false);
        cycle_ = 0;
        std::memcpy(&model_.straps_i, straps, sizeof(model_.straps_i));
        std::memset(&model_.in_i, 0, sizeof(model_.in_i));
        // Before this edge the unit sees straps of zero, which its assertions may rightly reject.
        context_.assertOn(false);
        for (const uint8_t clk : {0, 1, 0}) {
            model_.clk_i = clk;
            model_.in_clk_i = clk;
            model_.eval();
        }
        context_.assertOn(true);
    }

    ~Instance() {
        enter();
        waves_.close();
        model_.final();
        sim_messages = nullptr;
    }

    // An instance may move between threads; Verilator keeps the current context for each thread.
    void enter() {
        Verilated::threadContextp(&context_);
        sim_messages = &messages_;
    }

    // Power-up, and then at once a cycle in which the registers have the values of `row` and the inputs are `ins`. Returns what the instance
    // shows: the same row, or it could not be loaded. Assertions stay off, as they have registers that no row shows.
    void load(const uint32_t* straps, const uint32_t* registers, const uint32_t* row, const uint32_t* ins, uint32_t* outs) {
        power_up(straps);
        context_.assertOn(false);
        static const Registers<Model, Settle> places{model_, context_, Traced, registers};
        places.load(model_, row);
        // The straps are those of the instance that was learnt from, unless they are loaded again, together with the inputs.
        std::memcpy(&model_.straps_i, straps, sizeof(model_.straps_i));
        std::memcpy(&model_.in_i, ins, sizeof(model_.in_i));
        for (const uint8_t in_clk : {1, 0}) {
            model_.clk_i = 0;
            model_.in_clk_i = in_clk;
            if (Traced) context_.time(in_clk ? 0 : kHalf);
            model_.eval();
            if (Traced) waves_.dump(context_.time());
        }
        std::memcpy(outs, &model_.out_o, sizeof(model_.out_o));
        if (Traced) ++cycle_;
    }

    void step(const uint32_t* ins, uint32_t* outs) {
        cycle(ins);
        std::memcpy(outs, &model_.out_o, sizeof(model_.out_o));
    }

    void advance(uint32_t* outs) {
        edge(1, 0, 0);
        std::memcpy(outs, &model_.out_o, sizeof(model_.out_o));
    }

    void present(const uint32_t* ins) {
        std::memcpy(&model_.in_i, ins, sizeof(model_.in_i));
        edge(1, 1, 1);
        edge(0, 0, kHalf);
        if (Traced) ++cycle_;
    }

    void run(const uint32_t* ins, size_t cycles) {
        for (size_t i = 0; i < cycles; ++i) cycle(ins + i * kInWords);
    }

    int64_t replay(const uint32_t* ins, const uint32_t* expected, size_t cycles, uint32_t* actual) {
        for (size_t i = 0; i < cycles; ++i) {
            cycle(ins + i * kInWords);
            const bool differs = std::memcmp(&model_.out_o, expected + i * kOutWords, sizeof(model_.out_o)) != 0;
            if (differs || (Traced && context_.gotError())) {
                std::memcpy(actual, &model_.out_o, sizeof(model_.out_o));
                return static_cast<int64_t>(i);
            }
        }
        return -1;
    }

    bool take_assertion() {
        if (!context_.gotError()) return false;
        context_.gotError(false);
        context_.gotFinish(false);
        return true;
    }

    const char* messages() const { return messages_.text; }
    void mute(bool muted) { messages_.muted = muted; }

    bool open_waves(const char* path) { return waves_.open(model_, path); }
    void close_waves() { waves_.close(); }
};
