//! Single steps, of instructions and of branches, and task switches: a core and its program.

use super::bench::Bench;
use super::core::{Core, Does, EXTERNAL, Ended};
use lwp_model::debug::Config;
use lwp_regs::debug::{Breakpoint, DEBUG_VECTOR, Length, Slot};

const DB: Ended = Ended::Delivered(DEBUG_VECTOR);

fn core(program: &[Does]) -> Core {
    Core::new(Bench::new(Config::default()), program)
}

/// Address that each #DB returns to, with DR6, of this many steps of the program; handlers return at once.
fn stops(core: &mut Core, steps: usize) -> Vec<(u64, u64)> {
    (0..steps).fold(Vec::new(), |mut stops, _| {
        if core.step() == DB {
            stops.push((core.frame().ip, core.status()));
            core.iret();
        }
        stops
    })
}

// DBG-14, DBG-64, DBG-65: behind each instruction that began with TF: the one that clears it, not the one that sets it
#[test]
fn popf() {
    let mut core = core(&[Does::Nothing, Does::Popf(true), Does::Store(0x5000, 1), Does::Popf(false), Does::Nothing]);
    assert_eq!(stops(&mut core, 5), [(0x100C, 0xFFFF_4FF0), (0x1010, 0xFFFF_4FF0)]);
    assert_eq!(core.memory[&0x5000], 1);
}

// DBG-66: nothing steps the handler: the next step comes behind the instruction that is executed after its return
#[test]
fn the_handler_is_not_stepped() {
    let mut core = core(&[Does::Nothing; 3]);
    core.tf = true;
    assert_eq!((core.step(), core.frame().tf, core.tf), (DB, true, false));
    assert_eq!([(); 5].map(|()| core.step()), [Ended::Executed; 5]);
    // IRET began with TF = 0 and loads TF = 1.
    assert_eq!((core.iret(), core.tf, core.ip), (Ended::Executed, true, 0x1004));
    assert_eq!((core.step(), core.frame().ip), (DB, 0x1008));
}

// DBG-67: TF of a new task steps its first instruction, not the switch to it; TF of the old task does not step the switch
#[test]
fn a_task_with_tf() {
    for (old, new, first) in [(false, true, 0x8004), (true, true, 0x8004), (true, false, 0)] {
        let mut core = core(&[Does::Switch { ip: 0x8000, t_flag: false, tf: new, rf: false }]);
        core.tf = old;
        let stops = stops(&mut core, 3);
        assert_eq!(stops.first().map_or(0, |stop| stop.0), first, "{old} {new}");
    }
}

// DBG-68: a call to level 0 is stepped and keeps TF; INT n, INT3 and INTO are not, and clear it
#[test]
fn changes_of_level() {
    let mut gate = core(&[Does::CallGate(0x8000)]);
    (gate.tf, gate.bench.stays.mode.cpl) = (true, 3);
    assert_eq!(gate.step(), DB);
    assert_eq!((gate.frame().ip, gate.frame().cpl, gate.frame().tf), (0x8000, 0, true));
    gate.iret();
    assert_eq!((gate.step(), gate.frame().ip), (DB, 0x8004));
    for vector in [0x80, 3, 4] {
        let mut int = core(&[Does::Int(vector)]);
        int.tf = true;
        assert_eq!([(); 4].map(|()| int.step()), [Ended::Executed; 4], "{vector}");
        // TF that was saved comes back.
        int.iret();
        assert_eq!((int.step(), int.frame().ip), (DB, 0x1008), "{vector}");
    }
}

// DBG-70, DBG-71: a step and an interrupt at once: #DB, then the interrupt before the handler's first instruction, and it is not stepped
#[test]
fn a_step_and_an_interrupt() {
    let mut core = core(&[Does::Nothing]);
    // Behind the instruction both are pending.
    (core.tf, core.arrives) = (true, Some(0x1000));
    assert_eq!((core.step(), core.interrupt), (DB, true));
    assert_eq!(core.step(), Ended::Delivered(EXTERNAL));
    let [step, interrupt] = core.stack[..] else { panic!("two frames") };
    assert_eq!((step.vector, step.ip, step.tf), (DEBUG_VECTOR, 0x1004, true));
    assert_eq!((interrupt.ip, interrupt.tf, interrupt.rf), (Core::handler(DEBUG_VECTOR), false, false));
    assert_eq!([(); 3].map(|()| core.step()), [Ended::Executed; 3]);
    assert_eq!(core.bench.dr6(), 0xFFFF_4FF0);
}

// A data breakpoint and an interrupt at once: #DB first as well, and the interrupt does not change what is reported
#[test]
fn a_trap_and_an_interrupt() {
    let bench = Bench::armed(Config::default(), &[(Slot::Dr0, Breakpoint::write(0x5000, Length::Four))], 0);
    let mut core = Core::new(bench, &[Does::Store(0x5000, 1)]);
    core.arrives = Some(0x1000);
    assert_eq!((core.step(), core.interrupt, core.frame().ip), (DB, true, 0x1004));
    assert_eq!((core.step(), core.bench.dr6()), (Ended::Delivered(EXTERNAL), 0xFFFF_0FF1));
}

