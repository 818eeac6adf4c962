//! The operating system: tasks, switches, interrupts, the sampling timer.

use super::board::Bench;
use super::processors::Counters;
use super::program::Program;
use super::table::{TaskId, TaskTable};
use crate::core::MachineFault;
use lwp_model::perf::Inputs;
use lwp_regs::delivery::{LOCAL_PERFCTR_VECTOR, LocalApic, LvtPerformance, handle_overflow};
use lwp_regs::perf::virtual_counter::perfctr::{
    CallError, CpuControl, File, Global, Info, InterruptCounts, Options, Page, Perfctr, SelfTestError, UserStates,
    read_mapped,
};
use lwp_regs::perf::virtual_counter::{Control, CounterHardware, Counts};

/// Objects of the driver, and processors at most.
pub const OBJECTS: usize = 8;
/// Processors at most.
pub const CPUS: usize = 4;

/// The result of a call.
pub type Called<R> = Result<R, CallError<MachineFault>>;

/// An overflow interrupt, or an overflow that was found when its task was switched away from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Processor.
    pub cpu: usize,
    /// Vector of the interrupt; none if the overflow was found at a switch.
    pub vector: Option<u8>,
    /// The task that was running.
    pub task: Option<TaskId>,
    /// Its counters that had overflowed, a bit each.
    pub overflowed: u32,
}

/// A task: a program, how far it has come, and its descriptor of its own counters.
#[derive(Debug)]
struct Task<const LANES: usize> {
    program: Program<LANES>,
    at: usize,
    file: Option<File>,
    /// Its handler of overflows lets the counters go on at once.
    resumes: bool,
    /// An overflow has been reported to it and not been handled.
    signalled: bool,
}

/// Tasks on the processors of a board. `H` are counters of a processor, `A` its local APIC; a task counts on up to `N` of them.
#[derive(Debug)]
pub struct World<'a, B, H: CounterHardware, A, const LANES: usize, const N: usize> {
    bench: &'a B,
    kernel: Vec<H>,
    user: Vec<H>,
    apic: Vec<A>,
    /// The driver of tasks.
    pub driver: Perfctr<TaskId, H::Counter, H::Select, N, OBJECTS>,
    /// The driver of the global mode.
    pub global: Global<H::Counter, H::Select, N, CPUS>,
    /// Tasks as the system knows them.
    pub table: TaskTable,
    /// Cycles from an interrupt to its handler, in which the program continues.
    pub latency: u64,
    /// Overflow interrupts of each processor.
    pub interrupts: InterruptCounts<CPUS>,
    /// What has been reported.
    pub reports: Vec<Report>,
    tasks: Vec<Task<LANES>>,
    current: Vec<Option<TaskId>>,
    waits: Vec<Option<u64>>,
    ticked: u64,
}

