//! Encodings that the assembler made, executed with results computed by hand; and whole programs.

mod monitor;
mod programs;
