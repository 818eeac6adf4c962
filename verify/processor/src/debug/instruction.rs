//! Instructions of a program, and their encoding.

use crate::memory::DATA;

/// Offset in the data of the selector of SS that programs load.
pub(super) const SELECTOR: u32 = 0xF00;

/// A string instruction that is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// REP STOS.
    Fill,
    /// REP MOVS.
    Copy,
    /// REP LODS.
    Read,
}

/// An instruction. Addresses are offsets in the data; EBX holds its address, EBP the selector of SS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// NOP of 1 to 9 bytes.
    Nop(u8),
    /// A load of 1, 2, 4, 8, 16, 32 or 64 bytes.
    Load(u8, u32),
    /// A store of as many.
    Store(u8, u32),
    /// ADD to 1, 2 or 4 bytes of memory.
    Add(u8, u32),
    /// XCHG with 4 bytes of memory.
    Exchange(u32),
    /// CMPXCHG with 4 bytes of memory.
    CompareExchange(u32),
    /// PUSH of EBP or RBP.
    Push,
    /// POP.
    Pop,
    /// CALL to so many instructions further than this one.
    Call(u8),
    /// RET to the instruction before this one.
    Return,
    /// JMP to so many instructions further than this one.
    Jump(u8),
    /// PUSHF.
    PushFlags,
    /// Sets TF in the image that PUSHF has pushed.
    SetTrap,
    /// Clears TF in that image.
    ClearTrap,
    /// POPF.
    PopFlags,
    /// MOV SS, EBP.
    LoadSs,
    /// MOV SS from memory.
    LoadSsFrom,
    /// PUSH SS; 32-bit code only.
    PushSs,
    /// POP SS; 32-bit code only.
    PopSs,
    /// INT1.
    Int1,
    /// INT3.
    Int3,
    /// MOV EAX with the number of a system call without effect.
    Number,
    /// INT 80H.
    System,
    /// UD2.
    Undefined,
    /// HLT, which is privileged.
    Halt,
    /// MOV ECX with the iterations of the next string instruction.
    Count(u8),
    /// LEA EDI with its destination.
    Destination(u32),
    /// LEA ESI with its source.
    Source(u32),
    /// A string instruction of 1, 2 or 4 bytes in each iteration.
    Repeat(Text, u8),
    /// MOV RDX, RSP.
    SaveStack,
    /// PUSH RDX.
    PushSaved,
    /// PUSH of an image of RFLAGS with this RF and TF.
    PushImage(bool, bool),
    /// PUSH of the selector of 64-bit code.
    PushCode,
    /// LEA RDX with the address behind the next two instructions: PUSH RDX, and IRETQ, which returns to it.
    Target,
    /// IRETQ.
    Return64,
}

