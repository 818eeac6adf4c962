//! The machine code of a function of this process.
#![allow(unsafe_code, reason = "reads the code of a function")]

use iced_x86::{
    Code as Opcode, Decoder, DecoderOptions, FlowControl, Formatter, Instruction, IntelFormatter, Mnemonic,
};
use std::fmt;

/// A function longer than this is not what these checks are for.
const MOST_BYTES: usize = 4096;

/// The instructions of a function, without the padding after it.
#[derive(Clone, Debug)]
pub struct Code {
    instructions: Vec<Instruction>,
}

/// The code of the function at `address`, up to its last return or tail call. A function that only jumps to another one,
/// as the compiler makes of two equal functions, has the code of that one.
///
/// # Safety
///
/// `address` is that of a function of this process.
///
/// # Panics
///
/// If no end is found in the first pages of the function.
#[must_use]
pub unsafe fn of(address: usize) -> Code {
    let start = address as u64;
    // SAFETY: the code of a function can be read; what follows it in its pages may be read too, and the decoder stops at
    // the end of the function, long before the limit.
    let bytes =
        unsafe { std::slice::from_raw_parts(address as *const u8, MOST_BYTES.min(4096 - address % 4096 + 2048)) };
    let mut decoder = Decoder::with_ip(64, bytes, start, DecoderOptions::NONE);
    let (mut instructions, mut furthest) = (Vec::new(), start);
    while decoder.can_decode() {
        let instruction = decoder.decode();
        if instruction.code() == Opcode::INVALID {
            break;
        }
        let forward =
            matches!(instruction.flow_control(), FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch);
        let target = instruction.near_branch_target();
        if forward && target > instruction.ip() && target - start < MOST_BYTES as u64 {
            furthest = furthest.max(target);
        }
        let ends = matches!(
            instruction.flow_control(),
            FlowControl::Return
                | FlowControl::UnconditionalBranch
                | FlowControl::IndirectBranch
                | FlowControl::Exception
        );
        if instructions.is_empty() && instruction.flow_control() == FlowControl::UnconditionalBranch {
            // SAFETY: the compiler jumps to a function only.
            return unsafe { of(usize::try_from(target).expect("an address of this process")) };
        }
        instructions.push(instruction);
        if ends && instruction.next_ip() > furthest {
            return Code { instructions };
        }
    }
    panic!("the function at {address:#x} has no end within {MOST_BYTES} bytes");
}

impl Code {
    /// How many instructions there are; those that do nothing, and the return, are not counted.
    #[must_use]
    pub fn count(&self) -> usize {
        let counted = |one: &&Instruction| {
            !matches!(one.mnemonic(), Mnemonic::Nop | Mnemonic::Endbr64 | Mnemonic::Ret | Mnemonic::Int3)
        };
        self.instructions.iter().filter(counted).count()
    }

    /// Whether another function is called: what it costs is not counted then.
    #[must_use]
    pub fn calls(&self) -> bool {
        self.instructions.iter().any(|one| matches!(one.flow_control(), FlowControl::Call | FlowControl::IndirectCall))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut formatter = IntelFormatter::new();
        for instruction in &self.instructions {
            let mut text = String::new();
            formatter.format(instruction, &mut text);
            writeln!(f, "    {text}")?;
        }
        Ok(())
    }
}
