//! Loads, stores, semaphores: their execution.

use super::fault::FaultKind;
use super::float_format::Float;
use super::image::Image;
use super::memory::{Format, Increment, Kind, Memory};
use super::registers::Registers;
use super::retired::Access;

impl Memory {
    /// Executes the instruction and returns its access. A fault leaves registers and memory as they were.
    pub(super) fn execute(self, registers: &mut Registers, image: &mut Image) -> Result<Option<Access>, FaultKind> {
        self.check(registers)?;
        let addr = registers.general(self.address);
        if self.size > 0 && !addr.is_multiple_of(self.size.into()) {
            return Err(FaultKind::Unaligned { addr, size: self.size });
        }
        self.access(registers, image, addr)?;
        let increment = match self.increment {
            Increment::None => None,
            Increment::Register(number) => Some(registers.general(number)),
            Increment::Immediate(value) => Some(value as u64),
        };
        if let Some(increment) = increment {
            registers.set_general(self.address, addr.wrapping_add(increment))?;
        }
        let write = !matches!(self.kind, Kind::Load { .. } | Kind::LoadFloat { .. });
        let read = !matches!(self.kind, Kind::Store { .. } | Kind::StoreFloat { .. });
        Ok((self.kind != Kind::Prefetch).then_some(Access { addr, size: self.size, read, write }))
    }

    /// Returns the fault of a target that cannot be written.
    fn check(self, registers: &Registers) -> Result<(), FaultKind> {
        let target = match self.kind {
            Kind::Load { target }
            | Kind::Exchange { target, .. }
            | Kind::CompareExchange { target, .. }
            | Kind::FetchAdd { target, .. } => Some(target),
            Kind::LoadFloat { target, .. } => return self.check_float(registers, target),
            Kind::Store { .. } | Kind::StoreFloat { .. } | Kind::Prefetch => None,
        };
        target.map_or(Ok(()), |target| registers.check_general(target))?;
        self.check_address(registers)?;
        if target == Some(self.address) && self.increment != Increment::None {
            return Err(FaultKind::IllegalOperation("a load into its own address register, which it increments"));
        }
        Ok(())
    }

    fn check_float(self, registers: &Registers, target: u8) -> Result<(), FaultKind> {
        registers.check_float(target)?;
        self.check_address(registers)
    }

    fn check_address(self, registers: &Registers) -> Result<(), FaultKind> {
        if self.increment == Increment::None { Ok(()) } else { registers.check_general(self.address) }
    }

    fn access(self, registers: &mut Registers, image: &mut Image, addr: u64) -> Result<(), FaultKind> {
        let size = self.size;
        match self.kind {
            Kind::Load { target } => registers.set_general(target, image.read(addr, size)?),
            Kind::Store { source } => Ok(image.write(addr, size, registers.general(source))?),
            Kind::LoadFloat { target, format } => {
                let bits = image.read(addr, size)?;
                let value = match format {
                    Format::Single => Float::from_single(bits),
                    Format::Double => Float::from_double(bits),
                    Format::Integer => Float::integer(bits),
                };
                registers.set_float(target, value)
            }
            Kind::StoreFloat { source, format } => {
                let value = registers.float(source);
                let bits = match format {
                    Format::Single => value.to_single(),
                    Format::Double => value.to_double(),
                    Format::Integer => value.significand,
                };
                Ok(image.write(addr, size, bits)?)
            }
            Kind::Exchange { target, source } => {
                let new = registers.general(source);
                replace(registers, image, (addr, size, target), |_| Some(new))
            }
            Kind::CompareExchange { target, source } => {
                let (new, expected) = (registers.general(source), registers.ccv);
                replace(registers, image, (addr, size, target), |old| (old == expected).then_some(new))
            }
            Kind::FetchAdd { target, addend } => {
                replace(registers, image, (addr, size, target), |old| Some(old.wrapping_add(addend as u64)))
            }
            Kind::Prefetch => Ok(()),
        }
    }
}

/// Loads a value and stores what `new` makes of it. Memory must be writable in any case.
fn replace(
    registers: &mut Registers,
    image: &mut Image,
    (addr, size, target): (u64, u8, u8),
    new: impl FnOnce(u64) -> Option<u64>,
) -> Result<(), FaultKind> {
    let old = image.read(addr, size)?;
    image.write(addr, size, new(old).unwrap_or(old))?;
    registers.set_general(target, old)
}
