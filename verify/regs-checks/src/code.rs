//! The machine code of a function of this process.
#![allow(unsafe_code, reason = "reads the code of this process")]

use iced_x86::{
    Code as Opcode, Decoder, DecoderOptions, FlowControl, Formatter, Instruction, IntelFormatter, Mnemonic,
};
use std::collections::BTreeMap;
use std::{fmt, fs};

/// A function with more instructions is not what these checks are for.
const MOST_INSTRUCTIONS: usize = 1000;

/// The instructions that a function can reach, by jumps and tail calls too, but without what it calls.
#[derive(Clone, Debug, Default)]
pub struct Code {
    instructions: BTreeMap<u64, Instruction>,
    calls: bool,
}

/// The code of the function at `address`.
///
/// # Panics
///
/// If there is no code of a program or library at `address`, or more of it than a small function has.
#[must_use]
pub fn of(address: usize) -> Code {
    let text = Text::around(address);
    let mut code = Code::default();
    let mut open = vec![address as u64];
    while let Some(ip) = open.pop() {
        if code.instructions.contains_key(&ip) {
            continue;
        }
        let Some(instruction) = text.decode(ip) else {
            code.calls = true; // a tail call into another library
            continue;
        };
        match instruction.flow_control() {
            FlowControl::Next => open.push(instruction.next_ip()),
            FlowControl::ConditionalBranch => open.extend([instruction.next_ip(), instruction.near_branch_target()]),
            FlowControl::UnconditionalBranch => open.push(instruction.near_branch_target()),
            FlowControl::Return => {}
            FlowControl::Call | FlowControl::IndirectCall => {
                code.calls = true;
                open.push(instruction.next_ip());
            }
            // A jump through a table hides what it costs as a call does; an exception calls its handler.
            _ => code.calls = true,
        }
        code.instructions.insert(ip, instruction);
        assert!(code.instructions.len() <= MOST_INSTRUCTIONS, "the function at {address:#x} is too long");
    }
    code
}

/// A mapping of this process with code in it.
struct Text(&'static [u8]);

impl Text {
    /// The mapping that `address` is in.
    fn around(address: usize) -> Self {
        let maps = fs::read_to_string("/proc/self/maps").expect("Linux says what is mapped");
        let (start, end) = maps
            .lines()
            .filter_map(file_with_code)
            .find(|(start, end)| (start..end).contains(&&address))
            .unwrap_or_else(|| panic!("no code at {address:#x}"));
        // SAFETY: the kernel has just said that this can be read and is not written. It is a file's, so it stays as long
        // as the program or library is loaded, and nothing in these checks unloads one.
        Self(unsafe { std::slice::from_raw_parts(start as *const u8, end - start) })
    }

    /// The instruction at `ip`, if it is in this mapping.
    fn decode(&self, ip: u64) -> Option<Instruction> {
        let offset = usize::try_from(ip).ok()?.checked_sub(self.0.as_ptr().addr())?;
        let instruction = Decoder::with_ip(64, self.0.get(offset..)?, ip, DecoderOptions::NONE).decode();
        (instruction.code() != Opcode::INVALID).then_some(instruction)
    }
}

/// Start and end of a mapping that is read and executed, not written, and comes from a file.
/// The line is `start-end permissions offset device inode path`.
fn file_with_code(line: &str) -> Option<(usize, usize)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[range, "r-xp", _, _, inode, ..] = &words[..] else { return None };
    let (start, end) = range.split_once('-')?;
    let parse = |hex| usize::from_str_radix(hex, 16).ok();
    if inode == "0" { None } else { Some((parse(start)?, parse(end)?)) }
}

impl Code {
    /// How many instructions there are; those that do nothing, and the return, are not counted.
    #[must_use]
    pub fn count(&self) -> usize {
        let counted = |one: &&Instruction| {
            !matches!(one.mnemonic(), Mnemonic::Nop | Mnemonic::Endbr64 | Mnemonic::Ret | Mnemonic::Int3)
        };
        self.instructions.values().filter(counted).count()
    }

    /// Whether there is more to it than the instructions: a call, a jump through a table, an exception.
    #[must_use]
    pub fn calls(&self) -> bool {
        self.calls
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut formatter = IntelFormatter::new();
        for instruction in self.instructions.values() {
            let mut text = String::new();
            formatter.format(instruction, &mut text);
            writeln!(f, "    {text}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{file_with_code, of};

    #[test]
    fn only_code_of_files_is_read() {
        let code = "7f0a1000-7f0a3000 r-xp 00001000 fe:01 42   /usr/bin/with space";
        assert_eq!(file_with_code(code), Some((0x7f0a_1000, 0x7f0a_3000)));
        for other in [
            "7f0a3000-7f0a4000 rw-p 00003000 fe:01 42   /usr/bin/x",
            "7ffd5000-7ffd7000 r-xp 00000000 00:00 0    [vdso]",
            "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]",
        ] {
            assert_eq!(file_with_code(other), None, "{other}");
        }
    }

    #[test]
    #[should_panic(expected = "no code at")]
    fn data_is_no_code() {
        let data = [0xC3u8; 16];
        let _ = of(data.as_ptr().addr());
    }
}
