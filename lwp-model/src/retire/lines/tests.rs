//! The lines of all parts in one table, compared with the contract.

extern crate std;

use crate::flat::{Field, flat_table};
use crate::retire::{
    ACCESS_PORTS, Access, Branch, BranchKind, ControlBits, Flags, IntKind, Interruption, Io, LOAD_PORTS, Length, Load,
    MemAnswer, MemCmd, MemRequest, Mode, OpMode, Processor, RegAnswer, RegRequest, Rep, Retired, Source, Transaction,
};
use std::string::{String, ToString};
use std::vec::Vec;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lane {
    retired: Retired,
    length: Length,
    branch: Branch,
    loads: [Load; LOAD_PORTS],
    accesses: [Access; ACCESS_PORTS],
    flags: Flags,
    transaction: Transaction,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ports {
    lanes: [Lane; 2],
    partial: bool,
    io: Io,
    mode: Mode,
    cs_base: u64,
    interruption: Interruption,
    processor: Processor,
    control: ControlBits,
    reg: RegRequest,
    mem: MemAnswer,
    irq_ack: bool,
    answer: RegAnswer,
    request: MemRequest,
    irq: bool,
    last: bool,
}

flat_table! {
    /// A unit that watches and asks everything.
    Row<const W: usize>(rst_n: bool, ports: Ports): unpack;
    { "rst_n": 1 = *rst_n, }
    each "lanes" (lane in ports.lanes) {
        part retired "" = lane.retired,
        part length "" = lane.length,
        part branch "" = lane.branch,
        part loads "loads" = lane.loads,
        part accesses "accesses" = lane.accesses,
        part flags "" = lane.flags,
        part transaction "" = lane.transaction,
    }
    {
        part partial "" = ports.partial,
        part io "" = ports.io,
        part mode "" = ports.mode,
        part cs_base "" = ports.cs_base,
        part interruption "" = ports.interruption,
        part processor "" = ports.processor,
        part control "" = ports.control,
        part reg_request "" = ports.reg,
        part mem_answer "mem." = ports.mem,
        part irq_ack "" = ports.irq_ack,
        part reg_answer "answer." = ports.answer,
        part mem_request "" = ports.request,
        part irq "" = ports.irq,
        "last": 1 = ports.last
    }
}

/// Names and widths in the tables of a page whose rows say both from this column on, in its order.
fn of_page(page: &str, column: usize) -> Vec<(String, u32)> {
    let row = |line: &str| {
        let mut cells = line.strip_prefix('|')?.split('|').map(str::trim).skip(column);
        let name = cells.next()?.strip_prefix('`')?.strip_suffix('`')?.to_string();
        Some((name, cells.next()?.parse().ok()?))
    };
    page.lines().filter_map(row).collect()
}

/// The same of a row. Of an array the contract names one entry.
fn of_fields(fields: &[Field]) -> Vec<(String, u32)> {
    let first = fields.iter().filter(|field| !field.name.contains("[1]"));
    let bare = |name: &str| name.rsplit('.').next().unwrap_or(name).to_string();
    first.map(|field| (bare(field.name), field.width)).collect()
}

#[test]
fn the_lines_are_those_of_the_contract() {
    let lanes = of_page(include_str!("../../../../docs/src/retire/lanes.md"), 0);
    let fields = of_fields(&Row::<2>::FIELDS[1..]);
    let (shown, asked) = fields.split_at(lanes.len());
    assert_eq!(shown, lanes);

    // The tables of memory and interrupt requests say a direction in front.
    let page = include_str!("../../../../docs/src/retire/requests.md");
    let (register, others) = (of_page(page, 0), of_page(page, 1));
    assert_eq!((register.len(), others.len()), (9, 11));
    assert_eq!(register[8].0, "reg_ready", "no part has it");
    let (mem_request, mem_answer) = (&others[..5], &others[5..9]);
    let (irq, irq_ack) = (&others[9..10], &others[10..]);
    let expected = [&register[..5], mem_answer, irq_ack, &register[5..8], mem_request, irq].concat();
    assert_eq!(asked[..expected.len()], expected);
}

#[test]
fn names_have_the_string_in_front() {
    let names: Vec<_> = Row::<2>::FIELDS.iter().map(|field| field.name).collect();
    for name in ["rst_n", "lanes[0].valid", "lanes[1].loads[1].latency", "lanes[1].rep", "mem.mem_rdata", "last"] {
        assert!(names.contains(&name), "{name}");
    }
    assert_eq!(Row::<0>::FIELDS.len() + 2 * 34, names.len());
}

#[test]
fn every_row_comes_back() {
    let (mut row, mut back) = ([0; Row::<2>::WORDS], [0; Row::<2>::WORDS]);
    // An output has only the codes that are used.
    for field in Row::<2>::FIELDS.iter().filter(|field| field.name != "answer.reg_result") {
        for value in [1, 0x5555_5555_5555_5555, u64::MAX] {
            row.fill(0);
            let wide = u128::from(value & u64::MAX >> (64 - field.width)) << field.lsb;
            for (at, word) in row[field.word..].iter_mut().take(3).enumerate() {
                *word = (wide >> (32 * at)) as u32;
            }
            let (mut rst_n, mut ports) = (false, Ports::default());
            Row::<2>::unpack(&mut rst_n, &mut ports, &row).unwrap();
            Row::<2>::pack(&rst_n, &ports, &mut back);
            for other in Row::<2>::FIELDS {
                assert_eq!(other.of(&back), other.of(&row), "{} of {value:#x} in {}", other.name, field.name);
            }
        }
    }
}

#[test]
fn nothing_happens_by_default() {
    let mut row = [0; Row::<2>::WORDS];
    Row::<2>::pack(&false, &Ports::default(), &mut row);
    for field in Row::<2>::FIELDS {
        let expected = if field.name == "op_mode" { OpMode::Long64 as u64 } else { 0 };
        assert_eq!(field.of(&row), expected, "{}", field.name);
    }
}

#[test]
fn codes_that_are_not_used() {
    assert_eq!(BranchKind::Unused13.acts_as(), BranchKind::System);
    assert_eq!(BranchKind::FarRet.acts_as(), BranchKind::FarRet);
    assert_eq!(IntKind::Unused6.acts_as(), IntKind::Interrupt);
    assert_eq!(IntKind::Rsm.acts_as(), IntKind::Rsm);
    let bytes = [0, 1, 64, 65, 127].map(|size| Access { size, ..Access::default() }.bytes());
    assert_eq!(bytes, [1, 1, 64, 1, 1]);
    let ports = [0, 1, 2, 3, 4, 5, 7].map(|size| Io { size, ..Io::default() }.ports());
    assert_eq!(ports, [1, 1, 2, 1, 4, 1, 1]);
    let modes = [OpMode::Unused5, OpMode::Virtual8086, OpMode::Real].map(|mode| mode.level(2));
    assert_eq!(modes, [2, 3, 0]);
    assert_eq!([Length(0), Length(15)].map(Length::known), [None, Some(15)]);
    assert_eq!([Rep::None, Rep::First, Rep::Further, Rep::Last].map(Rep::counts), [true, false, false, true]);
    assert_eq!((Source::default(), MemCmd::default()), (Source::Unknown, MemCmd::Read));
}
