//! Register requests: MOV to and from a debug register (DBG-05 to DBG-10, DBG-17, DBG-24, DBG-62).

use super::choices::Open;
use super::expect::Answer;
use super::matching::Hits;
use super::world::{Cycle, Report, World};
use lwp_model::debug::DbClass;
use lwp_model::retire::{OpMode, RegOp, RegResult};
use lwp_regs::debug::Slots;

/// Bits of DR6 that software writes, without RTM: B0 to B3, BD, BS, BT.
const DR6_WRITABLE: u64 = 0xE00F;
/// DR6 with all bits that software writes as 0, with RTM = 1. Bit 11 reads as 1.
const DR6_FIXED: u64 = 0xFFFE_0FF0;
/// RTM of DR6.
const DR6_RTM: u64 = 1 << 16;
/// Bits of DR7 that software writes, without RTM.
const DR7_WRITABLE: u64 = 0xFFFF_23FF;
/// Bit 10 of DR7 reads as 1.
const DR7_FIXED: u64 = 0x400;
/// RTM of DR7.
const DR7_RTM: u64 = 1 << 11;
/// GD of DR7.
const DR7_GD: u64 = 1 << 13;
/// Values after reset.
const RESET: (u64, u64) = (0xFFFF_0FF0, 0x400);

impl World {
    /// Steps a register request.
    pub(super) fn register(&mut self, c: &mut Cycle<'_>) {
        let write = match c.reg.op {
            RegOp::ReadDr => false,
            RegOp::WriteDr => true,
            _ => {
                c.seen.not_mine += 1;
                self.answer(RegResult::NotMine, 0);
                return;
            }
        };
        let number = (c.reg.number & 7) as usize;
        let result = self.result(c, number, write);
        if result == RegResult::Debug {
            self.detect(c);
        }
        if result != RegResult::Done {
            self.answer(result, 0);
            return;
        }
        c.seen.aliases += u64::from(matches!(number, 4 | 5));
        c.seen.smm_accesses += u64::from(level(c) > 0);
        let rdata = if write { 0 } else { self.read(c, number) };
        if write {
            c.seen.writes += 1;
            self.write(c, number);
        }
        self.answer(RegResult::Done, rdata);
    }

    fn answer(&mut self, result: RegResult, rdata: u64) {
        self.want.answer = Some(Answer { result, rdata });
    }

    /// Returns the result of a request. The order of #UD, #GP(0) for the level and #DB is open; all come before the value is looked at,
    /// since general detect comes before the MOV is executed (DBG-62).
    fn result(&mut self, c: &mut Cycle<'_>, number: usize, write: bool) -> RegResult {
        use RegResult::{Debug, Done, GeneralProtection, InvalidOpcode};
        // DBG-09
        let undefined = matches!(number, 4 | 5) && c.de;
        // DBG-05
        let refused = level(c) > 0 && !c.mode.smm;
        // DBG-24. The conditions are those of the registers of the cycle.
        let detected = self.dr7_before & DR7_GD != 0;
        let first = |world: &mut Self, c: &mut Cycle<'_>, a: bool, b: bool, open: Open| {
            a && !(b && world.choices.second(c.path, open))
        };
        let ud = undefined
            && first(self, c, undefined, refused, Open::UdOrGp)
            && first(self, c, undefined, detected, Open::UdOrDb);
        c.seen.undefined += u64::from(ud);
        if ud {
            return InvalidOpcode;
        }
        if refused && first(self, c, refused, detected, Open::GpOrDb) {
            c.seen.unprivileged += 1;
            return GeneralProtection;
        }
        if detected {
            return Debug;
        }
        if undefined {
            return InvalidOpcode;
        }
        let wide = write && number >= 4 && c.reg.wdata >> 32 != 0;
        if wide && (c.wide() || self.choices.second(c.path, Open::NarrowFault)) {
            c.seen.wide_refused += 1;
            return GeneralProtection;
        }
        Done
    }

    /// General detect: a fault before the MOV, or what it is inside a transaction.
    fn detect(&mut self, c: &mut Cycle<'_>) {
        c.seen.detects += 1;
        let inside = c.straps.rtm && c.ask.in_tx;
        let class = self.class(c, inside, DbClass::Fault);
        let ip = self.go.map_or_else(Hits::default, |go| self.exec(c, go.ip));
        let off = ip.off | self.held.off | self.partial.off;
        let may = if c.straps.status_off { off } else { Slots::empty() };
        self.raise(c, class, Report { may, bd: true, ..Report::default() });
    }

    /// Returns the value of a register.
    fn read(&mut self, c: &mut Cycle<'_>, number: usize) -> u64 {
        match number {
            0..4 => {
                let dr = self.dr[number];
                c.seen.address_reads += u64::from(dr != 0);
                if c.wide() {
                    return dr;
                }
                let low = u64::from(dr as u32);
                self.choices.decide(c.path, [(Open::NarrowRead, 2)], |[how]| if how == 0 { low } else { dr })
            }
            4 | 6 => {
                self.dr6 = self.dr6 & !self.dr6_open | c.out.reg_rdata & self.dr6_open;
                self.dr6_open = 0;
                c.seen.status_reads += u64::from(self.dr6 != RESET.0);
                c.seen.rtm_reads += u64::from(self.dr6 & DR6_RTM == 0);
                self.dr6
            }
            _ => {
                c.seen.control_reads += u64::from(self.dr7 != RESET.1);
                c.seen.local_reads += u64::from(self.local_cleared);
                self.local_cleared = false;
                // A task switch in the same cycle: the read is younger, but reads the registers of the cycle.
                c.path.one_of(&[self.dr7, self.dr7_before])
            }
        }
    }

    /// Writes a register. Writes to reserved bits below 32 are ignored.
    fn write(&mut self, c: &mut Cycle<'_>, number: usize) {
        let value = c.reg.wdata;
        match number {
            0..4 => {
                let (low, old) = (u64::from(value as u32), self.dr[number]);
                let kept = old & !0xFFFF_FFFF | low;
                self.dr[number] = match (c.wide(), c.straps.long_mode) {
                    (true, _) => value,
                    (false, false) => low,
                    (false, true) => self
                        .choices
                        .decide(c.path, [(Open::NarrowWrite, 3)], |[how]| [low, kept, value][usize::from(how)]),
                };
            }
            4 | 6 => {
                let writable = DR6_WRITABLE | if c.straps.rtm { DR6_RTM } else { 0 };
                let fixed = DR6_FIXED | if c.straps.rtm { 0 } else { DR6_RTM };
                self.dr6 = value & writable | fixed;
                self.dr6_open = 0;
            }
            _ => {
                let writable = DR7_WRITABLE | if c.straps.rtm { DR7_RTM } else { 0 };
                self.dr7 = value & writable | DR7_FIXED;
                self.local_cleared = false;
            }
        }
    }
}

/// Returns the privilege level: real mode has 0, virtual-8086 mode 3.
fn level(c: &Cycle<'_>) -> u8 {
    match c.mode.op_mode {
        OpMode::Real => 0,
        OpMode::Virtual8086 => 3,
        _ => c.mode.cpl & 3,
    }
}
