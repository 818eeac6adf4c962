//! Which addresses the records name most often.

use crate::traces::ProgramMap;
use serde::Serialize;
use std::collections::HashMap;

/// How many records were taken at each instruction. Needs memory for each instruction that has one.
#[derive(Clone, Debug, Default)]
pub struct IpCounts {
    counts: HashMap<u64, u64>,
}

/// An instruction and how many records were taken there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HotAddress {
    /// Linear address of the instruction.
    pub ip: u64,
    /// Records with this address.
    pub count: u64,
    /// Its function and the offset in it (`main+0x1b`), or `file+0xoffset`, if the trace knows where its code came from.
    pub function: Option<String>,
}

impl IpCounts {
    /// One more record at `ip`.
    pub fn add(&mut self, ip: u64) {
        *self.counts.entry(ip).or_default() += 1;
    }

    /// The `number` addresses with most records, most first, equal ones by address.
    #[must_use]
    pub fn hottest(&self, number: usize, program: Option<&ProgramMap>) -> Vec<HotAddress> {
        let mut all: Vec<(u64, u64)> = self.counts.iter().map(|(&ip, &count)| (ip, count)).collect();
        all.sort_unstable_by_key(|&(ip, count)| (std::cmp::Reverse(count), ip));
        all.truncate(number);
        let name = |ip| Some(program?.locate(ip)?.to_string());
        all.into_iter().map(|(ip, count)| HotAddress { ip, count, function: name(ip) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::IpCounts;

    #[test]
    fn most_records_first_then_by_address() {
        let mut counts = IpCounts::default();
        [7, 5, 9, 5, 9, 1].into_iter().for_each(|ip| counts.add(ip));
        let hottest = counts.hottest(3, None);
        assert_eq!(hottest.iter().map(|hot| (hot.ip, hot.count)).collect::<Vec<_>>(), [(5, 2), (9, 2), (1, 1)]);
    }
}
