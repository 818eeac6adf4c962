//! Save, restore and what comes back from the block, followed by hand. Source: "Processor State for context switch, SVM, and SMM"
//! and "Notes on restoring LWP state".

use super::bench::{Answer, BUFFER, Bench, LWPCB, MSR0_ALL, branch, kernel, plain, user};
use lwp_model::lwp::{BranchKind, Config, CtlOp, Fault, FaultPolicy, HeadFlush, LeavePolicy, MemCmd, MissedMode, Mode};
use lwp_regs::lwp::{LwpVolatileState, SmmLwpArea};

const OTHER: u64 = 0x3_0000;
const OTHER_BUFFER: u64 = 0x4_0000;

/// Two blocks with rings of their own; the first one's session runs.
fn two_threads(straps: Config) -> Bench {
    let mut bench = Bench::with(straps);
    bench.block(LWPCB, 256, 0, &[(1, 10, 10), (2, 4, 4)]);
    bench.block(OTHER, 256, 0, &[(2, 3, 3)]);
    bench.memory.insert(OTHER + 8, OTHER_BUFFER);
    bench.op(CtlOp::Llwpcb, LWPCB);
    bench
}

// LWP-CTX-02 to 05, LWP-CTX-16: the words by hand. Ten events less three, four less one.
#[test]
fn the_words_of_a_running_session() {
    let mut bench = two_threads(Config::default());
    bench.retire(&[plain(1), plain(2), branch(3, BranchKind::Ret, true, 9)]);
    bench.enter(kernel());
    bench.log.clear();
    let words = bench.save_thread();
    assert_eq!(words, [LWPCB, 1 << 32, 3 << 32 | 7, 0, 0, 0, 0, 0]);
    assert_eq!(bench.log, [], "LWP-CTX-08: saving asks nothing of memory");
    let state = LwpVolatileState::from_words(words);
    assert_eq!(state.to_words(), words);
}

// LWP-CTX-10, LWP-CTX-12, LWP-CTX-13, LWP-CTX-14, LWP-CTX-06: in the kernel the pointer, head and counters are back at once and
// memory is not touched; in ring 3 the rest is read from the block. The block is away: #PF in ring 3, then again.
#[test]
fn restore_in_the_kernel_reload_in_ring_3() {
    let mut bench = two_threads(Config::default());
    bench.retire(&[plain(1), branch(2, BranchKind::Ret, true, 9)]);
    bench.enter(kernel());
    let words = bench.save_thread();
    let before = *bench.unit.state();
    bench.restore_thread(&[0; 8]);
    assert_eq!((bench.unit.state().session.lwpcb, bench.counter(1)), (0, 0), "nothing is left of the thread");
    bench.restore_thread(&words);
    let state = *bench.unit.state();
    assert_eq!((state.session.lwpcb, state.ring.head, bench.counter(1), bench.counter(2)), (LWPCB, 0, 8, 3));
    assert!(state.session.init_pending && state.session.reload && !state.session.active);
    bench.absent.insert(LWPCB >> 12);
    bench.log.clear();
    bench.idle(100);
    assert_eq!(bench.log, [], "not in the kernel");
    bench.enter(user());
    bench.idle(30);
    assert_eq!(bench.log[0], (MemCmd::Read, LWPCB, 0xFF), "at once in ring 3");
    bench.take_page_fault();
    bench.idle(60);
    let after = *bench.unit.state();
    assert_eq!(after.events, before.events);
    assert_eq!(after.session, before.session);
    // Only a load uses `allow`, and sets it first.
    let but_allow = |block| lwp_model::lwp::Block { allow: 0, ..block };
    assert_eq!(but_allow(after.block), but_allow(before.block));
    let but_tail = |ring| lwp_model::lwp::Ring { tail: 0, ..ring };
    assert_eq!(but_tail(after.ring), but_tail(before.ring));
    // No Flags and no probe: a reload only reads.
    assert!(bench.log.iter().all(|(cmd, _, _)| *cmd == MemCmd::Read), "{:x?}", bench.log);
}

