//! The global mode: counters of each processor, whatever runs there.

use super::{Device, Time, on_both, on_two_cpus, program, two_cpus};
use lwp_regs::perf::architectural::{CounterIndex, Ia32PerfEvtSel};
use lwp_regs::perf::virtual_counter::perfctr::{
    BadAddress, CallError, CpuControl, CpuState, Global, GlobalCommand, Info, Options, UserStates,
};
use lwp_regs::perf::virtual_counter::{Control, CounterHardware};
use sim_harness::core::MachineFault;
use sim_harness::perf::tasks::{Board, Called};

type State = CpuState<CounterIndex, Ia32PerfEvtSel, 2>;

/// A user's memory with room for so many states, of which some cannot be accessed.
#[derive(Debug, Default)]
struct Memory {
    room: usize,
    unreadable: bool,
    /// The first that cannot be written.
    unwritable: Option<usize>,
    states: Vec<State>,
}

impl Memory {
    fn of(room: usize) -> Self {
        Self { room, ..Self::default() }
    }

    fn sums(&self) -> Vec<[u64; 2]> {
        self.states.iter().map(|state| state.sum.pmc).collect()
    }

    fn times(&self) -> Vec<u64> {
        self.states.iter().map(|state| state.sum.tsc).collect()
    }
}

impl UserStates<CounterIndex, Ia32PerfEvtSel, 2> for Memory {
    fn requested(&mut self) -> Result<usize, BadAddress> {
        if self.unreadable { Err(BadAddress) } else { Ok(self.room) }
    }

    fn put(&mut self, cpu: usize, state: &State) -> Result<(), BadAddress> {
        if self.unwritable == Some(cpu) {
            return Err(BadAddress);
        }
        self.states.push(*state);
        Ok(())
    }
}

type Sums = Vec<(Called<usize>, Vec<[u64; 2]>)>;

/// Processor 0 runs instructions, processor 1 branches, and both count both.
macro_rules! both_run {
    ($board:expr, $interval:expr) => {{
        let (mut world, caps) = two_cpus($board);
        let (a, b) = (world.spawn(program(200, 0)), world.spawn(program(200, 200)));
        world.switch(0, Some(a)).unwrap();
        world.switch(1, Some(b)).unwrap();
        let controls = [0, 1].map(|cpu| CpuControl { cpu, control: on_two_cpus(&caps) });
        assert_eq!(world.global_control(&controls, $interval), Ok(2));
        (world, caps, controls)
    }};
}

// VPC-09: each counter of each processor is controlled and read. VPC-19, VPC-57: without a timer a read samples at once
#[test]
fn each_processor_counts_for_itself() {
    fn sums<D: Device, T: Time>(board: &Board<D, T>) -> (Sums, usize) {
        let (mut world, caps, controls) = both_run!(board, 0);
        let mut seen = Vec::new();
        for cycles in [7, 5] {
            world.run(cycles).unwrap();
            let mut memory = Memory::of(2);
            seen.push((world.global_read(&mut memory), memory.sums()));
        }
        world.global_stop().unwrap();
        // Another matrix: processor 1 alone, with branches alone, in its counter 1.
        let select = Ia32PerfEvtSel::from_bits(super::BRANCHES);
        let control = Control::new().count(caps.counter(1).unwrap(), select).unwrap();
        assert_eq!(world.global_control(&[CpuControl { cpu: 1, control }], 0), Ok(1));
        world.run(4).unwrap();
        let mut memory = Memory::of(2);
        seen.push((world.global_read(&mut memory), memory.sums()));
        assert_eq!(memory.states[1].control, control);
        (seen, controls.len())
    }
    let (seen, _) = on_both!(Architectural, sums);
    assert_eq!(seen[0], (Ok(2), vec![[7, 0], [7, 7]]));
    assert_eq!(seen[1], (Ok(2), vec![[12, 0], [12, 12]]));
    assert_eq!(seen[2], (Ok(1), vec![[0, 0], [4, 0]]));
}

/// Nearly a turn of a counter of 40 bits.
const TURN: u64 = 0xFF_FFFF_F000;

// VPC-10: the timer keeps sums of 64 bits exact while counters of 40 bits wrap. VPC-55: control starts a timer whose ticks accumulate
#[test]
fn the_timer_samples_before_a_counter_wraps() {
    fn sums<D: Device, T: Time>(board: &Board<D, T>) -> (Vec<u64>, u64) {
        let (mut world, caps, _) = both_run!(board, 20);
        let counter = caps.counter(0).unwrap();
        let mut seen = Vec::new();
        for _ in 0..3 {
            // The counter is moved as if so many events had happened; the hardware counts the 30 after them.
            let moved = (world.kernel(0).read(counter).unwrap() + TURN) & 0xFF_FFFF_FFFF;
            world.kernel(0).write_counter(counter, moved).unwrap();
            world.run(30).unwrap();
            let mut memory = Memory::of(1);
            world.global_read(&mut memory).unwrap();
            seen.push(memory.sums()[0][0]);
        }
        (seen, world.kernel(0).read(counter).unwrap())
    }
    let (seen, shown) = on_both!(Architectural, sums);
    assert!(shown < 1 << 40, "the hardware has 40 bits");
    for (turns, sum) in (1..).zip(&seen) {
        let events = sum - turns * TURN;
        assert!((turns * 30 - 20..=turns * 30).contains(&events), "up to the last tick: {events} of {}", turns * 30);
    }
}

