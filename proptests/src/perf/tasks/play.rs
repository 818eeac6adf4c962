//! Plays a case, and checks at each step that a task which does not run stands still.

use super::case::{Case, LONGEST, Step};
use lwp_regs::delivery::LocalApic;
use lwp_regs::perf::virtual_counter::{Control, CounterHardware, Counts};
use sim_harness::core::MachineFault;
use sim_harness::perf::tasks::{Bench, Program, TaskId, World};
use std::fmt::Debug;

/// What a task does itself, whoever runs in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Own {
    Run,
    Read,
    Sample,
}

/// A task of a case while it is played.
#[derive(Clone, Debug, Default)]
struct Life {
    started: bool,
    ended: bool,
    script: Vec<Own>,
    reads: Vec<[u64; 2]>,
    /// What its page said when it lost its processor.
    away: Option<Counts<2>>,
    /// Cycles before and after the beginning of its stay.
    since: (u64, u64),
    /// Cycles of its program.
    ran: u64,
    /// Cycles of its stays, at least and at most.
    time: (u64, u64),
}

/// What the tasks of a case did and counted.
#[derive(Clone, Debug)]
pub struct Played {
    lives: Vec<Life>,
    /// What each has counted at the end.
    pub counts: Vec<Option<Counts<2>>>,
    /// Overflows that were reported to each.
    pub overflows: Vec<usize>,
    /// Interrupts that were taken while their task did not run any more.
    pub strays: usize,
    /// Switches.
    pub switches: usize,
}

/// A world of which a case needs to know no sizes.
type Of<'a, B, H, A, const LANES: usize> = World<'a, B, H, A, LANES, 2>;

/// Runs the steps of a case.
///
/// # Errors
/// What a task has seen that it should not, or a call that failed.
pub fn play<B, H, A, const LANES: usize>(
    world: &mut Of<'_, B, H, A, LANES>,
    (case, programs): (&Case, &[Program<LANES>]),
    bench: &B,
    control: impl Fn(&mut H, usize) -> Control<H::Counter, H::Select, 2>,
    counters: &[H::Counter],
) -> Result<Played, String>
where
    B: Bench<LANES>,
    H: CounterHardware<Fault = MachineFault>,
    H::Counter: PartialEq,
    A: LocalApic<Fault = MachineFault>,
{
    world.latency = case.latency.into();
    for task in &case.tasks {
        world.spawn(programs[task.trace].part(task.first, LONGEST));
    }
    let lives = vec![Life::default(); case.tasks.len()];
    let mut played = Played { lives, counts: Vec::new(), overflows: vec![0; case.tasks.len()], strays: 0, switches: 0 };
    let interrupts = case.tasks.iter().any(|task| task.period.is_some());
    let mut player = Player { world, bench, control, counters, interrupts, played: &mut played };
    for (at, step) in case.steps.iter().enumerate() {
        player.step(*step).map_err(|error| format!("step {at}, {step:?}: {error}"))?;
        player.check_away().map_err(|error| format!("step {at}, {step:?}: {error}"))?;
    }
    player.end()?;
    Ok(played)
}

struct Player<'a, 'b, B, H: CounterHardware, A, F, const LANES: usize> {
    world: &'a mut Of<'b, B, H, A, LANES>,
    bench: &'a B,
    control: F,
    counters: &'a [H::Counter],
    /// Some task asks for interrupts.
    interrupts: bool,
    played: &'a mut Played,
}

/// A call that failed.
fn told(error: impl Debug) -> String {
    format!("{error:?}")
}

