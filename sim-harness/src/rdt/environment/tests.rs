//! What the environment shows and takes, beside the model.

use super::*;
use crate::core::ReplayList;
use crate::rdt::records::Reading;
use crate::rdt::session::{Defaults, Session};
use crate::traces::{Load, Retired, Store};
use lwp_model::rdt::Rdt;

type Small = Rdt<2, 8, 4, 4, 2, 4, 4>;

fn at(ip: u64, length: u8) -> Retired {
    Retired { ip, length, cpl: 3, ..Retired::default() }
}

fn load(addr: u64, size: u16) -> Load {
    Load { addr: Some(addr), size, ..Load::default() }
}

/// Gap, address and kind of each access.
fn accesses(list: Vec<Retired>, lanes: usize, spacing: u64) -> Vec<(u64, u64, &'static str)> {
    let mut traced = Traced::new(ReplayList::new(list, 1), lanes, spacing, 6);
    let mut all = Vec::new();
    while let Some(Access { gap, addr, write, code }) = traced.next().unwrap() {
        all.push((
            gap,
            addr,
            if write {
                "write"
            } else if code {
                "code"
            } else {
                "read"
            },
        ));
    }
    assert_eq!(traced.next().unwrap(), None);
    all
}

#[test]
fn an_instruction_fetches_loads_and_stores_line_by_line() {
    let loads = vec![load(0x2010, 8), load(0x203C, 8), Load::default()];
    let stores = vec![Store { addr: 0x3000, size: 130 }, Store { addr: u64::MAX, size: 2 }];
    let first = Retired { loads, stores, ..at(0x103E, 4) };
    let expected = [
        (0, 0x1000, "code"),
        (0, 0x1040, "code"),
        (0, 0x2000, "read"),
        (0, 0x2000, "read"),
        (0, 0x2040, "read"),
        (0, 0x3000, "write"),
        (0, 0x3040, "write"),
        (0, 0x3080, "write"),
        (0, u64::MAX - 63, "write"),
        (0, 0, "write"),
    ];
    assert_eq!(accesses(vec![first], 1, 1), expected);
}

#[test]
fn a_line_is_fetched_when_it_changes_and_gaps_are_the_instructions_between() {
    let list = || {
        let far = Retired { loads: vec![load(0x5000, 4)], ..at(0x1010, 4) };
        vec![at(0x1000, 4), at(0x1004, 4), at(0x1008, 4), at(0x100C, 4), far, at(0x1040, 4), at(0x1000, 0)]
    };
    let expected = |gaps: [u64; 4]| {
        let kinds = [(0x1000, "code"), (0x5000, "read"), (0x1040, "code"), (0x1000, "code")];
        gaps.into_iter().zip(kinds).map(|(gap, (addr, kind))| (gap, addr, kind)).collect::<Vec<_>>()
    };
    assert_eq!(accesses(list(), 1, 1), expected([0, 4, 1, 1]));
    assert_eq!(accesses(list(), 1, 10), expected([0, 40, 10, 10]));
    assert_eq!(accesses(list(), 4, 1), expected([0, 1, 0, 0]));
    assert_eq!(accesses(list(), 2, 3), expected([0, 6, 0, 3]));
}

/// Accesses from a list.
struct List(VecDeque<Access>);

impl Program for List {
    fn next(&mut self) -> Result<Option<Access>, TraceError> {
        Ok(self.0.pop_front())
    }

    fn stop(&mut self) {
        self.0.clear();
    }
}

fn reads(addresses: impl IntoIterator<Item = u64>, gap: u64) -> List {
    List(addresses.into_iter().map(|addr| Access { gap, addr, ..Access::default() }).collect())
}

