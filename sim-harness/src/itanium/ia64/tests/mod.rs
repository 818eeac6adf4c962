//! Encodings that the assembler made, executed with results computed by hand; and whole programs.

mod assembling;
mod branches;
mod bundles;
mod comparisons;
mod float;
mod images;
mod integer;
mod interruptions;
mod machine;
mod memory;
mod monitor;
mod moves;
mod programs;
mod refused;
mod stack;
mod system;
