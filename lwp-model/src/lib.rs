//! lwp-model