/// Multi-byte NOPs by their length, as the manuals recommend them.
const NOPS: [&[u8]; 9] = [
    &[0x90],
    &[0x66, 0x90],
    &[0x0F, 0x1F, 0x00],
    &[0x0F, 0x1F, 0x40, 0x00],
    &[0x0F, 0x1F, 0x44, 0x00, 0x00],
    &[0x66, 0x0F, 0x1F, 0x44, 0x00, 0x00],
    &[0x0F, 0x1F, 0x80, 0x00, 0x00, 0x00, 0x00],
    &[0x0F, 0x1F, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[0x66, 0x0F, 0x1F, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
];

/// `[EBX + offset]`, with this register field.
fn memory(register: u8, at: u32) -> [u8; 5] {
    let [a, b, c, d] = at.to_le_bytes();
    [0b10_000_011 | register << 3, a, b, c, d]
}

/// Register field of AL, EAX and vector register 0; of DL and EDX.
const EAX: u8 = 0;
const EDX: u8 = 2;

impl Instruction {
    /// Returns the bytes of the instruction. `wide`: for 64-bit code. `over` is the distance of a call or jump from behind the instruction.
    pub(super) fn encode(self, wide: bool, over: u8) -> Vec<u8> {
        let at_memory = |code: &[u8], register, at| [code, &memory(register, at)].concat();
        let rex: &[u8] = if wide { &[0x48] } else { &[] };
        match self {
            Self::Nop(bytes) => NOPS[usize::from(bytes) - 1].to_vec(),
            Self::Load(size, at) => at_memory(load(size), EDX, at),
            Self::Store(size, at) => at_memory(store(size), EAX, at),
            Self::Add(1, at) => at_memory(&[0x00], EDX, at),
            Self::Add(2, at) => at_memory(&[0x66, 0x01], EDX, at),
            Self::Add(_, at) => at_memory(&[0x01], EDX, at),
            Self::Exchange(at) => at_memory(&[0x87], EDX, at),
            Self::CompareExchange(at) => at_memory(&[0x0F, 0xB1], EDX, at),
            Self::Push => vec![0x55],
            Self::Pop => vec![0x5A],
            Self::PushSaved => vec![0x52],
            Self::Call(_) => vec![0xE8, over, 0, 0, 0],
            Self::Return => vec![0xC3],
            Self::Jump(_) => vec![0xEB, over],
            Self::PushFlags => vec![0x9C],
            Self::SetTrap => vec![0x81, 0x0C, 0x24, 0, 1, 0, 0],
            Self::ClearTrap => vec![0x81, 0x24, 0x24, 0xFF, 0xFE, 0xFF, 0xFF],
            Self::PopFlags => vec![0x9D],
            Self::LoadSs => vec![0x8E, 0xD5],
            Self::LoadSsFrom => at_memory(&[0x8E], EDX, SELECTOR),
            Self::PushSs => vec![0x16],
            Self::PopSs => vec![0x17],
            Self::Int1 => vec![0xF1],
            Self::Int3 => vec![0xCC],
            Self::Number => vec![0xB8, 20, 0, 0, 0],
            Self::System => vec![0xCD, 0x80],
            Self::Undefined => vec![0x0F, 0x0B],
            Self::Halt => vec![0xF4],
            Self::Count(count) => vec![0xB9, count, 0, 0, 0],
            Self::Destination(at) => [rex, &[0x8D], &memory(7, at)].concat(),
            Self::Source(at) => [rex, &[0x8D], &memory(6, at)].concat(),
            Self::Repeat(text, size) => string(text, size),
            Self::SaveStack => vec![0x48, 0x89, 0xE2],
            Self::PushImage(rf, tf) => vec![0x68, 0x02, 0x02 | u8::from(tf), u8::from(rf), 0],
            Self::PushCode => vec![0x6A, 0x33],
            Self::Target => vec![0x48, 0x8D, 0x15, 3, 0, 0, 0],
            Self::Return64 => vec![0x48, 0xCF],
        }
    }
}

fn load(size: u8) -> &'static [u8] {
    match size {
        1 => &[0x8A],
        2 => &[0x66, 0x8B],
        4 => &[0x8B],
        8 => &[0xF3, 0x0F, 0x7E],
        16 => &[0x0F, 0x10],
        32 => &[0xC5, 0xFC, 0x10],
        _ => &[0x62, 0xF1, 0x7C, 0x48, 0x10],
    }
}

fn store(size: u8) -> &'static [u8] {
    match size {
        1 => &[0x88],
        2 => &[0x66, 0x89],
        4 => &[0x89],
        8 => &[0x66, 0x0F, 0xD6],
        16 => &[0x0F, 0x11],
        32 => &[0xC5, 0xFC, 0x11],
        _ => &[0x62, 0xF1, 0x7C, 0x48, 0x11],
    }
}

fn string(text: Text, size: u8) -> Vec<u8> {
    let code = match text {
        Text::Fill => 0xAA,
        Text::Copy => 0xA4,
        Text::Read => 0xAC,
    };
    match size {
        1 => vec![0xF3, code],
        2 => vec![0x66, 0xF3, code | 1],
        _ => vec![0xF3, code | 1],
    }
}

/// Address of an offset in the data.
pub(super) const fn address(at: u32) -> u64 {
    DATA + at as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    // By hand, from the opcode maps of the manuals.
    #[test]
    fn encodings() {
        let at = 0x1234;
        let cases: [(Instruction, &[u8]); 8] = [
            (Instruction::Load(4, at), &[0x8B, 0x93, 0x34, 0x12, 0, 0]),
            (Instruction::Store(1, at), &[0x88, 0x83, 0x34, 0x12, 0, 0]),
            (Instruction::Store(16, at), &[0x0F, 0x11, 0x83, 0x34, 0x12, 0, 0]),
            (Instruction::LoadSsFrom, &[0x8E, 0x93, 0x00, 0x0F, 0, 0]),
            (Instruction::Repeat(Text::Copy, 2), &[0x66, 0xF3, 0xA5]),
            (Instruction::Destination(at), &[0x48, 0x8D, 0xBB, 0x34, 0x12, 0, 0]),
            (Instruction::Pop, &[0x5A]),
            (Instruction::PushSaved, &[0x52]),
        ];
        for (instruction, bytes) in cases {
            assert_eq!(instruction.encode(true, 0), bytes, "{instruction:?}");
        }
        assert_eq!(Instruction::Source(at).encode(false, 0), [0x8D, 0xB3, 0x34, 0x12, 0, 0]);
    }
}
