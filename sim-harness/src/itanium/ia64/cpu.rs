//! The core: it executes one instruction after another.

use super::bundle::{BUNDLE_BYTES, Bundle, Unit};
use super::encoding::Encoding;
use super::fault::{Fault, FaultKind};
use super::image::Image;
use super::operation::Operation;
use super::psr::MonitorBits;
use super::registers::Registers;
use super::request::Pending;
use super::retired::{Access, Place, Request, Retired};

/// A core that executes a program, one instruction of a bundle at a time.
///
/// It has the PSR but for the bits of the monitoring unit ([`MonitorBits`]). There is no translation of addresses, no NaT
/// bit and no backing store of the register stack.
#[derive(Clone, Debug)]
pub struct Core {
    pub(super) registers: Registers,
    pub(super) image: Image,
    pub(super) place: Place,
    /// Bundle of the last instruction that was executed.
    pub(super) last: u64,
    /// The PSR without cpl and the bits of the monitoring unit.
    pub(super) psr: u64,
    pub(super) cpl: u8,
    pub(super) monitor: MonitorBits,
    pub(super) pending: Option<Pending>,
}

/// An instruction with its place.
pub(super) struct Instruction {
    pub(super) place: Place,
    pub(super) unit: Unit,
    pub(super) code: Encoding,
    upper: u64,
    /// The place behind it.
    pub(super) following: Place,
}

impl Instruction {
    pub(super) fn fault(&self, kind: FaultKind) -> Fault {
        let Place { ip, slot } = self.place;
        Fault { ip, slot, unit: Some(self.unit), raw: self.code.0, kind }
    }
}

/// The effect of an instruction outside the registers.
#[derive(Default)]
pub(super) struct Effect {
    /// Where a taken branch goes.
    pub(super) target: Option<Place>,
    pub(super) access: Option<Access>,
    pub(super) request: Option<Request>,
}

impl Core {
    /// Returns a core in front of the first instruction of a program, at level 0, with external interrupts and their
    /// collection off, in bank 1 of the registers r16 to r31.
    #[must_use]
    pub fn new(image: Image) -> Self {
        let place = Place { ip: image.entry(), slot: 0 };
        Self {
            registers: Registers::new(),
            place,
            last: place.ip,
            psr: super::psr::BN,
            cpl: 0,
            monitor: MonitorBits::default(),
            pending: None,
            image,
        }
    }

    /// Returns the program with its memory.
    #[must_use]
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Returns the program with its memory, to change it.
    pub fn image_mut(&mut self) -> &mut Image {
        &mut self.image
    }

    /// Returns the place of the next instruction.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// Returns the privilege level, 0 to 3.
    #[must_use]
    pub fn cpl(&self) -> u8 {
        self.cpl
    }

    /// Changes the privilege level; only bits 1:0 count. A program that starts without a kernel is a user process at level 3.
    pub fn set_cpl(&mut self, cpl: u8) {
        self.cpl = cpl & 3;
    }

    /// Returns a general register; 0 for one outside the frame.
    #[must_use]
    pub fn general(&self, number: u8) -> u64 {
        self.registers.general(number & 0x7f)
    }

    /// Writes a general register.
    ///
    /// # Errors
    /// It is r0, or is outside the frame.
    pub fn set_general(&mut self, number: u8, value: u64) -> Result<(), FaultKind> {
        self.registers.set_general(number & 0x7f, value)
    }

    /// Returns a predicate register.
    #[must_use]
    pub fn predicate(&self, number: u8) -> bool {
        self.registers.predicate(number & 0x3f)
    }

    /// Returns a floating-point register as a double in memory, which stfd would store.
    #[must_use]
    pub fn float(&self, number: u8) -> u64 {
        self.registers.float(number & 0x7f).to_double()
    }

    /// Executes the next instruction.
    ///
    /// # Errors
    /// The instruction faults, or the executor lacks it. The core is as before, in front of the instruction;
    /// [`deliver`](Self::deliver) enters the handler of the fault.
    ///
    /// # Panics
    /// The request of the last instruction was not [answered](Self::answer).
    pub fn step(&mut self) -> Result<Retired, Fault> {
        assert!(self.pending.is_none(), "the request of the instruction in front of {:?} has no answer", self.place);
        let instruction = self.fetch()?;
        let retired = self.execute(&instruction).map_err(|kind| instruction.fault(kind))?;
        if retired.request.is_none() {
            self.last = retired.ip;
            self.place = retired.next;
        }
        Ok(retired)
    }

    fn fetch(&self) -> Result<Instruction, Fault> {
        let place = self.place;
        let Place { ip, slot } = place;
        let fault = |kind| Fault { ip, slot, unit: None, raw: 0, kind };
        let bundle = self.image.bundle(ip).map_err(|error| fault(error.into()))?;
        let raw = bundle.slots[usize::from(slot)];
        let reserved = Fault { raw, ..fault(FaultKind::ReservedTemplate(bundle.template)) };
        let units = bundle.units().ok_or(reserved)?;
        let (unit, upper) = (units[usize::from(slot)], bundle.slots[1]);
        let instruction = Instruction { place, unit, code: Encoding(raw), upper, following: following(&bundle, place) };
        if unit == Unit::L {
            return Err(instruction.fault(FaultKind::IllegalOperation("an entry into a long instruction")));
        }
        Ok(instruction)
    }

    fn execute(&mut self, instruction: &Instruction) -> Result<Retired, FaultKind> {
        let operation = Operation::decode(instruction.unit, instruction.code, instruction.upper);
        let operation = operation.ok_or(FaultKind::Unknown)?;
        let off = operation.is_predicated() && !self.registers.predicate(instruction.code.qp());
        let effect = if off {
            operation.targets().map_or(Ok(()), |targets| targets.write_off(&mut self.registers))?;
            Effect::default()
        } else {
            self.perform(operation, instruction)?
        };
        Ok(Retired {
            ip: instruction.place.ip,
            slot: instruction.place.slot,
            unit: instruction.unit,
            off,
            branch: operation.is_branch(),
            taken: effect.target.is_some(),
            access: effect.access,
            request: effect.request,
            next: effect.target.unwrap_or(instruction.following),
        })
    }

    fn perform(&mut self, operation: Operation, instruction: &Instruction) -> Result<Effect, FaultKind> {
        let Place { ip, slot } = instruction.place;
        let registers = &mut self.registers;
        match operation {
            Operation::Alu(alu) => alu.execute(registers)?,
            Operation::Compare(compare) => compare.execute(registers)?,
            Operation::Shift(shift) => shift.execute(registers)?,
            Operation::Float(float) => float.execute(registers)?,
            Operation::Move(movement) => movement.execute(registers, ip, self.cpl)?,
            Operation::Memory(memory) => {
                let access = memory.execute(registers, &mut self.image)?;
                return Ok(Effect { access, ..Effect::default() });
            }
            Operation::Branch(branch) => {
                let target = branch.execute(registers, (ip, slot, instruction.unit), &mut self.cpl)?;
                let target = target.map(|ip| Place { ip, slot: 0 });
                return Ok(Effect { target, ..Effect::default() });
            }
            Operation::System(system) => return self.perform_system(system, instruction),
        }
        Ok(Effect::default())
    }
}

/// Returns the place behind an instruction.
fn following(bundle: &Bundle, place: Place) -> Place {
    match bundle.next_slot(place.slot) {
        Some(slot) => Place { slot, ..place },
        None => Place { ip: place.ip.wrapping_add(BUNDLE_BYTES), slot: 0 },
    }
}
