//! The registers: what a request does, and what it returns.

use super::plain::{Ask, L2, L3, MOST, Op, Straps};

/// Results of a request.
pub(super) const DONE: u8 = 0;
pub(super) const FAULT: u8 = 2;
pub(super) const NOT_MINE: u8 = 4;

/// `IA32_QM_CTR`: the event or RMID is not monitored.
pub(super) const ERROR: u64 = 1 << 63;
/// `IA32_QM_CTR`: there are no data for now.
pub(super) const UNAVAILABLE: u64 = 1 << 62;

/// A register, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    /// `IA32_L3_QOS_CFG`, `IA32_L2_QOS_CFG`.
    Cdp(usize),
    /// `IA32_QM_EVTSEL`.
    Select,
    /// `IA32_QM_CTR`.
    Counter,
    /// `IA32_PQR_ASSOC`.
    Assoc,
    /// `IA32_L3_MASK_n`, `IA32_L2_MASK_n`.
    Mask(usize, usize),
    /// `IA32_L2_QoS_Ext_BW_Thrtl_n`.
    Delay(usize),
}

/// Data of a `IA32_QM_CTR` that has some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    /// This value.
    Value(u64),
    /// Lines of this RMID in the L3 cache.
    Occupancy(u64),
    /// Lines of this RMID that memory transferred; of local memory alone with `true`.
    Bandwidth(u64, bool),
}

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) result: u8,
    pub(super) data: Data,
    /// The register, if the unit has it.
    pub(super) register: Option<Register>,
}

/// What limits the use of the caches and of the memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// CDP is on, for each cache.
    pub(super) cdp: [bool; 2],
    /// The masks of each cache.
    pub(super) masks: [Vec<u64>; 2],
    /// The delays.
    pub(super) delays: Vec<u64>,
}

impl Limits {
    // RDTA-12: CDP is off by default. Masks are all ones after reset and delays 0.
    fn new(straps: &Straps) -> Self {
        let masks = |level: usize| match straps.levels[level] {
            level if level.masks => vec![ones(level.ways); level.highest as usize + 1],
            _ => Vec::new(),
        };
        let delays = straps.delays.map_or(0, |delays| delays.highest as usize + 1);
        Self { cdp: [false; 2], masks: [masks(L3), masks(L2)], delays: vec![0; delays] }
    }

    /// Returns the classes that the masks of a cache have now.
    // RDTA-14: with CDP only the lower half.
    fn classes(&self, level: usize) -> u64 {
        let masks = self.masks[level].len() as u64;
        if self.cdp[level] { masks / 2 } else { masks }
    }

    /// Returns the ways of a cache that a class may fill. A class without a mask is not limited (RDT-10, RDT-11).
    // RDTA-13, RDTA-18, RDTA-19, RDTA-27: the mask of class n is n, with CDP 2n for data and 2n + 1 for code.
    pub(super) fn ways(&self, straps: &Straps, level: usize, class: u64, code: bool) -> u64 {
        if class >= self.classes(level) {
            return ones(straps.levels[level].ways);
        }
        let index = if self.cdp[level] { 2 * class + u64::from(code) } else { class };
        self.masks[level][index as usize]
    }

    /// Returns the delay of a class; a class without one has none.
    pub(super) fn delay(&self, class: u64) -> u64 {
        self.delays.get(class as usize).copied().unwrap_or(0)
    }
}

