//! The privilege levels of an event.

/// At which privilege levels an event counts. That it counts at none cannot be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Levels {
    /// 1 to 3: USR.
    #[doc(alias = "USR")]
    User,
    /// 0: OS.
    #[doc(alias = "OS")]
    Os,
    /// All: USR and OS.
    #[default]
    All,
}

impl Levels {
    /// The fields USR and OS.
    #[inline]
    pub(crate) const fn usr_and_os(self) -> (bool, bool) {
        (!matches!(self, Self::Os), !matches!(self, Self::User))
    }
}