// An access takes two cycles. From RDTSC of processor 0 to that of processor 1 it is 14 cycles at the start (RDTSC, two RDPMC; of
// processor 1 two RDPMC for the values before, two WRMSR), and 6 in a sample (RDTSC, two RDPMC), which takes 12 for both.

// VPC-10: the time-stamp counter of each processor is sampled as well, without a timer by each read
#[test]
fn time_is_sampled_by_a_read() {
    fn times<D: Device, T: Time>(board: &Board<D, T>) -> Vec<Vec<u64>> {
        let (mut world, ..) = both_run!(board, 0);
        let mut seen = Vec::new();
        for cycles in [7, 5, 100] {
            world.run(cycles).unwrap();
            let mut memory = Memory::of(2);
            world.global_read(&mut memory).unwrap();
            seen.push(memory.times());
        }
        seen
    }
    // Processor 0: 20 cycles from its RDTSC to the end of the start, and 7; then 12 of a sample, and 5; 12 and 100. Processor 1: 14 less, and
    // its sample is 6 later.
    assert_eq!(on_both!(Architectural, times), [[27, 19], [44, 36], [156, 148]]);
}

// VPC-10: with a timer time and counts are those of the last tick
#[test]
fn time_is_sampled_by_the_timer() {
    fn times<D: Device, T: Time>(board: &Board<D, T>) -> Vec<(Vec<u64>, Vec<[u64; 2]>)> {
        let (mut world, ..) = both_run!(board, 40);
        let mut seen = Vec::new();
        for cycles in [10, 40, 5, 80] {
            world.run(cycles).unwrap();
            let mut memory = Memory::of(2);
            world.global_read(&mut memory).unwrap();
            seen.push((memory.times(), memory.sums()));
        }
        seen
    }
    let of = |time: [u64; 2], count| (time.to_vec(), vec![[count, 0], [count, count]]);
    // The first tick is 40 cycles after the call, of which 28 are the start: 12 of the programs. Each other comes 40 later, after 28 of the
    // programs. RDTSC of processor 0 is 8 cycles after the call.
    let seen = on_both!(Architectural, times);
    assert_eq!(seen[0], of([0, 0], 0), "no tick yet");
    assert_eq!(seen[1], of([72, 64], 40), "the second tick");
    assert_eq!(seen[2], seen[1], "no tick since");
    assert_eq!(seen[3], of([192, 184], 124), "the fifth tick");
}

// VPC-55: with a timer a read gives the last sample, which is not the present count
#[test]
fn with_a_timer_a_read_is_of_the_last_tick() {
    fn sums<D: Device, T: Time>(board: &Board<D, T>) -> Sums {
        let (mut world, ..) = both_run!(board, 40);
        let mut seen = Vec::new();
        for cycles in [10, 40, 5] {
            world.run(cycles).unwrap();
            let mut memory = Memory::of(1);
            seen.push((world.global_read(&mut memory), memory.sums()));
        }
        seen
    }
    let seen = on_both!(Architectural, sums);
    assert_eq!(seen[0], (Ok(2), vec![[0, 0]]), "no tick yet");
    assert!(seen[1].1[0][0] >= 10 && seen[1].1[0][0] < 50, "{seen:?}");
    assert_eq!(seen[2].1, seen[1].1, "no tick since");
}

// VPC-56: as many states as are asked for and as there are processors, and the number of active ones
#[test]
fn a_read_is_clamped() {
    fn read<D: Device, T: Time>(board: &Board<D, T>) -> Vec<(Called<usize>, usize)> {
        let (mut world, caps) = two_cpus(board);
        let control = CpuControl { cpu: 1, control: on_two_cpus(&caps) };
        world.global_control(&[control], 0).unwrap();
        let read = [0, 1, 2, 9].map(|room| {
            let mut memory = Memory::of(room);
            (world.global_read(&mut memory), memory.states.len())
        });
        read.to_vec()
    }
    assert_eq!(on_both!(Architectural, read), [(Ok(1), 0), (Ok(1), 1), (Ok(1), 2), (Ok(1), 2)]);
}

/// Copies of states with ticks between those of two processors, and what `GPERFCTR_READ` returns after each.
#[derive(Debug, PartialEq, Eq)]
struct Copies {
    copies: Vec<[u64; 2]>,
    reads: Vec<Vec<[u64; 2]>>,
}

