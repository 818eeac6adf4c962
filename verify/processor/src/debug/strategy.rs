//! Random programs.

use super::instruction::{Instruction, SELECTOR, Text};
use super::program::{Core, Program, Resume, Rf, Watch};
use crate::memory::{ABSENT, DATA, PAGE, STACK};
use lwp_regs::debug::Length;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Pieces of a program at most.
const PIECES: usize = 10;
/// Iterations of a string instruction at most.
const ITERATIONS: u8 = 12;

/// Generates programs, with breakpoints where they do something.
pub fn program() -> impl Strategy<Value = Program> {
    let code = (any::<bool>(), any::<bool>(), vec(piece(), 1..=PIECES));
    let breakpoints = vec(watch(), 0..=4);
    (code, breakpoints, vec(resume(), 1..=5), core()).prop_map(|(code, breakpoints, resumes, core)| {
        let (narrow, steps, pieces) = code;
        let wide = !narrow;
        let steps = steps && resumes.iter().any(|resume| resume.step);
        let pieces = pieces.into_iter().filter(|piece| piece.iter().all(|one| fits(*one, wide, steps)));
        let instructions: Vec<Instruction> = pieces.flatten().chain([Instruction::Int3]).collect();
        let breakpoints = breakpoints.into_iter().map(|(data, index)| match data {
            Some((at, length, reads)) => Watch::Data { at, length, reads },
            None => Watch::Execute(index.index(instructions.len())),
        });
        let breakpoints = breakpoints.collect();
        let resumes = resumes.into_iter().map(|resume| Resume { step: steps && resume.step, ..resume }).collect();
        Program { wide, instructions, breakpoints, resumes, core }
    })
}

/// Whether the instruction exists in this mode, and does the same if its debugger steps: Linux changes what PUSHF, IRET and system calls do then.
fn fits(instruction: Instruction, wide: bool, steps: bool) -> bool {
    match instruction {
        Instruction::PushSs | Instruction::PopSs => !wide,
        Instruction::Return64 => wide && !steps,
        Instruction::PushFlags | Instruction::System => !steps,
        _ => true,
    }
}

fn core() -> impl Strategy<Value = Core> {
    (any::<bool>(), 1..=4_u8, any::<bool>()).prop_map(|(four, group, asks)| Core { four, group, asks })
}

fn resume() -> impl Strategy<Value = Resume> {
    let rf = prop_oneof![4 => Just(Rf::Keep), 1 => Just(Rf::Set), 1 => Just(Rf::Clear)];
    (any::<bool>(), rf).prop_map(|(step, rf)| Resume { step, rf })
}

/// Generates a place of data: close together, or at a border of pages, some of which are absent.
fn place() -> impl Strategy<Value = u32> {
    let border = |page: u32| 0x1000 * page - 12..0x1000 * page + 12;
    prop_oneof![
        6 => 0x100..0x140_u32,
        1 => border(1),
        1 => border(2),
        1 => border(3),
        1 => 0x4100..0x4108_u32,
    ]
}

/// Moves a place down until so many bytes lie in one line of the cache. A locked access of two lines stops the whole machine; many
/// systems and hosts let whoever does that wait, some for seconds.
fn in_one_line(at: u32, bytes: u32) -> u32 {
    const LINE: u32 = 64;
    at - (at % LINE + bytes).saturating_sub(LINE)
}

/// Generates a breakpoint: of data, or of an instruction of the program.
fn watch() -> impl Strategy<Value = (Option<(u32, Length, bool)>, Index)> {
    let stack = (STACK - DATA) as u32;
    let at = prop_oneof![4 => place(), 1 => Just(SELECTOR), 1 => stack - 64..stack + 8];
    let data = (at, select(&[Length::One, Length::Two, Length::Four, Length::Eight][..]), any::<bool>());
    let data = data.prop_map(|(at, length, reads)| (at & !(length.bytes() as u32 - 1), length, reads));
    (prop_oneof![1 => Just(None), 1 => data.prop_map(Some)], any::<Index>())
}

