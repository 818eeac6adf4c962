// Turns an Instance class into a ModelTable.
#pragma once

#include "instance.h"
#include "table.h"

template <class Model, bool Traced, void (*Settle)(Model&)>
constexpr ModelTable exports(const char* name) {
    using I = Instance<Model, Traced, Settle>;
    ModelTable table{};
    table.name = name;
    table.strap_words = I::kStrapWords;
    table.in_words = I::kInWords;
    table.out_words = I::kOutWords;
    table.create = [](const uint32_t* straps) -> void* { return new I{straps}; };
    table.destroy = [](void* p) { delete static_cast<I*>(p); };
    table.power_up = [](void* p, const uint32_t* straps) {
        static_cast<I*>(p)->enter();
        static_cast<I*>(p)->power_up(straps);
    };
    table.load = [](void* p, const uint32_t* straps, const uint32_t* registers, const uint32_t* row, const uint32_t* ins,
                    uint32_t* outs) {
        static_cast<I*>(p)->enter();
        static_cast<I*>(p)->load(straps, registers, row, ins, outs);
    };
    table.step = [](void* p, const uint32_t* ins, uint32_t* outs) {
        static_cast<I*>(p)->enter();
        static_cast<I*>(p)->step(ins, outs);
    };
    table.advance = [](void* p, uint32_t* outs) {
        static_cast<I*>(p)->enter();
        static_cast<I*>(p)->advance(outs);
    };
    table.present = [](void* p, const uint32_t* ins) {
        static_cast<I*>(p)->enter();
        static_cast<I*>(p)->present(ins);
    };
    table.run = [](void* p, const uint32_t* ins, size_t cycles) {
        static_cast<I*>(p)->enter();
        static_cast<I*>(p)->run(ins, cycles);
    };
    table.replay = [](void* p, const uint32_t* ins, const uint32_t* expected, size_t cycles, uint32_t* actual) {
        static_cast<I*>(p)->enter();
        return static_cast<I*>(p)->replay(ins, expected, cycles, actual);
    };
    table.take_assertion = [](void* p) { return static_cast<I*>(p)->take_assertion(); };
    table.messages = [](void* p) { return static_cast<I*>(p)->messages(); };
    table.mute = [](void* p, bool muted) { static_cast<I*>(p)->mute(muted); };
    table.open_waves = [](void* p, const char* path) {
        static_cast<I*>(p)->enter();
        return static_cast<I*>(p)->open_waves(path);
    };
    table.close_waves = [](void* p) {
        static_cast<I*>(p)->enter();
        static_cast<I*>(p)->close_waves();
    };
    return table;
}
