//! Which breakpoints an instruction, an access or an I/O port meets (DBG-18, DBG-20, DBG-26 to DBG-29).

use super::choices::Open;
use super::world::{Cycle, World};
use lwp_model::retire::{Access, Io, OpMode};
use lwp_regs::debug::{Condition, Dr7, Enable, Length, Slot, Slots};

/// Breakpoints whose condition held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hits {
    /// Enabled breakpoints.
    pub(super) on: Slots,
    /// Breakpoints that are off.
    pub(super) off: Slots,
}

impl Hits {
    /// Adds hits.
    pub(super) fn add(&mut self, other: Self) {
        self.on |= other.on;
        self.off |= other.off;
    }

    /// Whether there are none of enabled breakpoints.
    pub(super) fn none(self) -> bool {
        self.on.is_empty()
    }
}

/// Returns whether `size` bytes at `addr` and `len` bytes at `start` have one in common. Addresses are modulo 2^bits.
fn overlap(addr: u64, size: u64, start: u64, len: u64, bits: u32) -> bool {
    let mask = u64::MAX >> (64 - bits);
    start.wrapping_sub(addr) & mask < size || addr.wrapping_sub(start) & mask < len
}

impl World {
    /// Returns DR7.
    pub(super) const fn control(&self) -> Dr7 {
        Dr7::from_bits(self.dr7)
    }

    /// Returns the breakpoints for which `meets` holds.
    fn hits(&mut self, c: &mut Cycle<'_>, mut meets: impl FnMut(&mut Self, &mut Cycle<'_>, Slot) -> bool) -> Hits {
        let mut hits = Hits::default();
        for slot in Slot::ALL {
            if meets(self, c, slot) {
                let off = self.control().enable(slot) == Enable::empty();
                if off { hits.off |= slot.set() } else { hits.on |= slot.set() }
            }
        }
        hits
    }

    /// Returns the instruction breakpoints at an address (DBG-36).
    pub(super) fn exec(&mut self, c: &mut Cycle<'_>, ip: u64) -> Hits {
        let hits = self.hits(c, |world, c, slot| {
            if world.control().condition(slot) != Condition::Execute {
                return false;
            }
            let dr = world.dr[slot.number()];
            let same = if c.wide() {
                dr == ip
            } else {
                world.choices.decide(c.path, [(Open::NarrowExec, 3)], |[how]| match how {
                    0 => dr as u32 == ip as u32,
                    1 => dr == ip,
                    _ => dr == u64::from(ip as u32),
                })
            };
            let missed = same && c.straps.exec_length && world.control().length(slot) != Length::One;
            c.seen.exec_missed += u64::from(missed);
            same && !missed
        });
        c.seen.exec_missed += u64::from(hits.none() && !hits.off.is_empty());
        hits
    }

    /// Returns the data breakpoints that an access meets (DBG-29).
    pub(super) fn data(&mut self, c: &mut Cycle<'_>, access: Access) -> Hits {
        if !access.read && !access.write {
            return Hits::default();
        }
        let hits = self.hits(c, |world, c, slot| {
            let waits = match world.control().condition(slot) {
                Condition::Write => access.write,
                Condition::ReadWrite => true,
                Condition::Execute | Condition::Io => return false,
            };
            let covered = world.covers(c, slot, access);
            c.seen.data_missed += u64::from(covered && !waits);
            covered && waits
        });
        c.seen.data_missed += u64::from(!hits.off.is_empty());
        hits
    }

    /// Returns whether a breakpoint's bytes and those of an access have one in common.
    fn covers(&mut self, c: &mut Cycle<'_>, slot: Slot, access: Access) -> bool {
        let (dr, size) = (self.dr[slot.number()], u64::from(access.bytes()));
        let len = self.length(c, slot);
        let narrow = !c.wide();
        self.choices.decide(c.path, [(Open::Unaligned, 2), (Open::NarrowData, 3)], |[unaligned, how]| {
            let start = if unaligned == 0 { dr & !len.saturating_sub(1) } else { dr };
            match how {
                0 if narrow => overlap(access.addr, size, start, len, 32),
                // Each byte of the access, which wraps at 4 GiB.
                2 if narrow => (0..size).any(|byte| {
                    let addr = u64::from(access.addr.wrapping_add(byte) as u32);
                    addr.wrapping_sub(start) < len
                }),
                _ => overlap(access.addr, size, start, len, 64),
            }
        }) && len > 0
    }

    /// Returns the bytes of a breakpoint; 0 for one that hits nothing.
    fn length(&mut self, c: &mut Cycle<'_>, slot: Slot) -> u64 {
        let length = self.control().length(slot);
        if length == Length::Eight && !c.straps.long_mode {
            return [8, 4, 2, 1, 0][usize::from(self.choices.pick(c.path, Open::EightBytes, 5))];
        }
        length.bytes()
    }

    /// Returns the I/O breakpoints that an instruction meets.
    pub(super) fn port(&mut self, c: &mut Cycle<'_>, io: Io) -> Hits {
        self.hits(c, |world, c, slot| {
            if world.control().condition(slot) != Condition::Io {
                return false;
            }
            let dr = world.dr[slot.number()];
            let len = world.length(c, slot);
            let (port, size) = (u64::from(io.port), u64::from(io.ports()));
            let same =
                world.choices.decide(c.path, [(Open::Unaligned, 2), (Open::PortWidth, 3)], |[unaligned, how]| {
                    let start = if unaligned == 0 { dr & !len.saturating_sub(1) } else { dr };
                    len > 0
                        && match how {
                            0 => overlap(port, size, start, len, 64),
                            1 => overlap(port, size, start, len, 16),
                            _ => overlap(port, size, start, len, 32),
                        }
                });
            c.seen.io_without_de += u64::from(same && !c.de);
            // DBG-26: R/W 10 without CR4.DE.
            same && (c.de || !c.straps.io_gate)
        })
    }
}

impl Cycle<'_> {
    /// Whether addresses have 64 bits.
    pub(super) fn wide(&self) -> bool {
        self.straps.long_mode && self.mode.op_mode == OpMode::Long64
    }
}
