// One Verilated model as a table of plain functions; src/rtl/ffi.rs declares the same.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct ModelTable {
    // "<unit>_<build>_<flavour>"
    const char* name;
    // 32-bit words of each port
    uint32_t strap_words;
    uint32_t in_words;
    uint32_t out_words;
    void* (*create)(const uint32_t* straps);
    void (*destroy)(void* instance);
    // Power-up once more, with other straps. Not after waves.
    void (*power_up)(void* instance, const uint32_t* straps);
    // Power-up, and a first cycle with the inputs `ins` in which the registers have the values of `row`; `registers` has a 1 for each bit of
    // a row that is a register. `outs` receives what is shown, which is `row` if it could be loaded. Assertions are off afterwards.
    void (*load)(void* instance, const uint32_t* straps, const uint32_t* registers, const uint32_t* row, const uint32_t* ins,
                 uint32_t* outs);
    // One cycle: drives `ins`, then copies what the registers hold in this cycle.
    void (*step)(void* instance, const uint32_t* ins, uint32_t* outs);
    // One cycle in two parts, for inputs that depend on the outputs of the same cycle.
    void (*advance)(void* instance, uint32_t* outs);
    void (*present)(void* instance, const uint32_t* ins);
    // `cycles` cycles; nobody looks at the outputs.
    void (*run)(void* instance, const uint32_t* ins, size_t cycles);
    // Up to `cycles` cycles. Stops after the first whose outputs differ from its row of `expected`, or in which an
    // assertion failed; copies the outputs of that cycle to `actual` and returns its index. Otherwise returns -1.
    int64_t (*replay)(void* instance, const uint32_t* ins, const uint32_t* expected, size_t cycles, uint32_t* actual);
    // Whether an assertion failed since the last call. After the first one, assertions are off.
    bool (*take_assertion)(void* instance);
    // What the RTL has printed since power-up, the beginning of it: assertions name themselves.
    const char* (*messages)(void* instance);
    // Whether that is not shown on stderr as well.
    void (*mute)(void* instance, bool muted);
    // Writes waves from the next cycle on. False where the model was built without.
    bool (*open_waves)(void* instance, const char* path);
    void (*close_waves)(void* instance);
};

}  // extern "C"
