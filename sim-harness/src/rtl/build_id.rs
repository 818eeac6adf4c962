//! Builds of the units that this crate was compiled with.

/// Name, parameters and row sizes of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildInfo {
    /// Name of the build, `<unit>_<build>`.
    pub name: &'static str,
    /// Name of the unit.
    pub unit: &'static str,
    /// Module parameters and their values.
    pub parameters: &'static [(&'static str, u32)],
    /// File list of the unit, relative to the directory `rtl`.
    pub file_list: &'static str,
    /// File of the flat image: the module `<unit>_flat`, whose ports are rows.
    pub flat: &'static str,
    /// Number of 32-bit words of the straps.
    pub strap_words: usize,
    /// Number of 32-bit words of a cycle's inputs.
    pub in_words: usize,
    /// Number of 32-bit words of a cycle's outputs and registers.
    pub out_words: usize,
}

include!(concat!(env!("OUT_DIR"), "/builds.rs"));

impl BuildId {
    /// Every build.
    pub const ALL: &'static [BuildId] = ALL;

    /// Returns the builds of a unit, in the order of the table.
    pub fn of_unit(unit: &str) -> impl Iterator<Item = BuildId> {
        ALL.iter().copied().filter(move |build| build.info().unit == unit)
    }

    /// Returns name, parameters and row sizes of the build.
    #[must_use]
    pub fn info(self) -> &'static BuildInfo {
        &INFOS[self.index()]
    }

    /// Returns the name `<unit>_<build>`, which the command line takes.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns the value of a module parameter.
    #[must_use]
    pub fn parameter(self, name: &str) -> Option<u32> {
        self.info().parameters.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Returns the build with this [name](BuildId::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<BuildId> {
        ALL.iter().copied().find(|build| build.name() == name)
    }

    pub(super) fn index(self) -> usize {
        self as usize
    }
}

/// Flavour of a build. Each build exists in both; they behave alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// Without waves and assertions.
    Fast,
    /// With waves, and with the assertions in the RTL.
    Traced,
}
