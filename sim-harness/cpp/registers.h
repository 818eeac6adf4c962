// Where a Verilated model keeps the registers that its rows show, so that an instance can begin in a state that a row describes.
//
// Names of registers are not the same in two translations, and a register may be split or shared. So the places are learnt: a saved instance is
// a stream of bytes (--savable); a bit of the stream whose change, once all logic has settled, changes one bit of a register in the row, is
// that bit. What is not learnt, such as a bit that is always 0, is noticed by whoever loads a row: the instance does not show it.
#pragma once

#include "verilated.h"
#include "verilated_save.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

// Objects as bytes. A stream has a large buffer, so each thread keeps one.
class Saved final : public VerilatedSerialize {
    std::vector<uint8_t> bytes_;

public:
    Saved() { m_isOpen = true; }
    void flush() override {
        bytes_.insert(bytes_.end(), m_bufp, m_cp);
        m_cp = m_bufp;
    }
    template <class Object>
    static std::vector<uint8_t> of(Object& object) {
        static thread_local Saved stream;
        stream.bytes_.clear();
        stream << object;
        stream.flush();
        return stream.bytes_;
    }
};

// Objects from bytes.
class Restored final : public VerilatedDeserialize {
    const uint8_t* next_ = nullptr;
    size_t left_ = 0;

    void fill() override {
        // What is not read yet comes first. After the last byte there is room, whatever is in it.
        const size_t kept = m_endp ? static_cast<size_t>(m_endp - m_cp) : 0;
        std::memmove(m_bufp, m_cp, kept);
        const size_t room = bufferSize() - kept, count = left_ < room ? left_ : room;
        std::memcpy(m_bufp + kept, next_, count);
        next_ += count;
        left_ -= count;
        m_cp = m_bufp;
        m_endp = m_bufp + (left_ ? kept + count : bufferSize());
    }

public:
    Restored() { m_isOpen = true; }
    template <class Object>
    static void into(Object& object, const std::vector<uint8_t>& bytes) {
        static thread_local Restored stream;
        stream.next_ = bytes.data();
        stream.left_ = bytes.size();
        stream.m_cp = stream.m_bufp;
        stream.m_endp = nullptr;
        stream.fill();
        stream >> object;
    }
};

// The learnt places of one model, for all its instances.
template <class Model, void (*Settle)(Model&)>
class Registers {
    static constexpr size_t kBits = sizeof(Model::out_o) * 8;
    // For each bit of the row, the bits of the stream that are this register; none: it is not known.
    std::vector<std::vector<uint32_t>> places_{kBits};

    static void restore(Model& model, const std::vector<uint8_t>& bytes) {
        Restored::into(model, bytes);
        Settle(model);
    }

    // Where the variables begin in the stream: after flags, a checksum, and last the context. None of these may be changed.
    static size_t head(VerilatedContext& context, const std::vector<uint8_t>& bytes) {
        VerilatedContext* const pointer = &context;
        const std::vector<uint8_t> own = Saved::of(pointer);
        const auto found = std::search(bytes.begin(), bytes.end(), own.begin(), own.end());
        return found == bytes.end() ? bytes.size() : static_cast<size_t>(found - bytes.begin()) + own.size();
    }

    // Bits of the row that change with these bits of a byte of the stream.
    static std::vector<uint32_t> changed(Model& model, std::vector<uint8_t>& bytes, size_t at, uint8_t bits,
                                         const std::vector<uint32_t>& shown) {
        bytes[at] ^= bits;
        restore(model, bytes);
        bytes[at] ^= bits;
        std::vector<uint32_t> found;
        for (size_t word = 0; word < shown.size(); ++word) {
            uint32_t difference = shown[word] ^ model.out_o[word];
            for (; difference; difference &= difference - 1) {
                found.push_back(static_cast<uint32_t>(word * 32) + static_cast<uint32_t>(__builtin_ctz(difference)));
            }
        }
        return found;
    }

public:
    // Learns from an instance at power-up, which is as before in the end. `registers` has a 1 for each bit of the row that is a register.
    Registers(Model& model, VerilatedContext& context, const uint32_t* registers) {
        std::vector<uint8_t> bytes = Saved::of(model);
        restore(model, bytes);
        std::vector<uint32_t> shown(kBits / 32);
        std::memcpy(shown.data(), &model.out_o, sizeof(model.out_o));
        for (size_t at = head(context, bytes); at < bytes.size(); ++at) {
            if (changed(model, bytes, at, 0xff, shown).empty()) continue;
            for (unsigned bit = 0; bit < 8; ++bit) {
                uint32_t only = 0, count = 0;
                for (const uint32_t place : changed(model, bytes, at, static_cast<uint8_t>(1u << bit), shown)) {
                    if (!(registers[place / 32] >> (place % 32) & 1)) continue;
                    only = place;
                    ++count;
                }
                if (count == 1) places_[only].push_back(static_cast<uint32_t>(at * 8 + bit));
            }
        }
        restore(model, bytes);
    }

    // Gives the registers of an instance at power-up the values of a row.
    void load(Model& model, const uint32_t* row) const {
        std::vector<uint8_t> bytes = Saved::of(model);
        for (size_t bit = 0; bit < kBits; ++bit) {
            for (const uint32_t place : places_[bit]) {
                const uint8_t mask = static_cast<uint8_t>(1u << place % 8);
                const bool one = row[bit / 32] >> (bit % 32) & 1;
                bytes[place / 8] = static_cast<uint8_t>(one ? bytes[place / 8] | mask : bytes[place / 8] & ~mask);
            }
        }
        restore(model, bytes);
    }
};