// A session that is restored in ring 3 is active without a change of mode.
#[test]
fn restore_in_ring_3() {
    let mut bench = two_threads(Config::default());
    bench.retire(&[plain(1)]);
    let words = bench.save_thread();
    bench.restore_thread(&words);
    bench.idle(60);
    assert!(bench.unit.state().session.active);
    assert_eq!(bench.counter(1), 9);
}

// LWP-OVR-04, LWP-CTX-07, LWP-SVM-01: two threads (or guests) take turns; each gets what it would have got alone.
#[test]
fn two_threads_take_turns() {
    let program = |thread: u64, ip: u64| branch(0x1000 * thread + ip, BranchKind::Ret, true, ip);
    let image = |bench: &Bench, at: u64| (0..8).map(|word| bench.read64(at + 8 * word)).collect::<Vec<_>>();
    let mut together = two_threads(Config::default());
    let mut contexts = [[0; 8], [OTHER, 0, 0, 0, 0, 0, 0, 0]];
    for ip in 0..30 {
        for thread in 0..2 {
            together.retire(&[program(thread, ip)]);
            together.enter(kernel());
            contexts[thread as usize] = together.save_thread();
            together.restore_thread(&contexts[1 - thread as usize]);
            together.enter(user());
            together.idle(60);
        }
    }
    together.op(CtlOp::Slwpcb, 0);
    let (first_block, first_ring) = (image(&together, LWPCB), image(&together, BUFFER));
    together.enter(kernel());
    together.restore_thread(&contexts[1]);
    together.enter(user());
    together.idle(60);
    together.op(CtlOp::Slwpcb, 0);
    for (thread, at, ring) in [(0, LWPCB, BUFFER), (1, OTHER, OTHER_BUFFER)] {
        let mut alone = two_threads(Config::default());
        alone.op(CtlOp::Llwpcb, at);
        for ip in 0..30 {
            alone.retire(&[program(thread, ip)]);
        }
        alone.op(CtlOp::Slwpcb, 0);
        if thread == 0 {
            assert_eq!((image(&alone, at), image(&alone, ring)), (first_block.clone(), first_ring.clone()));
        } else {
            assert_eq!((image(&alone, at), image(&alone, ring)), (image(&together, at), image(&together, ring)));
        }
    }
}

// LWP-SMM-02, LWP-SMM-04, LWP-CTX-09, LWP-SVM-03: SMM saves, power is lost, SMM restores; in ring 3 the session goes on where it
// was. LWPMSR0, the LFSR and a standing interrupt come back too.
#[test]
fn smm_with_loss_of_power() {
    let mut bench = Bench::session_with(Config::default(), 32, &[(1, 3, 3)]);
    bench.write32(LWPCB + 4, 256 | 2 << 28);
    bench.op(CtlOp::Llwpcb, LWPCB);
    for ip in 0..4 {
        bench.retire(&[plain(ip)]);
    }
    assert!(bench.unit.outputs().irq);
    let before = *bench.unit.state();
    bench.enter(Mode { smm: true, ..kernel() });
    bench.log.clear();
    let area: [u64; 10] = core::array::from_fn(|word| bench.save(word as u8));
    assert_eq!(SmmLwpArea::from_words(area).to_words(), area);
    assert_eq!(bench.log, []);
    bench.unit.reset();
    assert_eq!(bench.unit.outputs().msr0, 0);
    for word in [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] {
        bench.restore(word, area[usize::from(word)]);
    }
    assert_eq!(bench.log, [], "SMM-01: nothing in SMM");
    assert_eq!((u64::from(bench.unit.outputs().msr0), bench.unit.outputs().irq), (MSR0_ALL, true));
    assert!(bench.unit.state().session.reload);
    bench.enter(user());
    bench.idle(60);
    let after = *bench.unit.state();
    assert_eq!((after.events, after.lfsr, after.ring.head), (before.events, before.lfsr, before.ring.head));
    bench.retire(&[plain(9), plain(10), plain(11)]);
    assert!(bench.stored().len() > 1);
}