impl<'a, B, H, A, const LANES: usize, const N: usize> World<'a, B, H, A, LANES, N>
where
    B: Bench<LANES>,
    H: CounterHardware<Fault = MachineFault>,
    H::Counter: PartialEq,
    A: LocalApic<Fault = MachineFault>,
{
    /// A computer without tasks, whose driver knows these counters. The interrupts of the counters have their vector.
    ///
    /// # Panics
    /// If the initialisation fails.
    #[must_use]
    pub fn new(bench: &'a B, processors: Vec<Counters<H, A>>, counters: &[H::Counter], options: Options) -> Self {
        let cpus = bench.processors();
        let (mut kernel, mut user, mut apic) = (Vec::new(), Vec::new(), Vec::new());
        for of in processors {
            kernel.push(of.kernel);
            user.push(of.user);
            apic.push(of.apic);
        }
        let info = Info::of(&kernel[0], counters.len() as u8, cpus);
        let mut driver = Perfctr::new(options);
        driver.init(&mut kernel[0], counters, info).expect("the counters work");
        let entry = LvtPerformance::fixed(LOCAL_PERFCTR_VECTOR).expect("a vector above 15");
        apic.iter_mut().for_each(|apic| apic.set_lvt_performance(entry).expect("the entry takes a vector"));
        let (current, waits) = (vec![None; cpus], vec![None; cpus]);
        let (table, interrupts) = (TaskTable::default(), InterruptCounts::new());
        let (tasks, reports) = (Vec::new(), Vec::new());
        let global = Global::new(options, Some(info));
        Self {
            bench,
            kernel,
            user,
            apic,
            driver,
            global,
            table,
            latency: 0,
            interrupts,
            reports,
            tasks,
            current,
            waits,
            ticked: 0,
        }
    }

    /// Initialises the driver, for instance another one than at first.
    ///
    /// # Errors
    /// What the tests of the initialisation have found.
    pub fn init(&mut self, counters: &[H::Counter]) -> Result<(), SelfTestError<MachineFault>> {
        let info = Info::of(&self.kernel[0], counters.len() as u8, self.kernel.len());
        self.driver.init(&mut self.kernel[0], counters, info)
    }

    /// The counters of a processor at level 0, for whatever this world does not do.
    pub fn kernel(&mut self, cpu: usize) -> &mut H {
        &mut self.kernel[cpu]
    }

    /// The counters of a processor at level 3.
    pub fn user(&mut self, cpu: usize) -> &mut H {
        &mut self.user[cpu]
    }

    /// Cycles since reset.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.bench.cycles()
    }

    /// The task that a processor runs.
    #[must_use]
    pub fn current(&self, cpu: usize) -> Option<TaskId> {
        self.current[cpu]
    }

    /// The processor on which a task runs; the first one calls for a task that does not.
    fn cpu_of(&self, task: TaskId) -> usize {
        self.current.iter().position(|current| *current == Some(task)).unwrap_or(0)
    }

    /// Cycles of its program that a task has run.
    #[must_use]
    pub fn ran(&self, task: TaskId) -> usize {
        self.tasks[task.0].at
    }

    /// Makes a task, which does not run and has no counters.
    pub fn spawn(&mut self, program: Program<LANES>) -> TaskId {
        self.tasks.push(Task { program, at: 0, file: None, resumes: true, signalled: false });
        self.table.add()
    }

    /// Lets the counters of a task stand after an overflow, until it calls `VPERFCTR_IRESUME` itself.
    pub fn let_stand(&mut self, task: TaskId) {
        self.tasks[task.0].resumes = false;
    }

    /// A task that runs opens its own counters, creating them, and has them count; the descriptor stays with the task.
    ///
    /// # Errors
    /// That of the call that fails.
    pub fn count(&mut self, task: TaskId, control: Control<H::Counter, H::Select, N>) -> Called<()> {
        let file = self.open(task, task, true)?;
        let cpu = self.cpu_of(task);
        let result = self.driver.control(&file, (&self.table, task), &mut self.kernel[cpu], control);
        self.tasks[task.0].file = Some(file);
        result
    }

    /// The descriptor that a task has kept is released, as it is when the task ends.
    pub fn close(&mut self, task: TaskId) {
        if let Some(file) = self.tasks[task.0].file.take() {
            self.driver.release(file);
        }
    }

    /// `caller` opens the counters of `task`.
    ///
    /// # Errors
    /// That of the call.
    pub fn open(&mut self, caller: TaskId, task: TaskId, create: bool) -> Called<File> {
        self.driver.open(&self.table, caller, task, create)
    }

    /// A task samples its counters by the descriptor that it has kept.
    ///
    /// # Errors
    /// That of the call.
    pub fn sample(&mut self, task: TaskId) -> Called<()> {
        let cpu = self.cpu_of(task);
        let file = self.tasks[task.0].file.as_ref().ok_or(CallError::NoCounters)?;
        self.driver.sample(file, (&self.table, task), &mut self.kernel[cpu])
    }

    /// A call of `caller` on a descriptor, on the processor that it runs on.
    ///
    /// # Errors
    /// That of the call.
    pub fn call<R>(
        &mut self,
        caller: TaskId,
        call: impl FnOnce(
            &mut Perfctr<TaskId, H::Counter, H::Select, N, OBJECTS>,
            (&TaskTable, TaskId),
            &mut H,
        ) -> Called<R>,
    ) -> Called<R> {
        let cpu = self.cpu_of(caller);
        call(&mut self.driver, (&self.table, caller), &mut self.kernel[cpu])
    }

    /// A processor goes to another task, or to none.
    ///
    /// # Errors
    /// That of the driver.
    ///
    /// # Panics
    /// If the task runs on another processor, or has ended.
    pub fn switch(&mut self, cpu: usize, next: Option<TaskId>) -> Called<()> {
        let prev = self.current[cpu];
        if prev == next {
            return Ok(());
        }
        assert!(next.is_none() || !self.current.contains(&next), "a task runs on one processor");
        let overflowed = self.driver.switch(&mut self.kernel[cpu], prev, next)?;
        self.current[cpu] = next;
        if overflowed != 0 {
            self.report(Report { cpu, vector: None, task: prev, overflowed });
        }
        next.map_or(Ok(()), |next| self.deliver(cpu, next))
    }

    /// The task that a processor runs ends.
    ///
    /// # Errors
    /// That of the driver.
    pub fn exit(&mut self, cpu: usize) -> Called<()> {
        let Some(task) = self.current[cpu] else { return Ok(()) };
        self.driver.exit(&mut self.kernel[cpu], task)?;
        self.current[cpu] = None;
        self.table.remove(task);
        Ok(())
    }

    /// All processors run for so many cycles. A task whose program has ended shows nothing.
    ///
    /// # Errors
    /// That of the driver in a handler.
    pub fn run(&mut self, cycles: u64) -> Called<()> {
        for _ in 0..cycles {
            let shown: Vec<Option<Inputs<1, LANES>>> =
                self.current.clone().into_iter().map(|task| task.and_then(|task| self.tasks[task.0].next())).collect();
            self.bench.cycle(&shown.iter().map(Option::as_ref).collect::<Vec<_>>());
            (0..self.current.len()).try_for_each(|cpu| self.wait_for_interrupt(cpu))?;
            self.tick()?;
        }
        Ok(())
    }

    fn wait_for_interrupt(&mut self, cpu: usize) -> Called<()> {
        if !self.bench.is_interrupted(cpu as u8) {
            return Ok(());
        }
        match self.waits[cpu].unwrap_or(self.latency) {
            0 => self.interrupt(cpu),
            left => {
                self.waits[cpu] = Some(left - 1);
                Ok(())
            }
        }
    }

    /// The handler of the overflow interrupt.
    fn interrupt(&mut self, cpu: usize) -> Called<()> {
        self.waits[cpu] = None;
        let vector = self.bench.take_interrupt(cpu as u8);
        self.interrupts.note(cpu);
        let (task, driver, hw) = (self.current[cpu], &mut self.driver, &mut self.kernel[cpu]);
        let handled = handle_overflow(&mut self.apic[cpu], |_| driver.interrupt(hw, task));
        let overflowed = handled.map_err(CallError::Fault)??;
        self.report(Report { cpu, vector, task, overflowed });
        task.map_or(Ok(()), |task| self.deliver(cpu, task))
    }

    fn report(&mut self, report: Report) {
        if let Some(task) = report.task {
            self.tasks[task.0].signalled |= report.overflowed != 0;
        }
        self.reports.push(report);
    }

    /// Runs the signal handler of a task, if it has one and there is something to handle.
    fn deliver(&mut self, cpu: usize, task: TaskId) -> Called<()> {
        let of = &mut self.tasks[task.0];
        let Some(file) = of.file.as_ref().filter(|_| of.signalled && of.resumes) else { return Ok(()) };
        of.signalled = false;
        self.driver.iresume(file, (&self.table, task), &mut self.kernel[cpu]).map(drop)
    }

    /// The sampling timer of the global mode; its interval is in cycles.
    fn tick(&mut self) -> Called<()> {
        let Some(interval) = self.global.timer() else { return Ok(()) };
        if self.bench.cycles() - self.ticked < interval {
            return Ok(());
        }
        self.ticked = self.bench.cycles();
        self.global.tick(&mut self.kernel)
    }

    /// `GPERFCTR_CONTROL`.
    ///
    /// # Errors
    /// That of the call.
    pub fn global_control(
        &mut self,
        controls: &[CpuControl<H::Counter, H::Select, N>],
        interval: u64,
    ) -> Called<usize> {
        self.ticked = self.bench.cycles();
        self.global.control(&mut self.kernel, controls, interval)
    }

    /// `GPERFCTR_READ`.
    ///
    /// # Errors
    /// That of the call.
    pub fn global_read(&mut self, user: &mut impl UserStates<H::Counter, H::Select, N>) -> Called<usize> {
        self.global.read(&mut self.kernel, user)
    }

    /// `GPERFCTR_STOP`.
    ///
    /// # Errors
    /// That of the call.
    pub fn global_stop(&mut self) -> Called<()> {
        self.global.stop(&mut self.kernel)
    }

    /// The page of a task's counters.
    ///
    /// # Errors
    /// That of the call.
    pub fn page(&mut self, task: TaskId) -> Called<Page<H::Counter, H::Select, N>> {
        let file = self.tasks[task.0].file.as_ref().ok_or(CallError::NoCounters)?;
        self.driver.mmap(file)
    }

    /// What a task has counted until now, read by itself if it runs: in user mode, from its page.
    ///
    /// # Errors
    /// That of the call, or the fault of RDPMC.
    pub fn counts(&mut self, task: TaskId) -> Called<Counts<N>> {
        let page = self.page(task)?;
        let cpu = self.cpu_of(task);
        read_mapped(|| page, &mut self.user[cpu]).map_err(CallError::Fault)
    }
}

impl<const LANES: usize> Task<LANES> {
    /// The next cycle of its program.
    fn next(&mut self) -> Option<Inputs<1, LANES>> {
        let cycle = self.program.cycles().get(self.at).copied()?;
        self.at += 1;
        Some(cycle)
    }
}
