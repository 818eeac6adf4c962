//! Straps: the choices that are fixed after reset.

use crate::choice::choice;
use core::fmt;
use lwp_regs::debug::{DebugCaps, StatusKept};

choice!(StatusKept { AllButBreakpoints = "causes", Nothing = "nothing", All = "all" });

/// The straps of the unit, in the order of the RTL's `config_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whether restricted transactional memory exists.
    pub rtm: bool,
    /// Whether 64-bit mode exists.
    pub long_mode: bool,
    /// Whether an I/O breakpoint needs CR4.DE.
    pub io_gate: bool,
    /// Whether an instruction breakpoint of another length than one byte hits nothing.
    pub exec_length: bool,
    /// Whether a trap of data or I/O alone reports the instruction breakpoint of the next instruction as well.
    pub merge_next: bool,
    /// Whether each of several SS loads in a row casts a shadow, rather than the first alone.
    pub ss_chain: bool,
    /// Whether an instruction behind an SS load is checked for instruction breakpoints.
    pub ss_fetch: bool,
    /// Iterations of a fast string group, minus 1: 0 to 63.
    pub string_group: u8,
    /// What #DB leaves in DR6 of earlier ones.
    pub status: StatusKept,
    /// Whether B0 to B3 also report conditions of breakpoints that are off.
    pub status_off: bool,
    /// RF pushed by a fault other than an instruction breakpoint's.
    pub fault_rf: bool,
    /// Whether INT1 with TF = 1 reports BS.
    pub int1_step: bool,
    /// Whether RF stays as it is inside a repetition, rather than being pushed as 1 there.
    pub rep_rf: bool,
}

impl Config {
    /// A 64-bit processor with RTM, which follows the manual where it decides.
    pub const DEFAULT: Self = Self {
        rtm: true,
        long_mode: true,
        io_gate: true,
        exec_length: false,
        merge_next: false,
        ss_chain: false,
        ss_fetch: false,
        string_group: 0,
        status: StatusKept::AllButBreakpoints,
        status_off: false,
        fault_rf: true,
        int1_step: true,
        rep_rf: false,
    };

    /// Largest value of [`string_group`](Self::string_group).
    pub const MAX_STRING_GROUP: u8 = 63;
}

impl Default for Config {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Combination of straps that is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// Faults push RF as 0 although 64-bit mode exists.
    FaultRfWithLongMode,
    /// Faults push RF as 0 although restricted transactional memory exists.
    FaultRfWithRtm,
    /// A fast string group has more than 64 iterations.
    StringGroup(u8),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FaultRfWithLongMode => {
                f.write_str("fault_rf = 0 needs long_mode = 0: it is the Pentium's, which has no 64-bit mode")
            }
            Self::FaultRfWithRtm => f.write_str("fault_rf = 0 needs rtm = 0: it is the Pentium's, which has no RTM"),
            Self::StringGroup(group) => {
                write!(f, "string_group must be at most {}: it is {group}", Config::MAX_STRING_GROUP)
            }
        }
    }
}

impl core::error::Error for ConfigError {}

impl ConfigError {
    /// Returns the names of the straps that the error is about, the likeliest mistake first.
    #[must_use]
    pub const fn straps(&self) -> &'static [&'static str] {
        match self {
            Self::FaultRfWithLongMode => &["fault_rf", "long_mode"],
            Self::FaultRfWithRtm => &["fault_rf", "rtm"],
            Self::StringGroup(_) => &["string_group"],
        }
    }
}

impl Config {
    /// Checks the combination of straps.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] names the rule that is broken.
    pub const fn validate(&self) -> Result<(), ConfigError> {
        if !self.fault_rf && self.long_mode {
            return Err(ConfigError::FaultRfWithLongMode);
        }
        if !self.fault_rf && self.rtm {
            return Err(ConfigError::FaultRfWithRtm);
        }
        if self.string_group > Self::MAX_STRING_GROUP {
            return Err(ConfigError::StringGroup(self.string_group));
        }
        Ok(())
    }

    /// Returns the features that decide which bits of the debug registers exist.
    #[must_use]
    pub const fn caps(&self) -> DebugCaps {
        let mut caps = if self.long_mode { DebugCaps::INTEL_64 } else { DebugCaps::IA32 };
        caps.rtm = self.rtm;
        caps
    }
}

#[cfg(test)]
mod tests {
    use super::Config;

    #[test]
    fn the_default_is_legal() {
        assert_eq!(Config::default().validate(), Ok(()));
    }
}
