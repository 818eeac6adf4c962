//! The way to every register that a measurement needs.

use super::PmcBus;

/// A way to reach the monitors and what confines them: `mov` at privilege level 0, or a model.
///
/// The indices are those of the register files. A write is visible to what follows (`srlz.d`, for IBRs and the PSR also
/// `srlz.i`) when the call returns. No register of these files makes the processor write memory.
pub trait ItaniumBus: PmcBus {
    /// Reads `ibr[index]`.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn read_ibr(&mut self, index: u8) -> Result<u64, Self::Fault>;

    /// Writes `ibr[index]`.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; nothing has been changed then.
    fn write_ibr(&mut self, index: u8, value: u64) -> Result<(), Self::Fault>;

    /// Reads `dbr[index]`.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn read_dbr(&mut self, index: u8) -> Result<u64, Self::Fault>;

    /// Writes `dbr[index]`.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; nothing has been changed then.
    fn write_dbr(&mut self, index: u8, value: u64) -> Result<(), Self::Fault>;

    /// Reads DCR, `cr[0]`.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn read_dcr(&mut self) -> Result<u64, Self::Fault>;

    /// Writes DCR, `cr[0]`.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; nothing has been changed then.
    fn write_dcr(&mut self, value: u64) -> Result<(), Self::Fault>;

    /// Reads the PSR.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn read_psr(&mut self) -> Result<u64, Self::Fault>;

    /// Writes bits 31:0 of the PSR, as `mov psr.l` does.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; nothing has been changed then.
    fn write_psr(&mut self, value: u64) -> Result<(), Self::Fault>;
}

impl<B: ItaniumBus + ?Sized> ItaniumBus for &mut B {
    fn read_ibr(&mut self, index: u8) -> Result<u64, Self::Fault> {
        (**self).read_ibr(index)
    }

    fn write_ibr(&mut self, index: u8, value: u64) -> Result<(), Self::Fault> {
        (**self).write_ibr(index, value)
    }

    fn read_dbr(&mut self, index: u8) -> Result<u64, Self::Fault> {
        (**self).read_dbr(index)
    }

    fn write_dbr(&mut self, index: u8, value: u64) -> Result<(), Self::Fault> {
        (**self).write_dbr(index, value)
    }

    fn read_dcr(&mut self) -> Result<u64, Self::Fault> {
        (**self).read_dcr()
    }

    fn write_dcr(&mut self, value: u64) -> Result<(), Self::Fault> {
        (**self).write_dcr(value)
    }

    fn read_psr(&mut self) -> Result<u64, Self::Fault> {
        (**self).read_psr()
    }

    fn write_psr(&mut self, value: u64) -> Result<(), Self::Fault> {
        (**self).write_psr(value)
    }
}
