//! Leaves of CPUID as `cpuid -1 -r` prints them.

use lwp_regs::access::{Cpuid, CpuidRegisters};
use std::collections::BTreeMap;

/// Leaves of CPUID as values. Leaf 0 is that of Intel if it is not given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaves(BTreeMap<(u32, u32), CpuidRegisters>);

/// A line that is no leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongLine {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong, with the line.
    pub what: String,
}

impl Leaves {
    /// What a line looks like.
    pub const HELP: &str =
        "0x00000010 0x01: eax=0x0000000b ebx=0x00000600 ecx=0x00000004 edx=0x0000000f, as `cpuid -1 -r` prints";

    /// Reads lines as `cpuid -1 -r` prints them; `#` begins a comment.
    ///
    /// # Errors
    /// The first line that is no leaf, or repeats one.
    pub fn parse(text: &str) -> Result<Self, WrongLine> {
        let mut leaves = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() || line.starts_with("CPU") {
                continue;
            }
            let wrong = |what: &str| WrongLine { line: number + 1, what: format!("{what}: `{line}`") };
            let (leaf, registers) = leaf(line).ok_or_else(|| wrong("this is no leaf of CPUID"))?;
            if leaves.insert(leaf, registers).is_some() {
                return Err(wrong("the leaf is there twice"));
            }
        }
        Ok(Self(leaves))
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Cpuid for Leaves {
    fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuidRegisters {
        let highest = || self.0.keys().map(|(leaf, _)| *leaf).filter(|leaf| leaf >> 16 == 0).max().unwrap_or(0);
        match self.0.get(&(leaf, subleaf)) {
            Some(registers) => *registers,
            None if leaf == 0 => [highest(), 0x756E_6547, 0x6C65_746E, 0x4965_6E69],
            None => [0; 4],
        }
    }
}

fn leaf(line: &str) -> Option<((u32, u32), CpuidRegisters)> {
    let (numbers, registers) = line.split_once(':')?;
    let mut numbers = numbers.split_whitespace().map(hexadecimal);
    let (leaf, subleaf) = (numbers.next()??, numbers.next().unwrap_or(Some(0))?);
    if numbers.next().is_some() {
        return None;
    }
    let mut values = registers.split_whitespace();
    let mut result = [0; 4];
    for (name, value) in ["eax=", "ebx=", "ecx=", "edx="].into_iter().zip(&mut result) {
        *value = hexadecimal(values.next()?.strip_prefix(name)?)?;
    }
    values.next().is_none().then_some(((leaf, subleaf), result))
}

fn hexadecimal(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_regs::rdt::RdtCaps;

    const DUMP: &str = "CPU 0:
   0x00000007 0x00: eax=0x00000000 ebx=0x00009000 ecx=0x00000000 edx=0x00000000
   0x0000000f 0x00: eax=0x00000000 ebx=0x0000008f ecx=0x00000000 edx=0x00000002
   0x0000000f 0x01: eax=0x00000000 ebx=0x0000e000 ecx=0x0000008f edx=0x00000007
   0x00000010 0x00: eax=0x00000000 ebx=0x0000000a ecx=0x00000000 edx=0x00000000
   0x00000010 0x01: eax=0x0000000a ebx=0x00000600 ecx=0x00000004 edx=0x0000000f
   0x00000010 0x03: eax=0x00000059 ebx=0x00000000 ecx=0x00000004 edx=0x00000007
";

    #[test]
    fn a_dump_of_cpuid_is_enumerated() {
        let caps = RdtCaps::enumerate(&Leaves::parse(DUMP).unwrap());
        let allocation = caps.allocation.unwrap();
        let l3 = allocation.l3.unwrap();
        assert_eq!((l3.cbm_len, l3.cos_max, l3.cdp, l3.shared), (11, 15, true, 0x600));
        assert!(allocation.l2.is_none());
        let mba = allocation.mba.unwrap();
        assert_eq!((mba.max_delay, mba.linear, mba.cos_max), (90, true, 7));
    }

    #[test]
    fn a_line_that_is_no_leaf_is_named() {
        for (text, (line, what)) in [
            ("0x7: eax=0x1 ebx=0x2 ecx=0x3\n", (1, "this is no leaf of CPUID")),
            ("\n0x7 0x0 0x0: eax=0x1 ebx=0x2 ecx=0x3 edx=0x4", (2, "this is no leaf of CPUID")),
            ("vendor_id = GenuineIntel", (1, "this is no leaf of CPUID: `vendor_id = GenuineIntel`")),
            (
                "0x7: eax=0x1 ebx=0x2 ecx=0x3 edx=0x4\n0x7 0x0: eax=0x1 ebx=0x2 ecx=0x3 edx=0x4",
                (2, "the leaf is there twice"),
            ),
        ] {
            let wrong = Leaves::parse(text).unwrap_err();
            assert!(wrong.line == line && wrong.what.starts_with(what), "{wrong:?}");
        }
    }
}
