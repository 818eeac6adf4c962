//! Computer with a shared cache, for the functions of `lwp-regs` that monitor and allocate it.
//!
//! [`Machine`] is logical processors, memory and a unit, which is the model or the Verilated RTL. [`Core`] is one of the logical processors and
//! implements [`MsrBus`] and [`Cpuid`]: an instruction takes two cycles, the one of its request and the one of the answer. Memory grants a request
//! at once, and a line arrives in the next cycle.

use crate::core::MachineFault;
use crate::device::RtlDevice;
use crate::rtl::{BuildId, Flavour, Rtl};
use lwp_model::rdt::{Config, ConfigError, Inputs, LpInputs, Memory, ModeInputs, Outputs, Power};
use lwp_model::retire::{IntKind, OpMode, RegOp, RegRequest};
use lwp_model::{Moore, Unit};
use lwp_regs::access::{Cpuid, CpuidRegisters, MsrBus};
use std::cell::RefCell;
use std::fmt;

/// Cycles after which an access that is not complete is given up.
const PATIENCE: u32 = 100_000;

/// Logical processors, memory and unit. Shared, as a package is by its threads.
pub struct Machine<D, const LP: usize>(RefCell<Package<D>>);

/// The state of a machine.
struct Package<D> {
    device: D,
    straps: Config,
    cycles: u64,
    /// Ways of each cache that shall have power.
    power: (u8, u8),
    /// Monitoring data are not available.
    unavailable: bool,
    /// Memory from this address on is of another package.
    remote: u64,
    /// A line arrives in this cycle.
    arrives: bool,
    /// Transfers of memory: RMID, class, whether it is a write.
    transfers: Vec<(u8, u8, bool)>,
}

/// What became of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// By the L2 cache.
    L2,
    /// By the L3 cache.
    L3,
    /// By memory.
    Memory,
}

impl<U: Unit<Config = Config, Inputs = Inputs<LP>, Outputs = Outputs<LP>, Error = ConfigError>, const LP: usize>
    Machine<U, LP>
{
    /// Returns a machine with the model, after reset and after the unit has cleared its memories.
    ///
    /// # Errors
    /// [`ConfigError`] if the straps contradict one another or the sizes.
    pub fn of_model(straps: &Config) -> Result<Self, ConfigError> {
        Ok(Self::new(U::new(*straps)?, straps))
    }
}

impl<U: Unit<Config = Config, Inputs = Inputs<LP>, Outputs = Outputs<LP>, Error = ConfigError>, const LP: usize>
    Machine<RtlDevice<U>, LP>
{
    /// Returns a machine with a build of the RTL, after reset and after the unit has cleared its memories.
    ///
    /// # Errors
    /// [`ConfigError`] if the straps contradict one another or the sizes.
    ///
    /// # Panics
    /// If the build is of another unit or size.
    pub fn of_rtl(build: BuildId, flavour: Flavour, straps: &Config) -> Result<Self, ConfigError> {
        U::validate(straps)?;
        Ok(Self::new(RtlDevice::new(Rtl::of::<U>(build, flavour, straps)), straps))
    }
}

impl<D: Moore<Inputs = Inputs<LP>, Outputs = Outputs<LP>>, const LP: usize> Machine<D, LP> {
    fn new(device: D, straps: &Config) -> Self {
        let package = Package {
            device,
            straps: *straps,
            cycles: 0,
            power: (31, 15),
            unavailable: false,
            remote: u64::MAX,
            arrives: false,
            transfers: Vec::new(),
        };
        let machine = Self(RefCell::new(package));
        machine.0.borrow_mut().wait(|out| out.lp[0].req_ready);
        machine
    }