// LWP-CTX-05: the ring was found full, and ring 3 is left before MissedEvents is incremented: the flag is saved, and the increment
// is made once.
#[test]
fn an_owed_increment_is_saved() {
    let mut bench = Bench::session(&[(1, 1, 1)]);
    for ip in 1..=7 {
        bench.retire(&[plain(ip)]);
    }
    bench.retire_now(&[plain(8)]);
    while bench.unit.state().ring.missed == 0 {
        bench.idle(1);
    }
    bench.busy = true;
    bench.idle(4);
    bench.enter(kernel());
    bench.busy = false;
    bench.idle(4);
    let words = bench.save_thread();
    assert_eq!((words[1] >> 48, bench.missed()), (1, 0));
    bench.restore_thread(&[0; 8]);
    bench.restore_thread(&words);
    bench.enter(user());
    bench.idle(90);
    assert_eq!((bench.missed(), bench.unit.state().ring.missed), (1, 0));
    bench.idle(60);
    assert_eq!(bench.missed(), 1);
}

// LWP-CTX-15: the head is still inside when the thread is switched: it is saved, and comes out with the next flush.
#[test]
fn a_deferred_head_survives_the_switch() {
    let straps = Config { head_flush: HeadFlush::Deferred, ..Config::default() };
    let mut bench = Bench::session_with(straps, 256, &[(1, 1, 1)]);
    for ip in 1..=3 {
        bench.retire(&[plain(ip)]);
    }
    assert_eq!(bench.head(), 0);
    bench.enter(kernel());
    let words = bench.save_thread();
    assert_eq!(words[1] & 0xFFF_FFFF, 96);
    bench.restore_thread(&[0; 8]);
    bench.restore_thread(&words);
    bench.enter(user());
    bench.idle(60);
    bench.retire(&[plain(4)]);
    bench.op(CtlOp::Slwpcb, 0);
    assert_eq!((bench.head(), bench.stored()), (128, vec![1, 2, 3, 4]));
}

// LWP-CTX-16, LWP-STO-15, LWP-FLT-07: a record that is held, or that faulted, goes with the thread and is stored when it is back.
#[test]
fn a_record_goes_with_its_thread() {
    let hold = Config { leave_policy: LeavePolicy::Hold, ..Config::default() };
    let pending = Config { fault_policy: FaultPolicy::TrapPending, ..Config::default() };
    for (straps, faults) in [(hold, false), (pending, true)] {
        let mut bench = Bench::session_with(straps, 0, &[(2, 100, 1)]);
        if faults {
            bench.absent.insert(BUFFER >> 12);
        }
        bench.retire_now(&[branch(0x77, BranchKind::Ret, true, 0x99)]);
        bench.idle(if faults { 20 } else { 2 });
        bench.enter(kernel());
        bench.cycle(lwp_model::lwp::Inputs { pf_ack: true, ..lwp_model::lwp::Inputs::default() });
        bench.absent.clear();
        let words = bench.save_thread();
        assert_eq!((words[4] & 0xFF, words[5], words[6]), (2, 0x77, 0x99));
        assert_eq!(words[1] >> 33 & 1, u64::from(faults));
        bench.restore_thread(&[0; 8]);
        bench.idle(10);
        bench.restore_thread(&words);
        bench.enter(user());
        bench.idle(90);
        assert_eq!((bench.stored(), bench.record(0)[2], bench.counter(2)), (vec![0x77], 0x99, 100));
    }
}

// LWP-SEC-02, LWP-SEC-04: without any explicit clearing nothing of one thread is seen in the context of the next.
#[test]
fn nothing_is_carried_over() {
    let mut bench = two_threads(Config { missed_mode: MissedMode::Cached, ..Config::default() });
    bench.retire(&[plain(1), branch(2, BranchKind::Ret, true, 9)]);
    bench.enter(kernel());
    bench.save_thread();
    bench.restore_thread(&[OTHER, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bench.save_thread(), [OTHER, 0, 0, 0, 0, 0, 0, 0]);
    bench.enter(user());
    bench.idle(60);
    // Only branches are selected: the counter of instructions is not this thread's.
    assert_eq!(bench.save_thread(), [OTHER, 1 << 32, 3 << 32, 0, 0, 0, 0, 0]);
}

// A session whose block does not fit any more when it comes back: it ends, and nothing is written.
#[test]
fn a_block_that_broke_in_the_meantime() {
    for (offset, value) in [(20, 0x1000), (4, 32), (0, 0x8000_0001), (40, 9 << 26)] {
        let mut bench = Bench::session(&[(1, 10, 10)]);
        bench.enter(kernel());
        let words = bench.save_thread();
        bench.restore_thread(&words);
        bench.write32(LWPCB + offset, value);
        bench.log.clear();
        bench.enter(user());
        bench.idle(80);
        assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(0), "{offset}");
        assert!(bench.log.iter().all(|(cmd, _, _)| *cmd == MemCmd::Read));
    }
}

