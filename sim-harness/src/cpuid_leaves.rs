//! What the processor enumerates: from leaves of CPUID.

use super::error::PlanError;
use lwp_regs::access::{Cpuid, CpuidRegisters};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Leaves of CPUID as values. Leaf 0 is that of Intel if it is not given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Leaves(BTreeMap<(u32, u32), CpuidRegisters>);

const HELP: &str =
    "0x00000010 0x01: eax=0x0000000b ebx=0x00000600 ecx=0x00000004 edx=0x0000000f, as `cpuid -1 -r` prints";

impl Leaves {
    /// Reads a file of lines as `cpuid -1 -r` prints them.
    pub(super) fn load(path: &Path) -> Result<Self, PlanError> {
        let unreadable = |error| PlanError::Unreadable { path: path.to_owned(), error };
        let text = fs::read_to_string(path).map_err(unreadable)?;
        Self::parse(path, &text)
    }

    fn parse(path: &Path, text: &str) -> Result<Self, PlanError> {
        let mut leaves = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() || line.starts_with("CPU") {
                continue;
            }
            let wrong = |what: &str| PlanError::Line {
                path: path.to_owned(),
                line: number + 1,
                what: format!("{what}: `{line}`"),
                help: HELP,
            };
            let (leaf, registers) = leaf(line).ok_or_else(|| wrong("this is no leaf of CPUID"))?;
            if leaves.insert(leaf, registers).is_some() {
                return Err(wrong("the leaf is there twice"));
            }
        }
        Ok(Self(leaves))
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

    fn parse(text: &str) -> Result<Leaves, PlanError> {
        Leaves::parse(Path::new("dump"), text)
    }

    #[test]
    fn a_dump_of_cpuid_is_enumerated() {
        let caps = RdtCaps::enumerate(&parse(DUMP).unwrap());
        let allocation = caps.allocation.unwrap();
        let l3 = allocation.l3.unwrap();
        assert_eq!((l3.cbm_len, l3.cos_max, l3.cdp, l3.shared), (11, 15, true, 0x600));
        assert!(allocation.l2.is_none());
        let mba = allocation.mba.unwrap();
        assert_eq!((mba.max_delay, mba.linear, mba.cos_max), (90, true, 7));
    }

    #[test]
    fn a_line_that_is_no_leaf_is_named() {
        for (text, line) in [
            ("0x7: eax=0x1 ebx=0x2 ecx=0x3\n", "line 1"),
            ("\n0x7 0x0 0x0: eax=0x1 ebx=0x2 ecx=0x3 edx=0x4", "line 2"),
            ("vendor_id = GenuineIntel", "line 1"),
            (
                "0x7: eax=0x1 ebx=0x2 ecx=0x3 edx=0x4\n0x7 0x0: eax=0x1 ebx=0x2 ecx=0x3 edx=0x4",
                "line 2: the leaf is there twice",
            ),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(line), "{error}");
        }
    }
}
