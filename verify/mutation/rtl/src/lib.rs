//! The cases of every unit's property tests. They are a library of their own since they take long to compile: program and tests share it.

pub mod family;
