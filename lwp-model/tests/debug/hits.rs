//! Which breakpoints an address, an access and a port meet: the page `docs/src/debug/comparators.md`, byte by byte.

use super::bench::{Bench, at, writes};
use lwp_model::debug::{Config, Inputs, Lane};
use lwp_model::retire::{Access, Io, OpMode};
use lwp_regs::debug::Slots;

/// A unit with these contents of DR0 and DR7.
fn armed(straps: Config, address: u64, control: u64) -> Bench {
    let mut bench = Bench::new(straps);
    bench.write(0, address);
    bench.write(7, control);
    bench
}

/// Breakpoint 0, global, with these R/W and LEN.
fn dr7(rw: u64, len: u64) -> u64 {
    2 | rw << 16 | len << 18
}

/// Bytes of each code of LEN.
const BYTES: [u64; 4] = [1, 2, 8, 4];

/// Whether this group hits breakpoint 0. A #DB is taken.
fn hits(bench: &mut Bench, inputs: Inputs<4>) -> bool {
    let out = bench.cycle(inputs);
    if out.db_valid {
        assert_eq!(out.db_b, Slots::DR0);
        bench.deliver(0);
    }
    out.db_valid
}

fn lane(lane: Lane) -> Inputs<4> {
    let mut inputs = Inputs::default();
    inputs.lanes[0] = lane;
    inputs
}

fn reads(addr: u64, size: u8) -> Lane {
    let mut lane = at(0x400);
    lane.accesses[0] = Access { read: true, write: false, addr, size };
    lane
}

fn port(write: bool, port: u16, size: u8) -> Inputs<4> {
    Inputs { io: Io { valid: true, write, port, size }, ..lane(at(0x400)) }
}

// DBG-18, DBG-20: each of the four breakpoints is on by L alone, by G alone, by both, and off by neither, for whatever it waits
#[test]
fn enables() {
    for slot in 0..4_u32 {
        for enable in 0..4_u64 {
            for (rw, what) in
                [(0, lane(at(0x1000))), (1, lane(writes(at(0x400), 0x1000, 1))), (2, port(true, 0x1000, 1))]
            {
                let mut bench = Bench::new(Config::default());
                bench.write(slot, 0x1000);
                bench.write(7, enable << (2 * slot) | rw << (16 + 4 * slot));
                let out = bench.cycle(what);
                assert_eq!(
                    (out.db_valid, out.db_b.bits()),
                    (enable != 0, u8::from(enable != 0) << slot),
                    "{slot} {enable} {rw}"
                );
            }
        }
    }
}

// DBG-22: LE and GE change nothing
#[test]
fn exact_breakpoints() {
    for exact in [0, 0x100, 0x200, 0x300] {
        for (enable, on) in [(0, false), (1, true), (2, true)] {
            let mut bench = armed(Config::default(), 0x1000, exact | enable | 1 << 16);
            assert_eq!(hits(&mut bench, lane(writes(at(0x400), 0x1000, 1))), on, "{exact:x} {enable}");
        }
    }
}

// DBG-26: what each code of R/W waits for, with CR4.DE and without; without it 10 is undefined, which a strap decides
#[test]
fn codes_of_rw() {
    let things = [
        lane(at(0x1000)),
        lane(reads(0x1000, 1)),
        lane(writes(at(0x400), 0x1000, 1)),
        port(false, 0x1000, 1),
        port(true, 0x1000, 1),
    ];
    for (de, io_gate) in [(false, false), (false, true), (true, false), (true, true)] {
        for (rw, expected) in [
            (0, [true, false, false, false, false]),
            (1, [false, false, true, false, false]),
            (2, [false, false, false, de || !io_gate, de || !io_gate]),
            (3, [false, true, true, false, false]),
        ] {
            let mut bench = armed(Config { io_gate, ..Config::default() }, 0x1000, dr7(rw, 0));
            bench.stays.de = de;
            assert_eq!(things.map(|thing| hits(&mut bench, thing)), expected, "{de} {io_gate} {rw}");
        }
    }
}

// DBG-27, DBG-29: which bytes and which ports each code of LEN covers, from an address that the length divides and from others
#[test]
fn codes_of_len() {
    for (len, bytes) in BYTES.into_iter().enumerate() {
        for address in [0x1000, 0x1003, 0x1006] {
            let base = address / bytes * bytes;
            let mut data = armed(Config::default(), address, dr7(1, len as u64));
            let mut ports = armed(Config::default(), address, dr7(2, len as u64));
            for byte in 0xFE8_u64..0x1018 {
                let covered = (base..base + bytes).contains(&byte);
                assert_eq!(hits(&mut data, lane(writes(at(0x400), byte, 1))), covered, "{len} {address:x} {byte:x}");
                assert_eq!(hits(&mut ports, port(false, byte as u16, 1)), covered, "{len} {address:x} {byte:x}");
            }
        }
    }
}

