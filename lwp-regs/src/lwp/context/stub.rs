//! A stand-in for the hardware of a core: the words of its port, and LWPMSR0 and LWPMSR1 over the same pointer.

use super::LwpContextPort;
use crate::access::{GeneralProtection, MsrBus};
use crate::lwp::{LwpMsr0, LwpMsr1};

/// A page fault at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageFault(pub(super) u64);

/// What happened, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Save(u8),
    Restore(u8, u64),
    /// State was written to the block at this address, in this address space.
    Flush(u64, u8),
    Wrmsr(u32, u64),
}

#[derive(Debug, Default)]
pub(super) struct Core {
    pub(super) words: [u64; 10],
    /// The address space that is current.
    pub(super) space: u8,
    /// The block is not in memory.
    pub(super) absent: bool,
    /// This word of the port faults.
    pub(super) broken: Option<u8>,
    pub(super) log: [Option<Access>; 32],
}

impl Core {
    pub(super) fn with_words(words: [u64; 8]) -> Self {
        let mut core = Self::default();
        core.words[..8].copy_from_slice(&words);
        core
    }

    /// What happened since the last call, the last 32 accesses of it.
    pub(super) fn happened(&mut self) -> impl Iterator<Item = Access> + use<> {
        core::mem::take(&mut self.log).into_iter().flatten()
    }

    fn note(&mut self, access: Access) {
        match self.log.iter_mut().find(|entry| entry.is_none()) {
            Some(free) => *free = Some(access),
            None => {
                self.log.rotate_left(1);
                self.log[31] = Some(access);
            }
        }
    }

    /// What any access to LWPMSR1 does first.
    fn flush(&mut self) -> Result<(), PageFault> {
        match self.words[0] {
            0 => Ok(()),
            block if self.absent => Err(PageFault(block)),
            block => {
                self.note(Access::Flush(block, self.space));
                Ok(())
            }
        }
    }
}

impl LwpContextPort for Core {
    type Fault = GeneralProtection;

    unsafe fn save_word(&mut self, index: u8) -> Result<u64, GeneralProtection> {
        self.note(Access::Save(index));
        if self.broken == Some(index) {
            return Err(GeneralProtection::NoSuchRegister);
        }
        Ok(self.words[usize::from(index)])
    }

    unsafe fn restore_word(&mut self, index: u8, value: u64) -> Result<(), GeneralProtection> {
        if self.broken == Some(index) {
            return Err(GeneralProtection::NoSuchRegister);
        }
        self.note(Access::Restore(index, value));
        self.words[usize::from(index)] = value;
        Ok(())
    }
}

impl MsrBus for Core {
    type Fault = PageFault;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, PageFault> {
        assert_eq!(address, LwpMsr1::ADDRESS);
        self.flush()?;
        Ok(self.words[0])
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), PageFault> {
        if address == LwpMsr0::ADDRESS {
            if value & 1 == 0 {
                self.words[0] = 0;
            }
        } else {
            self.flush()?;
            self.words[0] = value;
        }
        self.note(Access::Wrmsr(address, value));
        Ok(())
    }
}
