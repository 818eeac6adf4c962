//! ChampSim records: classes inferred from registers, successors, gaps and repeated instructions.

use crate::trace_support::{champsim, read};
use sim_harness::traces::BranchKind::{self, Call, CallInd, Jcc, Jmp, JmpInd, Ret, System};
use sim_harness::traces::{Load, Store, TraceError};

const SP: u8 = 6;
const FLAGS: u8 = 25;
const IP: u8 = 26;
/// Any other register.
const BX: u8 = 3;
/// An address that a load reads.
const DATA: [u64; 4] = [0x7000, 0, 0, 0];
const NONE: [u64; 4] = [0; 4];

/// Name, expected class, registers written and read, loads.
type Case = (&'static str, BranchKind, [u8; 2], [u8; 4], [u64; 4]);

fn plain(ip: u64) -> Vec<u8> {
    champsim(ip, [0, 0], [BX, 0], [BX, 0, 0, 0], NONE)
}

#[test]
fn classes_follow_from_registers() {
    let cases: [Case; 12] = [
        ("jmp rel", Jmp, [IP, 0], [IP, 0, 0, 0], NONE),
        ("jcc", Jcc, [IP, 0], [IP, FLAGS, 0, 0], NONE),
        ("loop", Jcc, [IP, BX], [IP, BX, 0, 0], NONE),
        ("jmp reg", JmpInd, [IP, 0], [BX, 0, 0, 0], NONE),
        ("jmp mem", JmpInd, [IP, 0], [BX, 0, 0, 0], DATA),
        ("jmp *x(%rip)", JmpInd, [IP, 0], [IP, 0, 0, 0], DATA),
        ("call rel", Call, [IP, SP], [IP, SP, 0, 0], NONE),
        ("call reg", CallInd, [IP, SP], [IP, SP, BX, 0], NONE),
        ("call *x(%rip)", CallInd, [IP, SP], [IP, SP, 0, 0], DATA),
        ("ret", Ret, [IP, SP], [SP, 0, 0, 0], DATA),
        ("syscall", System, [0, 0], [BX, 0, 0, 0], NONE),
        ("something else", System, [IP, 0], [FLAGS, 0, 0, 0], NONE),
    ];
    for (name, kind, writes, reads, loads) in cases {
        let mut bytes = champsim(0x1000, [1, 1], writes, reads, loads);
        bytes.extend(plain(0x2000));
        let (all, _, error) = read(&bytes);
        assert!(error.is_none(), "{name}: {error:?}");
        let branch = all[0].branch.expect(name);
        assert_eq!((branch.kind, branch.taken, branch.next), (kind, true, 0x2000), "{name}");
    }
}

#[test]
fn a_branch_that_is_not_taken_goes_on() {
    let mut bytes = champsim(0x1000, [1, 0], [IP, 0], [IP, FLAGS, 0, 0], NONE);
    bytes.extend(plain(0x1002));
    let (all, notes, _) = read(&bytes);
    assert_eq!(all[0].branch.map(|branch| (branch.taken, branch.next)), Some((false, 0x1002)));
    assert_eq!(notes.gaps, 0);
}

#[test]
fn loads_have_addresses_and_no_size() {
    let bytes = champsim(0x1000, [0, 0], [BX, 0], [0; 4], [0, 0x10, 0, 0x20]);
    let load = |addr| Load { addr: Some(addr), size: 0, ..Load::default() };
    assert_eq!(read(&bytes).0[0].loads, [load(0x10), load(0x20)]);
}

#[test]
fn stores_have_addresses_and_no_size() {
    let mut bytes = champsim(0x1000, [0, 0], [BX, 0], [0; 4], [0, 0x10, 0, 0]);
    bytes[16..24].copy_from_slice(&0x30_u64.to_le_bytes());
    bytes[24..32].copy_from_slice(&0x40_u64.to_le_bytes());
    let all = read(&bytes).0;
    assert_eq!(all[0].stores, [Store { addr: 0x30, size: 0 }, Store { addr: 0x40, size: 0 }]);
    assert_eq!(all[0].loads.len(), 1);
}

#[test]
fn gaps_are_counted_and_iterations_merged() {
    let mut bytes = plain(0x1000);
    bytes.extend(plain(0x100f));
    bytes.extend(plain(0x101f));
    bytes.extend(champsim(0x1020, [0, 0], [BX, 0], [BX, 0, 0, 0], DATA));
    bytes.extend(champsim(0x1020, [0, 0], [BX, 0], [BX, 0, 0, 0], DATA));
    bytes.extend(plain(0x1022));
    let (all, notes, error) = read(&bytes);
    assert!(error.is_none(), "{error:?}");
    let ips: Vec<u64> = all.iter().map(|one| one.ip).collect();
    assert_eq!(ips, [0x1000, 0x100f, 0x101f, 0x1020, 0x1022]);
    assert_eq!(all[3].loads.len(), 2);
    assert_eq!((notes.gaps, notes.merged_iterations), (1, 1), "16 bytes are more than an instruction has");
}

#[test]
fn a_branch_at_the_end_is_left_out() {
    let mut bytes = plain(0x1000);
    bytes.extend(champsim(0x1001, [1, 1], [IP, 0], [IP, 0, 0, 0], NONE));
    let (all, notes, error) = read(&bytes);
    assert!(error.is_none(), "{error:?}");
    assert_eq!((all.len(), notes.last_left_out), (1, 1));
}

#[test]
fn damage_is_told_with_its_place() {
    let mut bytes: Vec<u8> = (0..40).flat_map(|index| plain(0x1000 + index)).collect();
    let (all, _, error) = read(&bytes[..bytes.len() - 1]);
    assert_eq!(all.len(), 38, "the one before the last needs its successor");
    assert!(
        matches!(&error, Some(TraceError::Truncated { at, .. }) if at.contains("record 39, which begins at byte 2496 and has 63")),
        "{error:?}"
    );
    bytes[64 * 30 + 8] = 2;
    let (_, _, error) = read(&bytes);
    assert!(matches!(&error, Some(TraceError::Corrupt { what, .. }) if what.contains("record 30")), "{error:?}");
}