// DBG-28: an instruction breakpoint with another LEN than 00, which is undefined: LEN is ignored, or it hits nothing
#[test]
fn a_length_of_an_instruction_breakpoint() {
    for (exec_length, len) in (0..8).map(|n| (n >= 4, n % 4)) {
        let mut bench = armed(Config { exec_length, ..Config::default() }, 0x1000, dr7(0, len));
        assert_eq!(hits(&mut bench, lane(at(0x1000))), len == 0 || !exec_length, "{exec_length} {len}");
        assert!(!hits(&mut bench, lane(at(0x1001))) && !hits(&mut bench, lane(at(0xFFF))));
    }
}

// DBG-29: any byte of an access in the range: every offset, sizes of 1 to 64 bytes, all lengths, either access of a lane
#[test]
fn any_byte() {
    for (len, bytes) in BYTES.into_iter().enumerate() {
        let mut bench = armed(Config::default(), 0x1000, dr7(3, len as u64));
        for size in [1, 2, 4, 8, 10, 16, 32, 64_u8] {
            for addr in 0x1000 - u64::from(size) - 2..0x1000 + bytes + 2 {
                let covered = (addr..addr + u64::from(size)).any(|byte| (0x1000..0x1000 + bytes).contains(&byte));
                assert_eq!(hits(&mut bench, lane(reads(addr, size))), covered, "{len} {size} {addr:x}");
                let mut second = reads(0x2000, 8);
                second.accesses[1] = Access { read: false, write: true, addr, size };
                assert_eq!(hits(&mut bench, lane(second)), covered, "{len} {size} {addr:x}");
            }
        }
    }
}

// DBG-29: an access that runs over the end of the addresses of the mode goes on at 0; ports do not
#[test]
fn ends_of_the_addresses() {
    for (op_mode, last) in
        [(OpMode::Long64, u64::MAX), (OpMode::Protected, 0xFFFF_FFFF), (OpMode::Compatibility, 0xFFFF_FFFF)]
    {
        for (address, addr, size, covered) in [
            (0, last, 2, true),
            (0, last, 1, false),
            (1, last, 2, false),
            (last, last - 1, 4, true),
            (last, 0, 8, false),
        ] {
            let mut bench = armed(Config::default(), 0, 0x400);
            bench.stays.mode.op_mode = op_mode;
            bench.write(0, address);
            bench.write(7, dr7(1, 0));
            assert_eq!(
                hits(&mut bench, lane(writes(at(0x400), addr, size))),
                covered,
                "{op_mode:?} {address:x} {addr:x}"
            );
        }
    }
    let mut bench = armed(Config::default(), 0, dr7(2, 0));
    assert!(!hits(&mut bench, port(true, 0xFFFF, 4)) && hits(&mut bench, port(true, 0, 4)));
}

// DBG-07, DBG-08: linear addresses are compared, all of their bits: of the aliases of a page the one that the breakpoint names alone hits,
// and neither does its physical address. Outside 64-bit mode addresses have 32 bits
#[test]
fn linear_addresses() {
    // Two linear pages, one physical one.
    let page = |linear: u64| if matches!(linear >> 12, 0x7_0000 | 0x8_0000) { 0x1_2000 } else { linear };
    let (named, alias) = (0x7000_0010, 0x8000_0010);
    assert_eq!(page(named), page(alias));
    for (rw, what) in [(0, true), (3, false)] {
        let mut bench = armed(Config::default(), named, dr7(rw, 0));
        let mut hit = |linear| hits(&mut bench, lane(if what { at(linear) } else { writes(at(0x400), linear, 1) }));
        assert_eq!([named, alias, page(named) | 0x10].map(&mut hit), [true, false, false], "{rw}");
        for bit in 0..64 {
            assert!(!hit(named ^ 1 << bit), "{rw} {bit}");
        }
        bench.stays.mode.op_mode = OpMode::Protected;
        let mut hit = |linear| hits(&mut bench, lane(if what { at(linear) } else { writes(at(0x400), linear, 1) }));
        for bit in 0..64 {
            assert_eq!(hit(named ^ 1 << bit), bit >= 32, "{rw} {bit}");
        }
    }
}
