//! The core around the unit: it executes cycles until an operation or a program is complete.

use super::fault::MachineFault;
use super::identity::Identity;
use super::port::Port;
use super::program::{Program, Stop};
use crate::core::HostMemory;
use lwp_model::Moore;
use lwp_model::lwp::{Control, CtlOp, Inputs, Lane, Mode, Outputs};

/// The number of cycles after which a unit without a response is abandoned, in addition to the time that memory takes.
const PATIENCE: u64 = 100_000;
/// The number of cycles without memory traffic after which no record can be in flight: between two accesses of a store
/// there are at most five cycles.
const QUIET: u64 = 8;

const KERNEL: u8 = 0;
const USER: u8 = 3;

/// A core that executes one operation or program at a time.
pub(super) struct Cpu<const W: usize, D> {
    pub(super) device: D,
    pub(super) identity: Identity,
    pub(super) memory: HostMemory,
    pub(super) port: Port,
    /// The maximum number of instructions that retire in one cycle.
    pub(super) lanes: usize,
    /// The minimum number of cycles from one group to the next.
    pub(super) pace: u64,
    /// Cycles since reset.
    pub(super) cycles: u64,
    /// The number of cycles that a threshold interrupt may be late.
    delay: u64,
    mode: Mode,
}

impl<const W: usize, D: Moore<Inputs = Inputs<W>, Outputs = Outputs>> Cpu<W, D> {
    /// Creates the core at reset: at CPL 0, in 64-bit mode.
    pub(super) fn new(device: D, identity: Identity, irq_delay: u8) -> Self {
        Self {
            device,
            identity,
            memory: HostMemory::default(),
            port: Port::new(),
            lanes: W,
            pace: 1,
            cycles: 0,
            delay: u64::from(irq_delay),
            mode: Mode { cpl: KERNEL, ..Mode::default() },
        }
    }

    /// Executes one cycle; `show` adds to its inputs.
    fn cycle(&mut self, show: impl FnOnce(&mut Inputs<W>)) {
        let out = self.device.outputs();
        let mem = self.port.cycle(&out, &mut self.memory);
        let mut inputs = Inputs { mode: self.mode, mem, ..Inputs::default() };
        show(&mut inputs);
        self.device.step(&inputs);
        self.cycles += 1;
    }

    fn idle(&mut self) {
        self.cycle(|_| {});
    }

    /// Executes idle cycles until the outputs are as `wanted`.
    fn wait(&mut self, wanted: impl Fn(&Outputs) -> bool) -> Result<Outputs, MachineFault> {
        let end = self.cycles + self.patience();
        loop {
            let out = self.device.outputs();
            if wanted(&out) {
                return Ok(out);
            }
            if self.cycles == end {
                return Err(MachineFault::Stuck);
            }
            self.idle();
        }
    }

    /// Returns the number of cycles to wait. An operation makes up to 40 accesses before its response.
    fn patience(&self) -> u64 {
        PATIENCE + 64 * u64::from(self.port.latency)
    }

    /// Changes the privilege level, which takes a cycle in which nothing retires. Ring 3 is left when `drain` is 0.
    fn enter(&mut self, cpl: u8) -> Result<(), MachineFault> {
        if self.mode.cpl != cpl {
            if self.mode.ring3() {
                self.wait(|out| !out.drain)?;
            }
            self.mode.cpl = cpl;
            self.idle();
        }
        Ok(())
    }

    /// Executes an operation of the control port in the kernel.
    pub(super) fn in_kernel(&mut self, op: CtlOp, word: u8, wdata: u64) -> Result<u64, MachineFault> {
        self.enter(KERNEL)?;
        self.operate(Control { valid: true, op, word, wdata, ds_base: 0 })
    }

    /// Executes LLWPCB or SLWPCB in ring 3. A page-fault trap that is requested there is taken instead.
    pub(super) fn in_ring3(&mut self, op: CtlOp, wdata: u64) -> Result<u64, MachineFault> {
        self.enter(USER)?;
        let out = self.wait(|out| out.pf_valid || !out.stall)?;
        if out.pf_valid {
            self.take_trap();
            return Err(MachineFault::PageFault { address: out.pf_addr, write: out.pf_write });
        }
        self.operate(Control { valid: true, op, word: 0, wdata, ds_base: 0 })
    }

    fn operate(&mut self, ctl: Control) -> Result<u64, MachineFault> {
        self.wait(|out| !out.stall)?;
        self.cycle(|inputs| inputs.ctl = ctl);
        let out = self.wait(|out| out.rsp_valid)?;
        self.idle();
        MachineFault::of_answer(&out).map_or(Ok(out.rsp_rdata), Err)
    }

    /// Takes the page-fault trap: the core enters the kernel.
    fn take_trap(&mut self) {
        self.mode.cpl = KERNEL;
        self.cycle(|inputs| inputs.pf_ack = true);
    }