/// Runs programs on the model to their end; `look` sees each cycle.
fn run(session: &str, programs: Vec<List>, mut look: impl FnMut(u64, &Outputs<2>, &Inputs<2>)) -> Remains<List> {
    let session = Session::parse("s.toml", session, &Defaults { programs: programs.len(), l2: true }).unwrap();
    let mut unit = Small::new(session.straps).unwrap();
    let mut computer = Computer::<2, _>::new(&session.setup(), programs, Recorder::default());
    for cycle in 0..200_000 {
        if computer.is_over() {
            assert_eq!(computer.failure(), None);
            return computer.finish();
        }
        let out = unit.outputs();
        let inputs = *computer.cycle(&out);
        look(cycle, &out, &inputs);
        unit.step(&inputs);
    }
    panic!("the run has no end");
}

#[test]
fn registers_are_written_first_and_then_each_program_runs_in_its_own_memory() {
    let (mut first, mut shown, mut written) = (None, vec![false; 8], Vec::new());
    let programs = vec![reads([0x1000, 0x2000], 0), reads([0x1040, 0x1040], 0)];
    let session = "[[class]]\nl3_mask = 1\n[memory]\nremote = [1]\nlatency = 5\ngrant = 2\n";
    let (mut waits, mut locals) = (0, Vec::new());
    let remains = run(session, programs, |cycle, out, inputs| {
        let reg = inputs.reg;
        if reg.valid && reg.op == lwp_model::retire::RegOp::Wrmsr && first.is_none() {
            written.push((cycle, reg.lp, reg.number, reg.wdata));
        }
        assert_eq!(inputs.mode.cpl, if reg.valid { 0 } else { 3 });
        for (number, lp) in inputs.lp.iter().enumerate().filter(|(_, lp)| lp.req_valid) {
            first.get_or_insert(cycle);
            assert_eq!(lp.req_addr >> 48, number as u64);
        }
        shown[usize::from(inputs.show)] = true;
        // A request waits two cycles for its grant.
        waits = if out.mem_req { waits + 1 } else { 0 };
        assert_eq!(inputs.mem.mem_gnt, waits == 3);
        if inputs.mem.mem_gnt {
            waits = 0;
            locals.push((out.mem_addr >> 48, inputs.mem.mem_local));
        }
    });
    assert_eq!(written, [(0, 0, 0xC90, 1), (1, 0, 0xC8F, 1), (2, 1, 0xC8F, 2)]);
    assert!(first >= Some(3) && shown.iter().all(|shown| *shown));
    assert!(locals.contains(&(0, true)) && locals.contains(&(1, false)) && locals.len() == 3, "{locals:?}");
    // The second program's line is filled, and then hit.
    let traffic: Vec<_> = remains.programs.iter().map(|(_, traffic, _)| (traffic.accesses, traffic.misses())).collect();
    assert_eq!(traffic, [(2, 2), (2, 1)]);
    assert_eq!((remains.by_rmid[1].accesses, remains.by_rmid[2].l2_hits), (2, 1));
}

// RDTM-03, RDTM-28, RDTM-36: what the operating system reads at the end is what has happened
#[test]
fn the_last_sample_has_lines_and_bytes() {
    let remains = run("[memory]\nremote = [1]\n", vec![reads([0, 0x40, 0x80], 3), reads([0, 0], 3)], |_, _, _| {});
    let samples: Vec<_> = remains
        .records
        .last()
        .map(|sample| {
            let [lines, total, local] = [sample.lines, sample.total_bytes, sample.local_bytes].map(Option::unwrap);
            (sample.rmid, sample.class, lines, total, local)
        })
        .collect();
    let number = Reading::Number;
    assert_eq!(samples, [(1, 0, number(3), number(192), number(192)), (2, 0, number(1), number(64), number(0))]);
}