/// Generates a few instructions that belong together.
fn piece() -> impl Strategy<Value = Vec<Instruction>> {
    prop_oneof![
        8 => single().prop_map(|one| vec![one]),
        3 => string(),
        3 => ss_load(),
        1 => Just(vec![Instruction::Call(2), Instruction::Jump(2), Instruction::Return]),
        1 => (1..=9_u8).prop_map(|bytes| vec![Instruction::Jump(2), Instruction::Nop(bytes)]),
        1 => Just(vec![Instruction::PushFlags, Instruction::SetTrap, Instruction::PopFlags]),
        1 => Just(vec![Instruction::PushFlags, Instruction::ClearTrap, Instruction::PopFlags]),
        1 => Just(vec![Instruction::Int1]),
        1 => Just(vec![Instruction::Int3]),
        1 => Just(vec![Instruction::Undefined]),
        1 => Just(vec![Instruction::Halt]),
        1 => Just(vec![Instruction::Number, Instruction::System]),
        1 => any::<[bool; 2]>().prop_map(far_return),
    ]
}

/// IRETQ to the instruction behind it, with this RF and TF in its image.
pub(super) fn far_return([rf, tf]: [bool; 2]) -> Vec<Instruction> {
    vec![
        Instruction::SaveStack,
        Instruction::Push,
        Instruction::PushSaved,
        Instruction::PushImage(rf, tf),
        Instruction::PushCode,
        Instruction::Target,
        Instruction::PushSaved,
        Instruction::Return64,
    ]
}

/// Generates an instruction that retires and does nothing else.
fn single() -> impl Strategy<Value = Instruction> {
    prop_oneof![
        2 => (1..=9_u8).prop_map(Instruction::Nop),
        3 => (size(), place()).prop_map(|(size, at)| Instruction::Load(size, at)),
        3 => (size(), place()).prop_map(|(size, at)| Instruction::Store(size, at)),
        1 => (narrow(), place()).prop_map(|(size, at)| Instruction::Add(size, at)),
        1 => place().prop_map(|at| Instruction::Exchange(in_one_line(at, 4))),
        1 => place().prop_map(Instruction::CompareExchange),
        1 => Just(Instruction::Push),
        1 => Just(Instruction::Pop),
    ]
}

/// Generates SS loads, and an instruction behind them. What a processor does with a held breakpoint before certain other instructions is
/// in [`differences`](super::differences).
fn ss_load() -> impl Strategy<Value = Vec<Instruction>> {
    let load = prop_oneof![
        3 => Just(vec![Instruction::LoadSsFrom]),
        1 => Just(vec![Instruction::PushSs, Instruction::PopSs]),
    ];
    let behind = prop_oneof![
        4 => single().prop_map(|one| vec![one]),
        1 => string(),
        1 => Just(vec![Instruction::Undefined]),
        1 => Just(vec![Instruction::Nop(1), Instruction::Int3]),
    ];
    let held = (load, behind).prop_map(|(load, behind)| [load, behind].concat());
    let plain = (1..4_usize, single()).prop_map(|(loads, behind)| {
        let mut piece = vec![Instruction::LoadSs; loads];
        piece.push(behind);
        piece
    });
    prop_oneof![2 => held, 1 => plain]
}

fn string() -> impl Strategy<Value = Vec<Instruction>> {
    let text = select(&[Text::Fill, Text::Copy, Text::Read][..]);
    (0..=ITERATIONS, place(), place(), text, narrow()).prop_map(|(count, from, to, text, size)| {
        vec![
            Instruction::Count(count),
            Instruction::Source(from),
            Instruction::Destination(to),
            Instruction::Repeat(text, size),
        ]
    })
}

fn narrow() -> impl Strategy<Value = u8> {
    select(&[1_u8, 2, 4][..])
}

/// Generates a size that this processor can load and store.
fn size() -> impl Strategy<Value = u8> {
    let sizes: &[u8] = match (std::is_x86_feature_detected!("avx"), std::is_x86_feature_detected!("avx512f")) {
        (_, true) => &[1, 2, 4, 8, 16, 32, 64],
        (true, false) => &[1, 2, 4, 8, 16, 32],
        _ => &[1, 2, 4, 8, 16],
    };
    select(sizes)
}

// Every place is within the memory, with the largest access behind it.
const _: () = assert!(DATA + 0x4108 + 64 < ABSENT.end && PAGE == 0x1000);