    /// Runs a program in ring 3 until it has ended or the kernel has to act.
    pub(super) fn run<I: Iterator<Item = Lane>>(&mut self, program: &mut Program<I>) -> Result<Stop, MachineFault> {
        self.enter(USER)?;
        let (mut due, mut used, mut progress) = (self.cycles, self.cycles, self.cycles);
        loop {
            let out = self.device.outputs();
            program.observe(&out);
            if let Some(stop) = self.exception(&out, program) {
                return Ok(stop);
            }
            if out.stall || out.drain || self.port.is_used(&out) {
                used = self.cycles;
            }
            let mut lanes = [Lane::default(); W];
            // A requested interrupt keeps the core from retiring further instructions, even while it must not leave
            // ring 3 yet.
            let waits = out.stall || out.irq || self.cycles < due;
            let count = if waits { 0 } else { program.present(&mut lanes[..self.lanes]) };
            if count > 0 {
                (due, progress, used) = (self.cycles + self.pace, self.cycles, self.cycles);
            } else if self.cycles >= due && self.cycles - used > QUIET + self.delay {
                return Ok(Stop::Ended);
            } else if self.cycles - progress > self.patience() + self.pace {
                return Err(MachineFault::Stuck);
            }
            self.cycle(|inputs| inputs.lanes = lanes);
        }
    }

    /// Takes a trap or an interrupt, if one is requested and the core may take it. The trap is also taken while the
    /// unit stalls, because the stall may wait for it. The interrupt is taken between two instructions, when ring 3 may
    /// be left.
    fn exception<I: Iterator<Item = Lane>>(&mut self, out: &Outputs, program: &mut Program<I>) -> Option<Stop> {
        if out.pf_valid {
            if out.pf_abort {
                program.undo(out);
            }
            self.take_trap();
            return Some(Stop::PageFault { address: out.pf_addr, write: out.pf_write });
        }
        if out.irq && !out.stall && !out.drain {
            self.mode.cpl = KERNEL;
            self.cycle(|inputs| inputs.irq_ack = true);
            return Some(Stop::Interrupt);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::machine::straight_line;
    use lwp_model::lwp::Config;

    /// A device that shows these outputs, one per cycle, then idle ones with a response to every operation; it records
    /// its inputs.
    #[derive(Default)]
    struct Script {
        shows: Vec<Outputs>,
        seen: Vec<Inputs<1>>,
    }

    impl Moore for Script {
        type Inputs = Inputs<1>;
        type Outputs = Outputs;

        fn outputs(&self) -> Outputs {
            let idle =
                Outputs { rsp_valid: self.seen.last().is_some_and(|inputs| inputs.ctl.valid), ..Outputs::default() };
            self.shows.get(self.seen.len()).copied().unwrap_or(idle)
        }

        fn step(&mut self, inputs: &Inputs<1>) {
            self.seen.push(*inputs);
        }
    }

    fn cpu(shows: impl IntoIterator<Item = Outputs>) -> Cpu<1, Script> {
        let device = Script { shows: shows.into_iter().collect(), seen: Vec::new() };
        Cpu::new(device, Identity::new(&Config::default(), 3, 10), 0)
    }

    /// Returns, for each cycle, the privilege level and whether an instruction retired.
    fn seen(cpu: &Cpu<1, Script>) -> Vec<(u8, bool)> {
        cpu.device.seen.iter().map(|inputs| (inputs.mode.cpl, inputs.lanes[0].valid)).collect()
    }

    fn drain() -> Outputs {
        Outputs { drain: true, ..Outputs::default() }
    }

    // "A core that wants to leave ring 3 while `drain` is 1 retires nothing more and waits until it is 0."
    #[test]
    fn ring_3_is_left_when_the_unit_lets_go() {
        let irq = Outputs { irq: true, ..drain() };
        let shows = [Outputs::default(), Outputs::default(), irq, irq, Outputs { drain: false, ..irq }];
        let mut cpu = cpu(shows);
        let mut program = Program::new(straight_line(0, 2));
        assert_eq!(cpu.run(&mut program), Ok(Stop::Interrupt));
        assert_eq!(seen(&cpu), [(3, false), (3, true), (3, false), (3, false), (0, false)]);
        assert_eq!(cpu.device.seen.iter().position(|inputs| inputs.irq_ack), Some(4));
    }
    #[test]
    fn an_operation_of_the_kernel_waits_for_it_too() {
        let answer = Outputs { rsp_valid: true, ..drain() };
        let mut cpu = cpu([Outputs::default(), Outputs::default(), answer, drain()]);
        assert_eq!(cpu.in_ring3(CtlOp::Slwpcb, 0), Ok(0));
        assert_eq!(cpu.in_kernel(CtlOp::ReadMsr0, 0, 0), Ok(0));
        // The mode change, SLWPCB, its response; a cycle of `drain`; then the mode change, RDMSR, its response.
        assert_eq!(seen(&cpu).iter().map(|(cpl, _)| *cpl).collect::<Vec<_>>(), [3, 3, 3, 3, 0, 0, 0]);
    }

    // The core takes the trap before its next instruction, also while the unit stalls.
    #[test]
    fn a_trap_comes_before_the_instruction() {
        let trap = Outputs { pf_valid: true, stall: true, pf_addr: 0x1234, ..Outputs::default() };
        let mut cpu = cpu([Outputs::default(), trap]);
        let fault = MachineFault::PageFault { address: 0x1234, write: false };
        assert_eq!(cpu.in_ring3(CtlOp::Slwpcb, 0), Err(fault));
        assert!(cpu.device.seen[1].pf_ack && cpu.device.seen.iter().all(|inputs| !inputs.ctl.valid));
        assert_eq!(seen(&cpu), [(3, false), (0, false)]);
    }

    #[test]
    fn a_unit_that_does_not_answer_is_given_up() {
        let mut cpu = cpu([]);
        cpu.device.shows = vec![Outputs { stall: true, ..Outputs::default() }; PATIENCE as usize + 100];
        assert_eq!(cpu.in_kernel(CtlOp::ReadMsr0, 0, 0), Err(MachineFault::Stuck));
    }
}
