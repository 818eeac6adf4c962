//! The unit on the bench: the model.

/// The size of the quick build of the RTL, so that the same tests run on both.
pub(crate) type Unit = lwp_model::lwp::Lwp<4, 8, 31>;
