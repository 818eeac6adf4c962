// The wave file of one instance, and its stand-in for models without waves.
#pragma once

#include <cstdint>

template <bool Traced>
class Waves;

template <>
class Waves<false> {
public:
    template <class Model>
    bool open(Model&, const char*) { return false; }
    void close() {}
    void dump(uint64_t) {}
};

#if VM_TRACE
#include "verilated_fst_c.h"

#include <memory>

template <>
class Waves<true> {
    std::unique_ptr<VerilatedFstC> file_;

public:
    template <class Model>
    bool open(Model& model, const char* path) {
        close();
        file_ = std::make_unique<VerilatedFstC>();
        model.trace(file_.get(), 99);
        file_->open(path);
        return file_->isOpen();
    }
    void close() {
        if (file_ && file_->isOpen()) file_->close();
    }
    void dump(uint64_t time) {
        if (file_ && file_->isOpen()) file_->dump(time);
    }
};
#endif