impl<B, H, A, F, const LANES: usize> Player<'_, '_, B, H, A, F, LANES>
where
    B: Bench<LANES>,
    H: CounterHardware<Fault = MachineFault>,
    H::Counter: PartialEq,
    A: LocalApic<Fault = MachineFault>,
    F: Fn(&mut H, usize) -> Control<H::Counter, H::Select, 2>,
{
    fn cpu(&self, number: u8) -> usize {
        usize::from(number) % self.bench.processors()
    }

    fn step(&mut self, step: Step) -> Result<(), String> {
        match step {
            Step::Run(cycles) => self.run(cycles),
            Step::Switch { cpu, task, left } => {
                let task = TaskId(usize::from(task) % self.played.lives.len());
                let elsewhere = (0..self.bench.processors()).any(|cpu| self.world.current(cpu) == Some(task));
                if elsewhere || self.played.lives[task.0].ended {
                    Ok(())
                } else {
                    self.switch(self.cpu(cpu), task, left)
                }
            }
            Step::Idle(cpu) => self.leave(self.cpu(cpu)),
            Step::Read(cpu) => self.world.current(self.cpu(cpu)).map_or(Ok(()), |task| self.read(task)),
            Step::Sample(cpu) => self.world.current(self.cpu(cpu)).map_or(Ok(()), |task| self.sample(task)),
            Step::Exit(cpu) => self.exit(self.cpu(cpu)),
        }
    }

    fn run(&mut self, cycles: u8) -> Result<(), String> {
        for cpu in 0..self.bench.processors() {
            if let Some(task) = self.world.current(cpu) {
                let life = &mut self.played.lives[task.0];
                life.script.extend(std::iter::repeat_n(Own::Run, cycles.into()));
                life.ran += u64::from(cycles);
            }
        }
        self.world.run(cycles.into()).map_err(told)
    }

    fn switch(&mut self, cpu: usize, task: TaskId, left: Option<u8>) -> Result<(), String> {
        if let Some(left) = left {
            self.leave(cpu)?;
            for counter in self.counters {
                let value = self.world.kernel(cpu).width().max() - u64::from(left);
                self.world.kernel(cpu).write_counter(*counter, value).map_err(told)?;
            }
        }
        let (prev, before) = (self.world.current(cpu), self.world.cycles());
        self.world.switch(cpu, Some(task)).map_err(told)?;
        self.gone(prev, before)?;
        self.played.switches += 1;
        if !self.played.lives[task.0].started {
            self.played.lives[task.0].started = true;
            let control = (self.control)(self.world.kernel(cpu), task.0);
            self.world.count(task, control).map_err(told)?;
        }
        let after = self.world.cycles();
        let life = &mut self.played.lives[task.0];
        (life.away, life.since) = (None, (before, after));
        Ok(())
    }

    fn leave(&mut self, cpu: usize) -> Result<(), String> {
        let (prev, before) = (self.world.current(cpu), self.world.cycles());
        self.world.switch(cpu, None).map_err(told)?;
        self.gone(prev, before)
    }

    fn exit(&mut self, cpu: usize) -> Result<(), String> {
        let (prev, before) = (self.world.current(cpu), self.world.cycles());
        self.world.exit(cpu).map_err(told)?;
        if let Some(prev) = prev {
            self.played.lives[prev.0].ended = true;
        }
        self.gone(prev, before)
    }

    /// A task has lost its processor in a switch that began in cycle `before`.
    fn gone(&mut self, task: Option<TaskId>, before: u64) -> Result<(), String> {
        let Some(task) = task else { return Ok(()) };
        let after = self.world.cycles();
        let sums = self.world.page(task).map_err(told)?.counters.sums();
        let life = &mut self.played.lives[task.0];
        life.away = Some(sums);
        life.time.0 += before - life.since.1;
        life.time.1 += after - life.since.0;
        // A handler suspends the counters and resumes them: what it does in between is not the task's time.
        let (least, most) = if self.interrupts { (life.ran, life.time.1) } else { life.time };
        if (least..=most).contains(&sums.tsc) {
            return Ok(());
        }
        Err(format!("task {} ran for {least} to {most} cycles, and its time is {}", task.0, sums.tsc))
    }

    fn read(&mut self, task: TaskId) -> Result<(), String> {
        let counts = self.world.counts(task).map_err(told)?;
        let life = &mut self.played.lives[task.0];
        life.script.push(Own::Read);
        life.reads.push(counts.pmc);
        Ok(())
    }

    fn sample(&mut self, task: TaskId) -> Result<(), String> {
        self.world.sample(task).map_err(told)?;
        self.played.lives[task.0].script.push(Own::Sample);
        Ok(())
    }

    fn check_away(&mut self) -> Result<(), String> {
        for number in 0..self.played.lives.len() {
            let Some(away) = self.played.lives[number].away else { continue };
            let sums = self.world.page(TaskId(number)).map_err(told)?.counters.sums();
            if sums != away {
                return Err(format!("task {number} does not run, and goes from {away:?} to {sums:?}"));
            }
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        (0..self.bench.processors()).try_for_each(|cpu| self.leave(cpu))?;
        self.played.counts = self.played.lives.iter().map(|life| life.away).collect();
        for report in &self.world.reports {
            match report.task {
                Some(task) if report.overflowed != 0 => self.played.overflows[task.0] += 1,
                _ => self.played.strays += 1,
            }
        }
        Ok(())
    }
}

impl Played {
    /// Whether a task has run.
    #[must_use]
    pub fn started(&self, task: usize) -> bool {
        self.lives[task].started
    }

    /// What a task did itself, as a case of that task alone which never loses its processor.
    #[must_use]
    pub fn alone(&self, case: &Case, task: usize) -> Case {
        let begin = Step::Switch { cpu: 0, task: 0, left: None };
        let own = self.lives[task].script.iter().map(|own| match own {
            Own::Run => Step::Run(1),
            Own::Read => Step::Read(0),
            Own::Sample => Step::Sample(0),
        });
        Case { tasks: vec![case.tasks[task]], steps: [begin].into_iter().chain(own).collect(), ..*case }
    }

    /// Compares what a task counted with what it counted alone: whenever it read, and at the end.
    ///
    /// # Errors
    /// The first difference.
    pub fn compare(&self, task: usize, alone: &Self) -> Result<(), String> {
        let (mine, only) = (&self.lives[task].reads, &alone.lives[0].reads);
        if let Some(at) = (0..mine.len()).find(|&at| mine.get(at) != only.get(at)) {
            return Err(format!("task {task} reads {:?}, and {:?} when it is alone", mine[at], only.get(at)));
        }
        match (self.counts[task], alone.counts[0]) {
            (Some(mine), Some(only)) if mine.pmc == only.pmc => Ok(()),
            (mine, only) => {
                let [mine, only] = [mine, only].map(|counts| counts.map(|counts| counts.pmc).unwrap_or_default());
                Err(format!("task {task} has counted {mine:?}, and {only:?} when it is alone"))
            }
        }
    }
}