    /// A logical processor, at level 0 in 64-bit mode.
    #[must_use]
    pub fn core(&self, lp: u8) -> Core<'_, D, LP> {
        Core { machine: self, lp, cpl: 0, op_mode: OpMode::Long64 }
    }

    /// Changes the ways of each cache that shall have power, L3 then L2, and waits until the unit has emptied the others.
    pub fn set_power(&self, l3: u8, l2: u8) {
        let mut package = self.0.borrow_mut();
        package.power = (l3, l2);
        // The unit takes it up when it is idle.
        package.cycle(Inputs::default());
        package.wait(|out| !out.walking);
    }

    /// Makes monitoring data unavailable, or available again.
    pub fn set_unavailable(&self, unavailable: bool) {
        self.0.borrow_mut().unavailable = unavailable;
    }

    /// Puts the memory from this address on into another package.
    pub fn set_remote(&self, from: u64) {
        self.0.borrow_mut().remote = from;
    }

    /// Accesses memory on a logical processor, and waits until the access is complete.
    ///
    /// # Panics
    /// If it never is.
    pub fn access(&self, lp: usize, addr: u64, write: bool, code: bool) -> Served {
        let mut package = self.0.borrow_mut();
        package.wait(|out| out.lp[lp].req_ready);
        let mut inputs = Inputs::default();
        inputs.lp[lp] =
            LpInputs { req_valid: true, req_write: write, req_code: code, req_addr: addr, ..LpInputs::default() };
        package.cycle(inputs);
        package.wait(|out| out.lp[lp].done);
        let out = package.device.outputs().lp[lp];
        match (out.l2_hit, out.l3_hit) {
            (true, _) => Served::L2,
            (_, true) => Served::L3,
            _ => Served::Memory,
        }
    }

    /// Delivers an interruption to all logical processors.
    pub fn interrupt(&self, kind: IntKind) {
        let lp = LpInputs { int_valid: true, int_kind: kind, ..LpInputs::default() };
        self.0.borrow_mut().cycle(Inputs { lp: [lp; LP], ..Inputs::default() });
    }

    /// Lets cycles go by.
    pub fn run(&self, cycles: u64) {
        let mut package = self.0.borrow_mut();
        (0..cycles).for_each(|_| package.cycle(Inputs::default()));
    }

    /// Cycles since reset.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.0.borrow().cycles
    }

    /// Transfers of memory since the last call: RMID, class, whether it is a write.
    #[must_use]
    pub fn take_transfers(&self) -> Vec<(u8, u8, bool)> {
        std::mem::take(&mut self.0.borrow_mut().transfers)
    }

    /// Gives the unit back; of RTL, for its waves and its assertions.
    #[must_use]
    pub fn into_device(self) -> D {
        self.0.into_inner().device
    }
}

impl<D> Package<D> {
    /// One cycle in which this is requested.
    fn cycle<const LP: usize>(&mut self, asked: Inputs<LP>)
    where
        D: Moore<Inputs = Inputs<LP>, Outputs = Outputs<LP>>,
    {
        let out = self.device.outputs();
        let (l3_power, l2_power) = self.power;
        let inputs = Inputs {
            mem: Memory {
                mem_gnt: out.mem_req,
                mem_local: out.mem_req && out.mem_addr < self.remote,
                mem_rvalid: self.arrives,
            },
            power: Power { l3_power, l2_power },
            qm_unavailable: self.unavailable,
            ..asked
        };
        if out.mem_req {
            self.transfers.push((out.mem_rmid, out.mem_cos, out.mem_write));
        }
        self.arrives = out.mem_req && !out.mem_write;
        self.device.step(&inputs);
        self.cycles += 1;
    }

    /// Waits until the outputs are so.
    fn wait<const LP: usize>(&mut self, is: impl Fn(&Outputs<LP>) -> bool)
    where
        D: Moore<Inputs = Inputs<LP>, Outputs = Outputs<LP>>,
    {
        for _ in 0..PATIENCE {
            if is(&self.device.outputs()) {
                return;
            }
            self.cycle(Inputs::default());
        }
        panic!("the unit does not come to an end");
    }
}

impl<D, const LP: usize> fmt::Debug for Machine<D, LP> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").finish_non_exhaustive()
    }
}

/// A logical processor at a level.
#[derive(Debug)]
pub struct Core<'a, D, const LP: usize> {
    machine: &'a Machine<D, LP>,
    lp: u8,
    cpl: u8,
    op_mode: OpMode,
}

impl<D: Moore<Inputs = Inputs<LP>, Outputs = Outputs<LP>>, const LP: usize> Core<'_, D, LP> {
    /// The same processor in this mode at this level.
    #[must_use]
    pub fn at(self, op_mode: OpMode, cpl: u8) -> Self {
        Self { op_mode, cpl, ..self }
    }

    /// Executes an instruction: EDX:EAX.
    fn execute(&mut self, op: RegOp, number: u32, wdata: u64) -> Result<u64, MachineFault> {
        let mut package = self.machine.0.borrow_mut();
        let reg = RegRequest { valid: true, op, lp: self.lp, number, wdata };
        let mode = ModeInputs { cpl: self.cpl, op_mode: self.op_mode };
        package.cycle(Inputs { mode, reg, ..Inputs::default() });
        let out = package.device.outputs();
        package.cycle(Inputs::default());
        MachineFault::of_answer(out.reg_done, out.reg_result).map(|()| out.reg_rdata)
    }
}

impl<D: Moore<Inputs = Inputs<LP>, Outputs = Outputs<LP>>, const LP: usize> MsrBus for Core<'_, D, LP> {
    type Fault = MachineFault;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, MachineFault> {
        self.execute(RegOp::Rdmsr, address, 0)
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), MachineFault> {
        self.execute(RegOp::Wrmsr, address, value).map(drop)
    }
}

impl<D, const LP: usize> Cpuid for Core<'_, D, LP> {
    fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuidRegisters {
        self.machine.0.borrow().straps.cpuid(leaf, subleaf)
    }
}
