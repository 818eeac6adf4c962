//! Extent of the randomised tests: `LWP_TIER`.

/// Extent of a test that generates its cases at random. Floors and ceilings apply in every tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Run after each change.
    Test,
    /// Run in continuous integration.
    Ci,
    /// Run overnight.
    Nightly,
}

impl Tier {
    /// Every tier with its name.
    pub const ALL: [(&str, Self); 3] = [("test", Self::Test), ("ci", Self::Ci), ("nightly", Self::Nightly)];

    /// Returns the tier that `LWP_TIER` names; `test` if it is not set.
    ///
    /// # Panics
    ///
    /// If there is no tier of this name.
    #[must_use]
    pub fn get() -> Self {
        let name = std::env::var_os("LWP_TIER").map_or("test".into(), |name| name.to_string_lossy().into_owned());
        Self::named(&name).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the tier of this name.
    ///
    /// # Errors
    ///
    /// The list of names, if there is no tier of this name.
    pub fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, tier)| *tier);
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(name, _)| *name).collect();
            format!("LWP_TIER is `{name}`, but must be one of: {}", names.join(", "))
        })
    }

    /// Returns the one of three values that belongs to this tier.
    pub fn pick<T>(self, test: T, ci: T, nightly: T) -> T {
        match self {
            Self::Test => test,
            Self::Ci => ci,
            Self::Nightly => nightly,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_have_names_and_others_are_refused() {
        assert_eq!(Tier::named("ci"), Ok(Tier::Ci));
        assert_eq!(Tier::Nightly.pick(1, 2, 3), 3);
        for wrong in ["", "CI", "long"] {
            let error = Tier::named(wrong).expect_err("no such tier");
            assert_eq!(error, format!("LWP_TIER is `{wrong}`, but must be one of: test, ci, nightly"));
        }
    }
}