// DBG-38, DBG-57, DBG-59, DBG-73: behind an SS load: no step, its data breakpoint one instruction later, a fault loses it, no interrupt between
#[test]
fn an_ss_load() {
    let armed = |next| {
        let breakpoints =
            [(Slot::Dr0, Breakpoint::read_write(0x5000, Length::Four)), (Slot::Dr2, Breakpoint::execute(0x1004))];
        let bench = Bench::armed(Config::default(), &breakpoints, 0);
        let mut core = Core::new(bench, &[Does::LoadSs(0x5000), next]);
        core.tf = true;
        assert_eq!(core.step(), Ended::Executed, "no step, no breakpoint yet");
        core.interrupt = true;
        core
    };
    let mut core = armed(Does::Nothing);
    assert_eq!((core.step(), core.frame().ip, core.bench.dr6()), (DB, 0x1008, 0xFFFF_4FF1));
    let mut core = armed(Does::Faults);
    assert_eq!((core.step(), core.bench.dr6()), (Ended::Delivered(super::core::PAGE_FAULT), 0xFFFF_0FF0));
    assert_eq!((core.step(), core.frame().vector), (Ended::Delivered(EXTERNAL), EXTERNAL));
}

// DBG-60, DBG-61: INT n, INT3 and INTO behind it: #DB at the first instruction of the handler, whose level is another one
#[test]
fn an_ss_load_and_a_software_interrupt() {
    for vector in [0x80, 3, 4] {
        let bench = Bench::armed(Config::default(), &[(Slot::Dr0, Breakpoint::read_write(0x5000, Length::Four))], 0);
        let mut core = Core::new(bench, &[Does::LoadSs(0x5000), Does::Int(vector)]);
        core.bench.stays.mode.cpl = 3;
        assert_eq!([core.step(), core.step()], [Ended::Executed, DB]);
        let [interrupt, db] = core.stack[..] else { panic!("two frames") };
        assert_eq!((interrupt.vector, interrupt.ip, interrupt.cpl), (vector, 0x1008, 3));
        assert_eq!((db.ip, db.cpl, db.rf), (Core::handler(vector), 0, false));
        assert_eq!(core.status(), 0xFFFF_0FF1);
    }
}

// DBG-15, DBG-74: T of the new task: #DB before its first instruction, with BT
#[test]
fn a_task_with_t() {
    for t_flag in [false, true] {
        let bench = Bench::armed(Config::default(), &[(Slot::Dr0, Breakpoint::write(0x5000, Length::Four))], 0);
        let mut core = Core::new(bench, &[Does::Switch { ip: 0x8000, t_flag, tf: false, rf: false }]);
        core.program.insert(0x8000, Does::Store(0x6000, 1));
        assert_eq!((core.step() == DB, core.memory.is_empty()), (t_flag, true));
        if t_flag {
            assert_eq!((core.frame().ip, core.status()), (0x8000, 0xFFFF_8FF0));
        }
    }
}

// DBG-74, DBG-75: a debugger that is a task without T ends; with T its own #DB calls it for ever
#[test]
fn the_task_of_the_debugger() {
    for (t, ends) in [(false, true), (true, false)] {
        let mut core = core(&[Does::Nothing]);
        (core.tf, core.debug_task) = (true, Some(t));
        assert_eq!(core.step(), DB);
        for _ in 0..5 {
            assert_eq!(core.bench.out().db_valid, !ends);
            if !ends {
                // Its first instruction is never executed.
                let frames = core.stack.len();
                let int = lwp_model::debug::Interrupted {
                    valid: true,
                    kind: lwp_model::retire::IntKind::Exception,
                    task: true,
                    t,
                    ..lwp_model::debug::Interrupted::default()
                };
                core.bench.cycle(lwp_model::debug::Inputs { int, db_ack: true, ..lwp_model::debug::Inputs::default() });
                assert_eq!((core.stack.len(), core.bench.dr6()), (frames, 0xFFFF_CFF0));
            }
        }
    }
}

// DCTL-05, DCTL-18: with BTF a step comes behind taken branches alone, system branches among them; without TF behind none
#[test]
fn branch_steps() {
    for (tf, btf, ips) in [
        (true, true, &[0x1008, 0x8000][..]),
        (true, false, &[0x1004, 0x1008, 0x100C, 0x8000][..]),
        (false, true, &[][..]),
    ] {
        let mut core = core(&[Does::Nothing, Does::Jump(0x1008), Does::Nothing, Does::CallGate(0x8000)]);
        (core.tf, core.bench.stays.btf) = (tf, btf);
        let stops = stops(&mut core, 4);
        assert_eq!(stops.iter().map(|stop| stop.0).collect::<Vec<_>>(), ips, "{tf} {btf}");
        assert!(stops.iter().all(|stop| stop.1 == 0xFFFF_4FF0));
    }
}
