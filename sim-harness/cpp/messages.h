// Included before every C++ file: sends what the RTL prints to stderr, as stdout belongs to the program around it, and
// keeps the beginning of it for the instance that is at work.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstring>

// What the RTL of one instance has printed.
struct SimMessages {
    // Ends in a zero. What does not fit is only shown: the first message is what is looked for.
    char text[1024] = "";
    size_t used = 0;
    // Keeps, and shows nothing.
    bool muted = false;

    // Nothing was printed. Whether it is shown stays as it is.
    void forget() {
        text[0] = '\0';
        used = 0;
    }

    void take(const char* format, va_list arguments) {
        const size_t room = sizeof(text) - used;
        const int wanted = std::vsnprintf(text + used, room, format, arguments);
        if (wanted > 0) used += static_cast<size_t>(wanted) < room ? static_cast<size_t>(wanted) : room - 1;
    }
};

// Those of the instance at work on this thread.
inline thread_local SimMessages* sim_messages = nullptr;

__attribute__((format(printf, 1, 2))) static inline int sim_message(const char* format, ...) {
    va_list arguments;
    if (sim_messages) {
        va_start(arguments, format);
        sim_messages->take(format, arguments);
        va_end(arguments);
        if (sim_messages->muted) return 0;
    }
    va_start(arguments, format);
    const int written = std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    return written;
}

#define VL_PRINTF sim_message
