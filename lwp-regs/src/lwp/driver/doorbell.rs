//! From the interrupt's handler to who drains.

use core::sync::atomic::{AtomicBool, Ordering};

/// What the handler of the threshold interrupt leaves for the thread that drains: one bit, so that it can be rung in any
/// context and rings that nobody has answered merge.
///
/// The interrupt carries no data and may come late, in another thread than the one that was profiled. A handler that
/// cannot tell rings for every thread that it may concern; who is rung for nothing finds nothing to drain. To wake a
/// thread that sleeps is the system's part.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Overview" (Report).
#[derive(Debug, Default)]
pub struct Doorbell {
    rung: AtomicBool,
}

impl Doorbell {
    /// One that has not been rung.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self { rung: AtomicBool::new(false) }
    }

    /// For the handler: the interrupt has come.
    pub fn ring(&self) {
        self.rung.store(true, Ordering::Release);
    }

    /// For who drains: whether it has been rung since the last answer. Answer first and drain then; what is stored
    /// meanwhile rings again.
    #[must_use = "who is rung for has to drain"]
    pub fn answer(&self) -> bool {
        self.rung.swap(false, Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::Doorbell;

    #[test]
    fn rings_merge_and_are_answered_once() {
        let bell = Doorbell::new();
        assert!(!bell.answer());
        bell.ring();
        bell.ring();
        assert!(bell.answer());
        assert!(!bell.answer());
    }
}
