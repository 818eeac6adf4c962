//! Why a value is refused: the register, the bits and the rule.

use core::fmt;

/// A value that a register cannot take, or that the manual says not to write: which register, which of its bits, and
/// the rule that they break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Refused {
    /// Name of the register, as in the manual.
    pub register: &'static str,
    /// The bits that break the rule, in their place.
    pub bits: u64,
    /// The rule.
    pub rule: Rule,
}

/// A rule about the content of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Rule {
    /// The bits are reserved and have to be written as 0.
    MustBeZero,
    /// The bits have to be written as 1.
    MustBeOne,
    /// The bits belong to a feature that this processor lacks, which is named here.
    NotAvailable(&'static str),
    /// The field cannot be larger than this on this processor.
    AtMost(u64),
    /// The register cannot be written.
    ReadOnly,
    /// The combination is undefined or forbidden; the sentence says what has to hold.
    Forbidden(&'static str),
}

impl Refused {
    /// The refusal of `bits` of `register` by `rule`.
    #[must_use]
    #[inline]
    pub const fn new(register: &'static str, bits: u64, rule: Rule) -> Self {
        Self { register, bits, rule }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { register, bits, rule } = self;
        write!(f, "{register}: bits {bits:#x} ")?;
        match rule {
            Rule::MustBeZero => f.write_str("are reserved; write them as 0"),
            Rule::MustBeOne => f.write_str("have to be 1"),
            Rule::NotAvailable(feature) => write!(f, "need {feature}, which this processor lacks"),
            Rule::AtMost(most) => write!(f, "are out of range; the largest value is {most}"),
            Rule::ReadOnly => f.write_str("cannot be written: the register is read-only"),
            Rule::Forbidden(rule) => write!(f, "are not allowed: {rule}"),
        }
    }
}

impl core::error::Error for Refused {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::{Refused, Rule};
    use std::string::ToString;

    #[test]
    fn a_refusal_names_register_bits_and_rule() {
        let text = |rule| Refused::new("DR7", 0x8000, rule).to_string();
        assert_eq!(text(Rule::MustBeZero), "DR7: bits 0x8000 are reserved; write them as 0");
        assert_eq!(text(Rule::MustBeOne), "DR7: bits 0x8000 have to be 1");
        assert_eq!(text(Rule::NotAvailable("RTM")), "DR7: bits 0x8000 need RTM, which this processor lacks");
        assert_eq!(text(Rule::AtMost(3)), "DR7: bits 0x8000 are out of range; the largest value is 3");
        assert_eq!(text(Rule::ReadOnly), "DR7: bits 0x8000 cannot be written: the register is read-only");
        assert_eq!(text(Rule::Forbidden("why")), "DR7: bits 0x8000 are not allowed: why");
    }
}
