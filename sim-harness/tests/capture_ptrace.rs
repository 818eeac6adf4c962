//! Holds a capture against the processor itself, which is single-stepped through the same program.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use nix::sys::ptrace;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use sim_harness::capture::{CaptureEnd, CaptureOptions, capture};
use sim_harness::traces::BranchKind::{self, Call, CallInd, Jcc, Jmp, JmpInd, Ret, System};
use sim_harness::traces::{Retired, open};
use tempfile::TempDir;

/// The addresses of the instructions that the processor executes, a repeated one once.
fn single_step(program: &Path) -> Vec<u64> {
    let mut command = Command::new(program);
    // SAFETY: the function only makes one system call, which is allowed between fork and exec.
    unsafe { command.pre_exec(|| ptrace::traceme().map_err(Into::into)) };
    #[expect(clippy::zombie_processes, reason = "waited for until it ends, but not through its handle")]
    let child = command.spawn().expect("the program starts");
    let pid = Pid::from_raw(child.id().cast_signed());
    let mut addresses = Vec::new();
    while let WaitStatus::Stopped(..) = waitpid(pid, None).expect("waits") {
        let address = ptrace::getregs(pid).expect("stopped").rip;
        // No branch of the program goes to itself except LOOP, which is no repetition.
        addresses.push(address);
        ptrace::step(pid, None).expect("stopped");
    }
    addresses
}

fn build(directory: &Path) -> PathBuf {
    let program = directory.join("every_branch");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/every_branch.S");
    let built = Command::new("cc").args(["-static", "-nostdlib", "-o"]).arg(&program).arg(source).status();
    assert!(built.expect("cc can be run").success());
    program
}

fn captured(directory: &Path, program: &Path) -> Vec<Retired> {
    let output = directory.join("capture");
    let options = CaptureOptions { output: output.clone(), command: vec![program.into()], limit: None, quiet: true };
    let summary = capture(&options, &AtomicBool::new(false)).expect("captured");
    assert_eq!(summary.end, CaptureEnd::Exited(0));
    let mut reader = open(&output).expect("opens");
    let (mut all, mut one) = (Vec::new(), Retired::default());
    while reader.next(&mut one).expect("reads") {
        all.push(one.clone());
    }
    all
}

#[test]
fn flow_is_that_of_the_processor() {
    let directory = TempDir::new().expect("a directory");
    let program = build(directory.path());
    let all = captured(directory.path(), &program);
    let mut stepped = single_step(&program);

    // The processor stops after each iteration of REP MOVSB, and the trace has one retirement.
    let ips: Vec<u64> = all.iter().map(|one| one.ip).collect();
    let repeated = all.iter().find(|one| one.loads.len() == 5).expect("REP MOVSB").ip;
    stepped.dedup_by(|next, before| *next == repeated && *before == repeated);
    assert_eq!(ips, stepped);

    for (one, next) in all.iter().zip(&stepped[1..]) {
        if let Some(branch) = one.branch {
            assert_eq!(branch.next, *next, "after {:#x}", one.ip);
        }
    }
}

#[test]
fn classes_are_those_of_the_source() {
    let directory = TempDir::new().expect("a directory");
    let all = captured(directory.path(), &build(directory.path()));
    let branches: Vec<(BranchKind, bool)> =
        all.iter().filter_map(|one| one.branch.map(|branch| (branch.kind, branch.taken))).collect();
    let expected = [
        (Jmp, true),
        (Jcc, true),
        (Jcc, false),
        // LOOP, three times; JRCXZ.
        (Jcc, true),
        (Jcc, true),
        (Jcc, false),
        (Jcc, true),
        (JmpInd, true),
        (JmpInd, true),
        (Call, true),
        (Ret, true),
        (CallInd, true),
        (Ret, true),
        (CallInd, true),
        (Ret, true),
        (System, true),
    ];
    assert_eq!(branches, expected);
    let last = all.last().expect("not empty");
    assert_eq!(last.branch.map(|branch| branch.next), Some(last.ip + 2), "behind SYSCALL");
}

#[test]
fn loads_are_those_of_the_source() {
    let directory = TempDir::new().expect("a directory");
    let all = captured(directory.path(), &build(directory.path()));
    let data = all[1].loads[0].addr.expect("known");
    // Offset from the data, none for the stack, and size.
    let loads: Vec<(Option<u64>, u16)> = all
        .iter()
        .flat_map(|one| &one.loads)
        .map(|load| (load.addr.and_then(|addr| addr.checked_sub(data)).filter(|offset| *offset < 4096), load.size))
        .collect();
    let on = |offset, size| (Some(offset), size);
    let stack = (None, 8);
    let expected = [
        on(0, 8),
        on(8, 16),
        on(1, 1),
        on(64, 8),
        on(72, 4),
        on(80, 8),
        on(96, 10),
        on(128, 8),
        stack,
        stack,
        on(136, 8),
        stack,
        // POP, PUSH (%rbx), LEAVE.
        stack,
        on(0, 8),
        stack,
        // REP MOVSB, LODSQ, CMPSB (of which QEMU reads the second operand first).
        on(0, 1),
        on(1, 1),
        on(2, 1),
        on(3, 1),
        on(4, 1),
        on(0, 8),
        on(16, 1),
        on(0, 1),
    ];
    assert_eq!(loads, expected);
}

#[test]
fn stores_are_those_of_the_source() {
    let directory = TempDir::new().expect("a directory");
    let all = captured(directory.path(), &build(directory.path()));
    let data = all[1].loads[0].addr.expect("known");
    let stores: Vec<(Option<u64>, u16)> = all
        .iter()
        .flat_map(|one| &one.stores)
        .map(|store| (store.addr.checked_sub(data).filter(|offset| *offset < 4096), store.size))
        .collect();
    let on = |offset, size| (Some(offset), size);
    let stack = (None, 8);
    let expected = [
        // ADDQ, LOCK INCL, XCHG, MOV.
        on(64, 8),
        on(72, 4),
        on(80, 8),
        on(88, 8),
        // Three CALLs, PUSH, PUSH (%rbx), PUSH.
        stack,
        stack,
        stack,
        stack,
        stack,
        stack,
        // REP MOVSB.
        on(256, 1),
        on(257, 1),
        on(258, 1),
        on(259, 1),
        on(260, 1),
    ];
    assert_eq!(stores, expected);
}

#[test]
fn the_length_leads_to_the_neighbour() {
    let directory = TempDir::new().expect("a directory");
    let all = captured(directory.path(), &build(directory.path()));
    for pair in all.windows(2).filter(|pair| pair[0].branch.is_none()) {
        assert_eq!(pair[0].neighbour(), Some(pair[1].ip));
    }
    assert_eq!(all.last().map(|one| one.length), Some(2), "SYSCALL");
}