// LWP-LLW-29, LWP-LLW-30: with "skip" an operation outside ring 3 leaves the old block alone; and before a restored session is
// reloaded there is nothing to flush.
#[test]
fn operations_that_do_not_flush() {
    let skip = Config { flush_outside: lwp_model::lwp::FlushOutside::Skip, ..Config::default() };
    let mut bench = Bench::session_with(skip, 0, &[(1, 10, 10)]);
    bench.retire(&[plain(1)]);
    bench.enter(kernel());
    bench.log.clear();
    assert_eq!(bench.op(CtlOp::ReadMsr1, 0), Answer::Value(LWPCB));
    assert_eq!(bench.op(CtlOp::WriteMsr1, OTHER), Answer::Value(0));
    assert_eq!(bench.log, []);
    let mut pending = two_threads(Config::default());
    pending.enter(kernel());
    let words = pending.save_thread();
    pending.restore_thread(&words);
    pending.log.clear();
    assert_eq!(pending.op(CtlOp::ReadMsr1, 0), Answer::Value(LWPCB));
    assert_eq!(pending.save_thread(), words, "still there");
    assert_eq!(pending.op(CtlOp::WriteMsr1, 0), Answer::Value(0));
    assert_eq!(pending.log, []);
    assert_eq!(pending.op(CtlOp::ReadMsr1, 0), Answer::Value(0));
}

// A context is restored as far as LWP is enabled, and the core's own words need privilege.
#[test]
fn what_cannot_be_restored() {
    let mut bench = Bench::new();
    assert_eq!(bench.context(CtlOp::Restore, 8, MSR0_ALL), Answer::Fault(Fault::GeneralProtection));
    assert_eq!(bench.context(CtlOp::Save, 9, 0), Answer::Fault(Fault::GeneralProtection));
    bench.enter(kernel());
    bench.op(CtlOp::WriteMsr0, 0);
    bench.restore(0, LWPCB);
    assert_eq!(bench.save(0), 0);
    bench.restore(8, u64::MAX);
    assert_eq!(u64::from(bench.unit.outputs().msr0), MSR0_ALL, "only what can be set");
    assert_eq!((bench.save(12), bench.context(CtlOp::Restore, 12, 5)), (0, Answer::Value(0)));
}

// LWP-CTX-16: whose turn it is among events, and how many records the tail may still be left unread, go with the thread.
#[test]
fn turns_go_with_the_thread() {
    let straps = Config {
        gather_select: lwp_model::lwp::GatherSelect::Rotating,
        tail_reread: lwp_model::lwp::TailReread::Lazy,
        tail_nth: 4,
        ..Config::default()
    };
    let mut bench = Bench::session_with(straps, 32, &[(2, 1, 1), (1, 1, 1)]);
    for ip in 0..3 {
        bench.retire(&[branch(ip, BranchKind::Ret, true, 9)]);
    }
    // Three records from rotate = 0: events 2, 1, 2, the last of index 1. The first one met the threshold and read the tail, so three
    // records may pass without; two have.
    let words = {
        bench.enter(kernel());
        bench.save_thread()
    };
    assert_eq!((words[3] >> 36 & 3, words[3] >> 32 & 15), (1, 1));
    bench.restore_thread(&[0; 8]);
    assert_eq!((bench.unit.state().rotate, bench.unit.state().ring.tail_skip), (0, 0));
    bench.restore_thread(&words);
    assert_eq!((bench.unit.state().rotate, bench.unit.state().ring.tail_skip), (1, 1));
    bench.enter(user());
    bench.idle(60);
    bench.retire(&[branch(3, BranchKind::Ret, true, 9)]);
    assert_eq!(bench.record(3)[0] & 0xFF, 1);
}
