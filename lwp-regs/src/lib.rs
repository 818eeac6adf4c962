//! lwp-regs