#[test]
fn a_context_switch_charges_what_comes_after_it() {
    let session = "[[event]]\nat = 400\nprogram = 0\nrmid = 3\nclass = 2\n[[sample]]\nevery = 100\n";
    let remains = run(session, vec![reads((0..8).map(|line| line * 64), 80)], |_, _, _| {});
    let (before, after) = (remains.by_rmid[1].accesses, remains.by_rmid[3].accesses);
    assert!(before >= 2 && after >= 2 && before + after == 8, "{before}, {after}");
    let last: Vec<_> =
        remains.records.last().map(|sample| (sample.rmid, sample.class, sample.lines.unwrap())).collect();
    assert_eq!(last, [(1, 0, Reading::Number(before.into())), (3, 2, Reading::Number(after.into()))]);
    assert!(remains.records.total() > 10);
}

#[test]
fn nothing_runs_in_system_management_mode_and_no_data_are_available_for_a_while() {
    let session = "[[event]]\nat = 100\nsmi = true\nfor = 50\n[[event]]\nat = 120\nsmi = true\nfor = 7\n\
        [[event]]\nat = 300\nunavailable = true\nfor = 40\n[[event]]\nat = 9999999\nl3_power = 1\n[[sample]]\nevery = 10\n";
    let (mut kinds, mut unavailable) = (Vec::new(), Vec::new());
    let remains = run(session, vec![reads((0..40).map(|line| line * 64), 5)], |cycle, _, inputs| {
        let within = (100..=150).contains(&cycle) || (151..=158).contains(&cycle);
        assert!(!within || !(inputs.lp[0].req_valid || inputs.reg.valid), "{cycle}");
        if inputs.lp[0].int_valid {
            assert!(inputs.lp[1].int_valid);
            kinds.push((cycle, inputs.lp[0].int_kind));
        }
        if inputs.qm_unavailable {
            unavailable.push(cycle);
        }
    });
    assert_eq!(kinds, [(100, IntKind::Smi), (150, IntKind::Rsm), (151, IntKind::Smi), (158, IntKind::Rsm)]);
    assert_eq!(unavailable, (300..340).collect::<Vec<_>>());
    assert_eq!(remains.events_left, 1);
}

#[test]
fn a_stopped_program_ends_behind_its_access() {
    let session = Session::default();
    let mut unit = Small::new(session.straps).unwrap();
    let mut computer =
        Computer::<2, _>::new(&session.setup(), vec![reads((0..1000).map(|n| n * 64), 0)], Recorder::default());
    for cycle in 0.. {
        if computer.is_over() {
            break;
        }
        if cycle == 200 {
            computer.stop();
        }
        assert!(cycle < 400, "it goes on");
        let inputs = *computer.cycle(&unit.outputs());
        unit.step(&inputs);
    }
    let accesses = computer.finish().programs[0].1.accesses;
    assert!((2..20).contains(&accesses), "{accesses}");
}

/// A unit that does not keep its contract is given up.
#[test]
fn a_unit_without_answers_is_given_up() {
    let session = Session::parse("s.toml", "", &Defaults::default()).unwrap();
    let new = || Computer::<2, _>::new(&session.setup(), vec![reads([0], 0)], Recorder::default());
    let mut silent = new();
    let out = Small::new(session.straps).unwrap().outputs();
    silent.cycle(&out);
    silent.cycle(&out);
    assert_eq!((silent.is_over(), silent.failure()), (true, Some(RdtFailure::NoAnswer { cycle: 0 })));
    let refusing = Outputs { reg_done: true, reg_result: lwp_model::retire::RegResult::NotMine, ..out };
    let mut computer = new();
    computer.cycle(&out);
    computer.cycle(&refusing);
    let not_done = RdtFailure::NotDone { what: "WRMSR", number: 0xC8F, cycle: 0, result: "not mine" };
    assert_eq!(computer.failure(), Some(not_done));
    let mut stuck = new();
    for cycle in 0..PATIENCE + 10 {
        if stuck.is_over() {
            break;
        }
        let done = Outputs { reg_done: cycle == 1, ..out };
        stuck.cycle(&done);
    }
    assert!(matches!(stuck.failure(), Some(RdtFailure::Stuck { lp: 0, .. })), "{:?}", stuck.failure());
}
