//! What an access of the core to the registers of the unit does.

use crate::trace::Access;

/// Result of a MOV: done.
pub(super) const DONE: u32 = 0;
/// Result of a MOV: #GP(0).
pub(super) const GP: u32 = 2;
/// Result of a MOV: #DB.
pub(super) const DB: u32 = 5;

/// A MOV to or from a debug register, with its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moved {
    /// Number of the debug register.
    pub(super) number: u32,
    /// It is a MOV to it.
    pub(super) writes: bool,
    /// The rights are those of the user page.
    pub(super) user: bool,
    /// Value written, or read.
    pub(super) value: u32,
    /// Result.
    pub(super) result: u32,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// STATUS is read.
    Status(u32),
    /// FROM is read.
    From(u32),
    /// FLAGS is read.
    Flags(u32),
    /// FLAGS is written.
    SetFlags(u32),
    /// ACK is written.
    Acknowledge(u32),
    /// A MOV is complete.
    Move(Moved),
    /// The access was refused.
    Error(u32),
    /// A result is read, but no MOV was started before; or the other way round.
    Unpaired,
}

/// Offsets of the page of register requests.
const START: u32 = 0x00;
const NUMBER: u32 = 0x08;
const RESULT: u32 = 0x0C;
const WDATA: u32 = 0x10;
const RDATA: u32 = 0x18;
/// `reg_op` of a MOV to a debug register.
const TO: u32 = 6;

/// Puts the accesses that make a MOV together: the operands, the start, and the reads of result and value.
#[derive(Clone, Debug, Default)]
pub(super) struct Decoder {
    number: u32,
    wdata: u32,
    /// The MOV that was started, whose result software has not read.
    started: Option<Moved>,
}

impl Decoder {
    /// Returns what an access does, if it is complete with it.
    pub(super) fn access(&mut self, access: &Access) -> Option<Does> {
        let Access { address, data, write, error, .. } = *access;
        if error {
            return Some(Does::Error(address));
        }
        if address >> 13 & 1 == 1 {
            return match (address & 0xFFF, write) {
                (0x00, false) => Some(Does::Status(data)),
                (0x04, true) => Some(Does::Acknowledge(data)),
                (0x08, false) => Some(Does::Flags(data)),
                (0x08, true) => Some(Does::SetFlags(data)),
                (0x0C, false) => Some(Does::From(data)),
                _ => None,
            };
        }
        match (address & 0xFFF, write) {
            (NUMBER, true) => self.number = data,
            (WDATA, true) => self.wdata = data,
            (START, true) => {
                let user = address >> 12 & 1 == 0;
                let value = if data == TO { self.wdata } else { 0 };
                let moved = Moved { number: self.number, writes: data == TO, user, value, result: 0 };
                return self.started.replace(moved).map(|_| Does::Unpaired);
            }
            (RDATA, false) => {
                if let Some(started) = self.started.as_mut().filter(|started| !started.writes) {
                    started.value = data;
                }
            }
            (RESULT, false) => {
                let moved = self.started.take().map(|started| Does::Move(Moved { result: data, ..started }));
                return moved.or(Some(Does::Unpaired));
            }
            _ => {}
        }
        None
    }
}
