//! The memory of the bench: words exist once they are written, and pages can be removed and returned.

use crate::lwp::scenario::MemoryBehaviour;
use lwp_model::lwp::{MemCmd, Memory as Port, Outputs};
use std::collections::{BTreeMap, BTreeSet};

const PAGE: u64 = 4096;

/// The memory behind the unit's port.
#[derive(Clone, Debug)]
pub struct Memory {
    words: BTreeMap<u64, u64>,
    absent: BTreeSet<u64>,
    behaviour: MemoryBehaviour,
    random: u64,
    owed: Option<(u8, Port)>,
}

impl Memory {
    /// Returns an empty memory, whose behaviour is determined by `seed`.
    #[must_use]
    pub fn new(behaviour: MemoryBehaviour, seed: u64) -> Self {
        Self { words: BTreeMap::new(), absent: BTreeSet::new(), behaviour, random: seed, owed: None }
    }

    /// Returns the memory's side of the port in this cycle.
    pub fn cycle(&mut self, out: &Outputs) -> Port {
        let mut port = Port::default();
        match &mut self.owed {
            Some((0, answer)) => {
                port = *answer;
                self.owed = None;
            }
            Some((left, _)) => *left -= 1,
            None => {}
        }
        if out.mem_req && self.owed.is_none() && !port.rvalid && self.draw() >= self.behaviour.stall {
            port.gnt = true;
            let latency = self.draw() % self.behaviour.latency.max(1);
            self.owed = Some((latency, self.answer(out)));
        }
        port
    }

    fn answer(&mut self, out: &Outputs) -> Port {
        if self.absent.contains(&(out.mem_addr / PAGE)) || self.draw() < self.behaviour.fault {
            return Port { rvalid: true, err: true, ..Port::default() };
        }
        if out.mem_cmd == MemCmd::Write {
            for byte in (0..8).filter(|byte| out.mem_be >> byte & 1 == 1) {
                self.write(out.mem_addr.wrapping_add(byte), &[(out.mem_wdata >> (8 * byte)) as u8]);
            }
        }
        Port { rvalid: true, rdata: self.word(out.mem_addr), ..Port::default() }
    }

    /// Returns a random byte (Splitmix64).
    fn draw(&mut self) -> u8 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z >> 33) as u8
    }

    /// Returns the aligned word at `addr`.
    #[must_use]
    pub fn word(&self, addr: u64) -> u64 {
        self.words.get(&(addr & !7)).copied().unwrap_or_default()
    }

    /// Returns four bytes, as software reads them.
    #[must_use]
    pub fn read32(&self, addr: u64) -> u32 {
        (self.word(addr) >> (8 * (addr & 4))) as u32
    }

    /// Writes bytes, as software does.
    pub fn write(&mut self, addr: u64, bytes: &[u8]) {
        for (at, byte) in bytes.iter().enumerate() {
            let at = addr.wrapping_add(at as u64);
            let word = self.words.entry(at & !7).or_default();
            let shift = 8 * (at & 7);
            *word = *word & !(0xFF << shift) | u64::from(*byte) << shift;
        }
    }

    /// Sets the behaviour of the memory from now on.
    pub fn set_behaviour(&mut self, behaviour: MemoryBehaviour) {
        self.behaviour = behaviour;
    }

    /// Removes the page of `addr`.
    pub fn page_out(&mut self, addr: u64) {
        self.absent.insert(addr / PAGE);
    }

    /// Returns all pages to the memory.
    pub fn page_in(&mut self) {
        self.absent.clear();
    }

    /// Returns every word that was ever written.
    #[must_use]
    pub fn words(&self) -> &BTreeMap<u64, u64> {
        &self.words
    }
}
