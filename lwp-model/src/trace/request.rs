//! Stage request: RDMSR and WRMSR.
