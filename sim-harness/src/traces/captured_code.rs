//! The state that the writer and the reader of a capture share: the program's instructions so far, and the expected
//! next action of each. The file contains only the differences from the expectation.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The number that denotes no site.
pub(super) const NO_SITE: u32 = u32::MAX;

/// The static part of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Definition {
    /// The length in bytes, 1 to 15; 0 if not known.
    pub(super) length: u8,
    /// The number of its [`BranchKind`](super::BranchKind), 0 for no branch.
    pub(super) kind: u8,
    /// Whether it loads SS.
    pub(super) ss_load: bool,
    /// The sizes of its loads; `None` if they differ from one execution to the next.
    pub(super) loads: Option<Vec<u16>>,
    /// The sizes of its stores; `None` if they differ from one execution to the next.
    pub(super) stores: Option<Vec<u16>>,
}

/// An instruction at an address, and its last actions.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) ip: u64,
    pub(super) length: u8,
    pub(super) kind: u8,
    /// Whether it loads SS.
    pub(super) ss_load: bool,
    pub(super) loads: Slots,
    pub(super) stores: Slots,
    /// The target of its last jump.
    pub(super) target: u64,
    /// The sites that followed it last: its neighbour, and its target.
    neighbour_site: u32,
    target_site: u32,
}

/// The loads or the stores of a site.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    /// The index of the first slot.
    pub(super) first: u32,
    /// The number of slots; if it is variable, all accesses share one slot.
    pub(super) count: u8,
    /// Whether the number and sizes are in the file for each execution.
    pub(super) variable: bool,
}

/// One load or store of a site.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    pub(super) size: u16,
    last: u64,
    stride: u64,
}

impl Slot {
    /// Returns the address that follows from the last address and step.
    #[inline]
    pub(super) fn expected(&self) -> u64 {
        self.last.wrapping_add(self.stride)
    }

    /// Records an address.
    #[inline]
    pub(super) fn learn(&mut self, address: u64) {
        self.stride = address.wrapping_sub(self.last);
        self.last = address;
    }
}

/// The call depth that is remembered, to expect the targets of returns. Deeper calls only cost bytes.
const RETURNS: usize = 64;

/// The program as far as it is known.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) sites: Vec<Site>,
    pub(super) slots: Vec<Slot>,
    by_ip: HashMap<u64, u32, BuildHasherDefault<IpHasher>>,
    returns: [u64; RETURNS],
    depth: usize,
}

impl Code {
    pub(super) fn new() -> Self {
        Self { sites: Vec::new(), slots: Vec::new(), by_ip: HashMap::default(), returns: [0; RETURNS], depth: 0 }
    }

    /// Returns the site at `ip`, or [`NO_SITE`]. `previous` is the site executed before, if any: the sites that
    /// followed it last make most searches unnecessary.
    #[inline]
    pub(super) fn find(&mut self, previous: u32, ip: u64) -> u32 {
        let Some(site) = self.sites.get(previous as usize) else { return self.search(ip) };
        let guesses = [site.neighbour_site, site.target_site];
        for guess in guesses {
            if self.sites.get(guess as usize).is_some_and(|site| site.ip == ip) {
                return guess;
            }
        }
        let found = self.search(ip);
        let site = &mut self.sites[previous as usize];
        if ip == site.ip.wrapping_add(u64::from(site.length)) {
            site.neighbour_site = found;
        } else {
            site.target_site = found;
        }
        found
    }

    fn search(&self, ip: u64) -> u32 {
        self.by_ip.get(&ip).copied().unwrap_or(NO_SITE)
    }

    /// Creates or changes the site at `ip`.
    pub(super) fn define(&mut self, ip: u64, definition: &Definition) -> u32 {
        let (loads, stores) = (self.slots(definition.loads.as_deref()), self.slots(definition.stores.as_deref()));
        let site = Site {
            ip,
            length: definition.length,
            kind: definition.kind,
            ss_load: definition.ss_load,
            loads,
            stores,
            target: 0,
            neighbour_site: NO_SITE,
            target_site: NO_SITE,
        };
        let known = self.search(ip);
        if let Some(place) = self.sites.get_mut(known as usize) {
            *place = site;
            return known;
        }
        let number = self.sites.len() as u32;
        self.sites.push(site);
        self.by_ip.insert(ip, number);
        number
    }

    /// Creates slots for loads or stores of these sizes.
    fn slots(&mut self, sizes: Option<&[u16]>) -> Slots {
        let slots = Slots {
            first: self.slots.len() as u32,
            count: sizes.map_or(0, |sizes| sizes.len() as u8),
            variable: sizes.is_none(),
        };
        self.slots.extend(sizes.unwrap_or(&[0]).iter().map(|&size| Slot { size, ..Slot::default() }));
        slots
    }

    /// Records the address to which a call will return.
    #[inline]
    pub(super) fn push_return(&mut self, address: u64) {
        self.returns[self.depth % RETURNS] = address;
        self.depth = self.depth.wrapping_add(1);
    }

    /// Returns the expected target of a return.
    #[inline]
    pub(super) fn pop_return(&mut self) -> u64 {
        self.depth = self.depth.wrapping_sub(1);
        self.returns[self.depth % RETURNS]
    }
}

/// A hasher that spreads addresses over a table. It has no key: a file that provokes collisions only slows its own
/// reading.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IpHasher(u64);

impl Hasher for IpHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
