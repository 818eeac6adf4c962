//! Three processes that run in turn, their system calls, and what interrupts them: the run of the nine figures.

use super::bench::*;
use lwp_model::itanium::{Config, Inputs, RegOp};
use lwp_regs::itanium::{Counter, Dcr, Frozen, Ism, MonitorPlan, Pmc45, Pmd, Psr, Scope};

type Small = Bench<1, 4>;

/// Instructions of a process at level 3, of the kernel for it, and of the handler that interrupts it.
struct Work {
    user: u32,
    kernel: u32,
    handler: u32,
}

const WORK: [Work; 3] = [
    Work { user: 100, kernel: 40, handler: 7 },
    Work { user: 200, kernel: 50, handler: 11 },
    Work { user: 300, kernel: 60, handler: 13 },
];

/// How a system call enters the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// By epc, which is no interruption; back by br.ret.
    Epc,
    /// By break, which is one; back by rfi.
    Break,
}

/// What is written before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) pmc4: u64,
    pub(super) dcr: u64,
    /// PSR of each process, without its level.
    pub(super) psr: [u64; 3],
    pub(super) system_call: Entry,
}

impl Run {
    /// The settings of a figure's panel.
    pub(super) fn of_plan(plan: MonitorPlan, scope: Scope) -> Self {
        let chosen = match scope {
            Scope::SingleProcess => [true, false, false],
            Scope::MultipleProcesses => [true, true, false],
            Scope::SystemWide => [true; 3],
        };
        let pmc4 = Pmc45::from_bits(u64::from(RETIRED) << 8).with_monitor(plan.monitor(Ism::Both));
        Self {
            pmc4: pmc4.into_bits(),
            dcr: plan.dcr(Dcr::new()).into_bits(),
            psr: chosen.map(|chosen| plan.psr(Psr::new(), chosen).into_bits()),
            system_call: Entry::Epc,
        }
    }

    /// The unit, ready for the first instruction of A.
    fn begin(&self, straps: Config) -> Small {
        let mut bench = Small::new(straps);
        bench.bring(0, 0x1000, 0, [NOP; 3]);
        bench.write(PMC, 4, self.pmc4);
        bench.write(CR, 0, self.dcr);
        bench.write(PMC, 0, 0);
        bench.rfi(self.psr[0]);
        bench
    }

    /// A process until it is interrupted: half of its instructions, a system call, the other half.
    fn process(&self, bench: &mut Small, index: usize) {
        let Work { user, kernel, .. } = WORK[index];
        bench.stays.cpl = 3;
        execute(bench, user / 2);
        if self.system_call == Entry::Break {
            bench.interrupt();
        }
        bench.stays.cpl = 0;
        match self.system_call {
            Entry::Epc => execute(bench, kernel),
            Entry::Break => {
                execute(bench, kernel - 1);
                switch(bench, self.psr[index]);
            }
        }
        bench.stays.cpl = 3;
        execute(bench, user - user / 2);
        bench.interrupt();
        bench.stays.cpl = 0;
    }

    /// PMD\[4\] behind the run.
    pub(super) fn count(&self, straps: Config) -> u32 {
        let mut bench = self.begin(straps);
        for (index, work) in WORK.iter().enumerate() {
            self.process(&mut bench, index);
            execute(&mut bench, work.handler - 1);
            switch(&mut bench, self.psr[(index + 1) % 3]);
        }
        bench.write(PMC, 0, 1);
        bench.counts()[0]
    }

    /// PMD\[4\] of each process, saved by the handlers.
    pub(super) fn counts_of_each(&self, straps: Config) -> [u32; 3] {
        let mut bench = self.begin(straps);
        core::array::from_fn(|index| {
            self.process(&mut bench, index);
            let mut frozen = Frozen::freeze(&mut bench).unwrap().save().unwrap();
            execute(frozen.bus(), WORK[index].handler);
            let count = frozen.snapshot().count(Counter::Four).count();
            frozen.load(Counter::Four, Pmd::of(0)).unwrap();
            frozen.thaw().unwrap();
            bench.rfi(self.psr[(index + 1) % 3]);
            count
        })
    }
}

/// So many instructions, up to three in a cycle.
fn execute(bench: &mut Small, instructions: u32) {
    for done in (0..instructions).step_by(3) {
        bench.run((instructions - done).min(3) as u8);
    }
}

/// The rfi that brings a process, which is an instruction itself.
fn switch(bench: &mut Small, psr: u64) {
    let mut inputs: Inputs<1> = asking(RegOp::Rfi, 0, psr | 3 << 32);
    inputs.retire[0] = retire(0, 1);
    assert!(bench.cycle(inputs).reg_done);
}
