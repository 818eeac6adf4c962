//! What an access of the core to the registers of the unit does, and in which cycle.

use super::registers::Request;
use crate::trace::Access;

/// What happens in a cycle because of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// A request is accepted: page and operation.
    Request(usize, u32),
    /// A register of a page is written: page and number of the register.
    Write(usize, usize, u32),
    /// A register of a page is read.
    Read(usize, usize, u32),
    /// STATUS is read.
    Status(u32),
    /// The interrupt is acknowledged.
    Acknowledge,
    /// The entry is read.
    Entry(u32),
    /// The entry is written.
    SetEntry(u32),
    /// The access was refused.
    Error(u32),
}

/// Registers of a page, by offset / 4.
pub(super) const NUMBER: usize = 2;
pub(super) const RESULT: usize = 3;
pub(super) const WDATA: usize = 4;
pub(super) const RDATA: usize = 6;

/// The two pages of register requests: user, kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages([[u32; 8]; 2]);

impl Pages {
    /// Returns what an access does, and how many cycles before its response.
    pub(super) fn access(access: &Access) -> (u32, Does) {
        let Access { address, data, write, error, .. } = *access;
        let page = address as usize >> 12 & 1;
        let register = address as usize >> 2 & 0x3FF;
        if error {
            return (1, Does::Error(address));
        }
        match (address >> 13 & 1, register, write) {
            (1, 0, false) => (1, Does::Status(data)),
            (1, 1, true) if data & 1 == 1 => (1, Does::Acknowledge),
            (1, 2, false) => (1, Does::Entry(data)),
            (1, 2, true) => (1, Does::SetEntry(data)),
            // The response comes two cycles after the acceptance: the answer, and the response itself.
            (0, 0, true) => (2, Does::Request(page, data & 0xF)),
            (0, 1..8, true) => (1, Does::Write(page, register, data)),
            (0, 0..8, false) => (1, Does::Read(page, register, data)),
            _ => (1, Does::Error(address)),
        }
    }

    /// Returns the request that a page makes with this operation.
    pub(super) fn request(&self, page: usize, operation: u32) -> Request {
        let words = &self.0[page];
        let wdata = u64::from(words[WDATA]) | u64::from(words[WDATA + 1]) << 32;
        Request { operation, number: words[NUMBER], wdata, user: page == 0 }
    }

    /// Writes a register.
    pub(super) fn write(&mut self, page: usize, register: usize, data: u32) {
        self.0[page][register] = if register == RESULT { data & 7 } else { data };
    }

    /// Returns a register.
    pub(super) fn read(&self, page: usize, register: usize) -> u32 {
        self.0[page][register]
    }

    /// Keeps the answer to a request.
    pub(super) fn answer(&mut self, page: usize, (result, value): (u32, u64)) {
        self.0[page][RESULT] = result;
        self.0[page][RDATA] = value as u32;
        self.0[page][RDATA + 1] = (value >> 32) as u32;
    }
}