/// The lowest bits.
pub(super) fn ones(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// Every register.
#[derive(Clone, Debug)]
pub(super) struct Registers {
    /// `IA32_QM_EVTSEL` of each logical processor; the first is that of all, if there is one.
    select: [u64; MOST],
    /// First cycle in which there are data again, for each `IA32_QM_EVTSEL`.
    settled: [u64; MOST],
    /// `IA32_PQR_ASSOC`.
    assoc: [u64; MOST],
    pub(super) limits: Limits,
}

impl Registers {
    pub(super) fn new(straps: &Straps) -> Self {
        Self { select: [0; MOST], settled: [0; MOST], assoc: [0; MOST], limits: Limits::new(straps) }
    }

    /// Returns RMID and class of what a logical processor runs.
    pub(super) fn thread(&self, lp: usize) -> (u64, u64) {
        (self.assoc[lp] & 0xFFFF_FFFF, self.assoc[lp] >> 32)
    }

    /// Returns the answer to a request in cycle `now`, and does what it asks.
    pub(super) fn request(&mut self, straps: &Straps, ask: &Ask, now: u64, unavailable: bool) -> Answer {
        let register = find(straps, ask.number).filter(|_| ask.op != Op::Other);
        let answer = |result: u8, data: Data| Answer { result, data, register };
        let nothing = Data::Value(0);
        let Some(register) = register else { return answer(NOT_MINE, nothing) };
        if ask.level != 0 {
            return answer(FAULT, nothing);
        }
        match ask.op {
            Op::Write(value) if self.refuses(straps, register, value) => answer(FAULT, nothing),
            Op::Write(value) => {
                self.write(straps, register, ask.lp, value, now);
                answer(DONE, nothing)
            }
            _ => answer(DONE, self.read(straps, register, ask.lp, now, unavailable)),
        }
    }

    fn read(&self, straps: &Straps, register: Register, lp: usize, now: u64, unavailable: bool) -> Data {
        let own = if straps.package { 0 } else { lp };
        let value = match register {
            Register::Cdp(level) => u64::from(self.limits.cdp[level]),
            Register::Select => self.select[own],
            Register::Assoc => self.assoc[lp],
            Register::Mask(level, n) => self.limits.masks[level][n],
            Register::Delay(n) => self.limits.delays[n],
            Register::Counter => return self.counter(straps, own, unavailable || now < self.settled[own]),
        };
        Data::Value(value)
    }

    // RDTM-25: Error for an event or an RMID that is not monitored. It hides Unavailable (RDT-07). RDTM-27: neither
    // comes with data.
    fn counter(&self, straps: &Straps, own: usize, unavailable: bool) -> Data {
        let (event, rmid) = (self.select[own] & 0xFF, self.select[own] >> 32);
        let known = (1..=3).contains(&event) && straps.events >> (event - 1) & 1 != 0;
        match event {
            _ if !known || rmid > straps.monitored => Data::Value(ERROR),
            _ if unavailable => Data::Value(UNAVAILABLE),
            1 => Data::Occupancy(rmid),
            _ => Data::Bandwidth(rmid, event == 3),
        }
    }

    /// Returns whether a write of this value is #GP(0).
    fn refuses(&self, straps: &Straps, register: Register, value: u64) -> bool {
        let rmid_bits = if straps.amd { 12 } else { 10 };
        match register {
            Register::Counter => true,
            Register::Cdp(_) => value > 1,
            Register::Select => value & !(ones(rmid_bits) << 32 | 0xFF) != 0,
            // RDTM-31 by RDT-18: of this register alone. The same of the class.
            Register::Assoc => value & 0xFFFF_FFFF > straps.max_rmid || value >> 32 >= self.most_classes(),
            Register::Mask(level, _) => {
                let pieces = value != 0 && !(value >> value.trailing_zeros()).wrapping_add(1).is_power_of_two();
                let intel = value == 0 || pieces && !straps.sparse;
                value > ones(straps.levels[level].ways) || intel && !straps.amd
            }
            // RDTA-33.
            Register::Delay(_) => value > straps.delays.map_or(0, |delays| delays.most),
        }
    }

    /// Returns how many classes software may use now: those that some resource has, and at least class 0.
    fn most_classes(&self) -> u64 {
        [self.limits.classes(L3), self.limits.classes(L2), self.limits.delays.len() as u64, 1]
            .into_iter()
            .max()
            .unwrap_or(1)
    }

    fn write(&mut self, straps: &Straps, register: Register, lp: usize, value: u64, now: u64) {
        let own = if straps.package { 0 } else { lp };
        match register {
            Register::Counter => (),
            Register::Cdp(level) => self.limits.cdp[level] = value != 0,
            Register::Select => {
                self.select[own] = value;
                self.settled[own] = now + 1 + straps.settle;
            }
            Register::Assoc => self.assoc[lp] = value,
            Register::Mask(level, n) => self.limits.masks[level][n] = value,
            Register::Delay(n) => self.limits.delays[n] = value,
        }
    }
}

/// Returns the register with this number, if the straps say that it exists.
fn find(straps: &Straps, number: u32) -> Option<Register> {
    let [l3, l2] = straps.levels;
    let index = |first: u32, exists: bool, highest: u64| {
        let n = u64::from(number.checked_sub(first)?);
        (exists && n <= highest).then_some(n as usize)
    };
    match number {
        0xC81 => l3.cdp.then_some(Register::Cdp(L3)),
        0xC82 => l2.cdp.then_some(Register::Cdp(L2)),
        0xC8D => straps.monitoring().then_some(Register::Select),
        0xC8E => straps.monitoring().then_some(Register::Counter),
        0xC8F => (straps.monitoring() || straps.allocation()).then_some(Register::Assoc),
        0xC90..=0xD0F => index(0xC90, l3.masks, l3.highest).map(|n| Register::Mask(L3, n)),
        0xD10..=0xD4F => index(0xD10, l2.masks, l2.highest).map(|n| Register::Mask(L2, n)),
        0xD50..=0xD8F => {
            let highest = straps.delays.map_or(0, |delays| delays.highest);
            index(0xD50, straps.delays.is_some(), highest).map(Register::Delay)
        }
        _ => None,
    }
}