// VPC-58: the state of a processor is that of one sample, whatever is sampled between the copies of two processors; a tick during a read
// does not compile (`lwp-regs/tests/trybuild/tick_during_a_read.rs`)
#[test]
fn each_state_is_of_one_sample() {
    fn read<D: Device, T: Time>(board: &Board<D, T>) -> Copies {
        let (mut world, caps) = two_cpus(board);
        let tasks = [0, 1].map(|cpu| (cpu, world.spawn(program(200, 0))));
        tasks.into_iter().for_each(|(cpu, task)| world.switch(cpu, Some(task)).unwrap());
        // The same event twice, so that the two sums of a sample are equal.
        let select = Ia32PerfEvtSel::from_bits(super::INSTRUCTIONS);
        let [zero, one] = [0, 1].map(|number| caps.counter(number).unwrap());
        let control = Control::new().count(zero, select).unwrap().count(one, select).unwrap();
        world.global_control(&[0, 1].map(|cpu| CpuControl { cpu, control }), 15).unwrap();
        let (mut copies, mut reads) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            for cpu in [0, 1] {
                world.run(11).unwrap();
                copies.push(world.global.state(cpu).sum.pmc);
                let mut memory = Memory::of(2);
                world.global_read(&mut memory).unwrap();
                reads.push(memory.sums());
            }
        }
        Copies { copies, reads }
    }
    let Copies { copies, reads } = on_both!(Architectural, read);
    assert!(copies.iter().all(|[zero, one]| zero == one), "{copies:?}");
    assert!(copies.windows(2).all(|pair| pair[0][0] < pair[1][0]), "ticks in between: {copies:?}");
    // GPERFCTR_READ: no tick comes between the copies of the two, so both are of the tick whose states were copied before.
    for (at, (copy, read)) in copies.iter().zip(&reads).enumerate() {
        assert_eq!(read[at % 2], *copy, "{reads:?}");
        assert!(read.iter().all(|[zero, one]| zero == one), "{reads:?}");
    }
}

// VPC-59: memory that cannot be read or written, and a call that does not exist. VPC-11, VPC-53: the device has calls and nothing else
#[test]
fn errors_of_the_device() {
    fn errors<D: Device, T: Time>(board: &Board<D, T>) -> Vec<Called<usize>> {
        let (mut world, _, controls) = both_run!(board, 0);
        let unreadable = world.global_read(&mut Memory { unreadable: true, ..Memory::of(2) });
        let unwritable = world.global_read(&mut Memory { unwritable: Some(1), ..Memory::of(2) });
        let narrow = world.global_read(&mut Memory { unwritable: Some(1), ..Memory::of(1) });
        let again = world.global_control(&controls, 0);
        world.global_stop().unwrap();
        let no_such = world.global_control(&[CpuControl { cpu: 2, ..controls[0] }], 0);
        vec![unreadable, unwritable, narrow, again, no_such]
    }
    let errors = on_both!(Architectural, errors);
    let bad = Err(CallError::BadAddress);
    assert_eq!(errors, [bad, bad, Ok(2), Err(CallError::Busy), Err(CallError::NoSuchCpu)]);
    assert_eq!(bad.map(|_: usize| ()).map_err(|error: CallError<MachineFault>| error.errno()), Err(14), "EFAULT");
    let commands = [0, 1, 2, 3].map(|number| GlobalCommand::try_from(number).unwrap());
    assert_eq!(commands, [GlobalCommand::Info, GlobalCommand::Control, GlobalCommand::Read, GlobalCommand::Stop]);
    assert_eq!(GlobalCommand::try_from(4).map_err(|error| error.errno()), Err(22), "EINVAL");
}

// VPC-60: the timer ends, the counters stand, and each has the value that it had before
#[test]
fn a_stop_restores() {
    fn stopped<D: Device, T: Time>(board: &Board<D, T>) -> (Option<u64>, Option<u64>, Vec<u64>, usize) {
        let (mut world, caps) = two_cpus(board);
        let task = world.spawn(program(200, 200));
        world.switch(0, Some(task)).unwrap();
        let counters = [0, 1].map(|number| caps.counter(number).unwrap());
        for (counter, value) in counters.into_iter().zip([0xAB_CDEF_0123, 5]) {
            world.kernel(0).write_counter(counter, value).unwrap();
        }
        world.global_control(&[CpuControl { cpu: 0, control: on_two_cpus(&caps) }], 40).unwrap();
        let timer = world.global.timer();
        world.run(100).unwrap();
        world.global_stop().unwrap();
        world.run(50).unwrap();
        let shown = counters.map(|counter| world.kernel(0).read(counter).unwrap()).to_vec();
        (timer, world.global.timer(), shown, world.global.active())
    }
    assert_eq!(on_both!(Architectural, stopped), (Some(40), None, vec![0xAB_CDEF_0123, 5], 0));
}

// VPC-54: what PERFCTR_INFO reports. VPC-19: without the option there is no global mode
#[test]
fn information_on_the_counters() {
    fn information<D: Device, T: Time>(board: &Board<D, T>) -> [Called<Info>; 3] {
        let (mut world, _) = two_cpus(board);
        let info = world.global.info();
        let known = info.ok();
        let without = Options { global: false, ..Options::ALL };
        world.global = Global::new(without, known);
        let left_out = world.global.info();
        world.global = Global::new(Options::ALL, None);
        [info, left_out, world.global.info()]
    }
    let info = Info { counters: 2, width: 40, interrupts: true, cpus: 2 };
    let none = Err(CallError::NoDevice);
    assert_eq!(on_both!(Architectural, information), [Ok(info), none, none]);
}
