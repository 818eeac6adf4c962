//! Which builds of which units this crate was compiled with.

/// What one build is and how large its ports are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildInfo {
    /// `<unit>_<build>`.
    pub name: &'static str,
    /// The hardware unit.
    pub unit: &'static str,
    /// The module parameters and their values.
    pub parameters: &'static [(&'static str, u32)],
    /// The file list of the unit, relative to the RTL folder.
    pub file_list: &'static str,
    /// The file of the flat image: the module `<unit>_flat`, whose ports are rows.
    pub flat: &'static str,
    /// 32-bit words of straps.
    pub strap_words: usize,
    /// 32-bit words of one cycle's inputs.
    pub in_words: usize,
    /// 32-bit words of one cycle's outputs and probe.
    pub out_words: usize,
}

include!(concat!(env!("OUT_DIR"), "/builds.rs"));

impl BuildId {
    /// Every build.
    pub const ALL: &'static [BuildId] = ALL;

    /// The builds of a unit, in the order of the table.
    pub fn of_unit(unit: &str) -> impl Iterator<Item = BuildId> {
        ALL.iter().copied().filter(move |build| build.info().unit == unit)
    }

    /// Name, parameters and sizes of the build.
    #[must_use]
    pub fn info(self) -> &'static BuildInfo {
        &INFOS[self.index()]
    }

    /// `<unit>_<build>`, the name that a command line takes.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The value of a module parameter.
    #[must_use]
    pub fn parameter(self, name: &str) -> Option<u32> {
        self.info().parameters.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The build with this [name](BuildId::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<BuildId> {
        ALL.iter().copied().find(|build| build.name() == name)
    }

    pub(super) fn index(self) -> usize {
        self as usize
    }
}

/// Each build exists twice; both behave alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// No trace code, no assertions.
    Fast,
    /// Can write waves and checks the assertions in the RTL.
    Traced,
}
