//! The units against the processor that runs the tests. Needs Linux on x86-64; elsewhere nothing would be shown, and nothing compiles.

mod debug;
