//! Which accesses are made to fail.

use super::Access;

/// Faults by the order of accesses, whatever they are.
#[derive(Clone, Debug)]
pub(super) struct Plan<F> {
    /// First index that fails, the one after the last, and how.
    fails: Option<(usize, usize, F)>,
    /// The first access that has been made to fail.
    failed: Option<Access>,
}

impl<F: Clone> Plan<F> {
    #[inline]
    pub(super) const fn none() -> Self {
        Self { fails: None, failed: None }
    }

    /// The accesses from `first` up to, but not including, `end` fail.
    #[inline]
    pub(super) const fn failing(first: usize, end: usize, fault: F) -> Self {
        Self { fails: Some((first, end, fault)), failed: None }
    }

    #[inline]
    pub(super) const fn failed(&self) -> Option<Access> {
        self.failed
    }

    /// Whether the access with this index fails.
    pub(super) fn check(&mut self, index: usize, access: Access) -> Result<(), F> {
        match &self.fails {
            Some((first, end, fault)) if (*first..*end).contains(&index) => {
                self.failed.get_or_insert(access);
                Err(fault.clone())
            }
            _ => Ok(()),
        }
    }
}
