// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The command line of main.cpp and the file of rows.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

[[noreturn]] inline void give_up(const std::string &why) {
  std::fprintf(stderr, "tools/peers/cpp: %s\n", why.c_str());
  std::exit(2);
}

// What is spoilt on purpose, to see that it is noticed.
struct Flip {
  static constexpr uint64_t kNever = UINT64_MAX;
  // Bits of word 0 of the inputs: the privilege level.
  static constexpr uint32_t kCpl = 0b1100;

  uint64_t input = kNever;     // in this cycle the RTL alone sees another privilege level
  uint64_t expected = kNever;  // in this cycle bit 0 of `word` of the model's row is another
  unsigned word = 0;
};

struct Arguments {
  std::string rows;
  uint64_t cycles = 0;
  Flip flip;

  Arguments(int argc, char **argv) {
    const std::vector<std::string> given(argv + 1, argv + argc);
    std::size_t at = 0;
    const auto next = [&]() -> const std::string & {
      if (at == given.size()) give_up("usage: main ROWS CYCLES [--flip-input CYCLE] [--flip-expected CYCLE WORD]");
      return given[at++];
    };
    rows = next();
    cycles = number(next());
    while (at < given.size()) {
      const std::string &option = next();
      if (option == "--flip-input") {
        flip.input = number(next());
      } else if (option == "--flip-expected") {
        flip.expected = number(next());
        flip.word = static_cast<unsigned>(number(next())) % 79;
      } else {
        give_up("unknown option " + option);
      }
    }
  }

 private:
  static uint64_t number(const std::string &text) {
    char *end = nullptr;
    const uint64_t value = std::strtoull(text.c_str(), &end, 10);
    if (text.empty() || *end != 0) give_up("'" + text + "' is no number");
    return value;
  }
};

inline std::vector<uint32_t> read_words(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff bytes = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  if (bytes < 12 || bytes % 4 != 0) give_up(path + " cannot be read, or is not a file of rows");
  std::vector<uint32_t> words(static_cast<std::size_t>(bytes) / 4);
  file.seekg(0);
  if (!file.read(reinterpret_cast<char *>(words.data()), bytes)) give_up(path + " cannot be read");
  return words;
}
