// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Random values in every variable of a part of a Verilated design, from a seed of our own: splitmix64 in the order of
// declaration. Verilator's own random reset differs between its versions; this does not depend on them.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "verilated.h"
#include "verilated_syms.h"

namespace {

uint64_t state;

uint64_t next() {
  state += 0x9e3779b97f4a7c15ULL;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

uint64_t mask(int bits) { return bits >= 64 ? ~0ULL : (1ULL << bits) - 1; }

// Bits of a packed variable; 0 for what is no packed variable.
int packed_bits(const VerilatedVar& var) {
  if (var.udims() != 0) return 0;
  switch (var.vltype()) {
    case VLVT_UINT8: case VLVT_UINT16: case VLVT_UINT32: case VLVT_UINT64: case VLVT_WDATA: break;
    default: return 0;
  }
  return static_cast<int>(var.packed().elements());
}

void fill(void* data, VerilatedVarType type, int bits) {
  switch (type) {
    case VLVT_UINT8: *static_cast<uint8_t*>(data) = static_cast<uint8_t>(next() & mask(bits)); break;
    case VLVT_UINT16: *static_cast<uint16_t*>(data) = static_cast<uint16_t>(next() & mask(bits)); break;
    case VLVT_UINT32: *static_cast<uint32_t*>(data) = static_cast<uint32_t>(next() & mask(bits)); break;
    case VLVT_UINT64: *static_cast<uint64_t*>(data) = next() & mask(bits); break;
    default:
      for (auto* word = static_cast<uint32_t*>(data); bits > 0; ++word, bits -= 32) {
        *word = static_cast<uint32_t>(next() & mask(bits < 32 ? bits : 32));
      }
  }
}

}  // namespace

extern "C" int x_scramble(const char* scope, unsigned int seed) {
  state = seed;
  int count = 0;  // bits
  // Scopes come sorted by name; below `scope` are those that it begins.
  for (const auto& named : *Verilated::scopeNameMap()) {
    const std::string name = named.first;
    if (name.find(scope) == std::string::npos || !named.second->varsp()) continue;
    for (auto& var : *named.second->varsp()) {
      const std::string field = var.first;
      // Registers are what ends in _q; wires follow from them.
      if (field.size() < 2 || field.compare(field.size() - 2, 2, "_q") != 0) continue;
      const int bits = packed_bits(var.second);
      if (bits == 0) continue;
      fill(var.second.datap(), var.second.vltype(), bits);
      count += bits;
    }
  }
  std::printf("%d bits of registers spoilt\n", count);
  return count;
}
