//! What an instruction word of RV32IMC does, as far as records, breakpoints and counters show it.
//!
//! Source: The RISC-V Instruction Set Manual, Volume I, "RV32I Base Integer Instruction Set", "C Standard Extension".

/// Kinds of instruction that events distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A branch that may be taken.
    Conditional,
    /// A jump, call or return.
    Unconditional,
    /// A load.
    Load,
    /// Anything else.
    Other,
}

/// Returns the kind of an instruction.
#[must_use]
pub fn kind(word: u32) -> Kind {
    match word & 3 {
        3 => match word & 0x7F {
            0b110_0011 => Kind::Conditional,
            0b110_1111 | 0b110_0111 => Kind::Unconditional,
            0b000_0011 => Kind::Load,
            _ => Kind::Other,
        },
        quadrant => match (quadrant, word >> 13 & 7) {
            // C.LW, C.LWSP
            (0 | 2, 0b010) => Kind::Load,
            // C.JAL, C.J
            (1, 0b001 | 0b101) => Kind::Unconditional,
            // C.BEQZ, C.BNEZ
            (1, 0b110 | 0b111) => Kind::Conditional,
            // C.JR, C.JALR: a register, and no second one, in the place of C.MV, C.ADD and C.EBREAK
            (2, 0b100) if word >> 2 & 0x1F == 0 && word >> 7 & 0x1F != 0 => Kind::Unconditional,
            _ => Kind::Other,
        },
    }
}

/// Returns the number of bytes of an instruction.
#[must_use]
pub fn length(word: u32) -> u32 {
    if word & 3 == 3 { 4 } else { 2 }
}

/// An access to data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataAccess {
    /// It stores; else it loads.
    pub stores: bool,
    /// Bytes.
    pub bytes: u32,
}

/// Returns the access that an instruction makes.
#[must_use]
pub fn data_access(word: u32) -> Option<DataAccess> {
    let (stores, bytes) = if word & 3 == 3 {
        let width = 1 << (word >> 12 & 3);
        match word & 0x7F {
            0b000_0011 => (false, width),
            0b010_0011 => (true, width),
            _ => return None,
        }
    } else {
        match (word & 3, word >> 13 & 7) {
            // C.LW, C.LWSP; C.SW, C.SWSP
            (0 | 2, 0b010) => (false, 4),
            (0 | 2, 0b110) => (true, 4),
            _ => return None,
        }
    };
    Some(DataAccess { stores, bytes })
}
