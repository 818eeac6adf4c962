// Included before every C++ file: sends what the RTL prints to stderr, as stdout belongs to the program around it.
#pragma once

#include <cstdarg>
#include <cstdio>

__attribute__((format(printf, 1, 2))) static inline int sim_message(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int written = std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    return written;
}

#define VL_PRINTF sim_message
