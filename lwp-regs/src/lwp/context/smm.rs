//! The state in the save area of system management mode.

use super::port::{restore_words, save_words};
use super::volatile_state::pair;
use super::{ContextError, InterruptWord, LwpContextPort, LwpVolatileState};
use crate::layout::mask;
use crate::lwp::LwpMsr0;
use core::mem::offset_of;

/// What the SMM save area holds for LWP: 80 bytes, ten little-endian words of 8 bytes. Beyond the state of the session
/// that is what belongs to the core and is lost with its power.
///
/// | word | byte | content |
/// |---|---|---|
/// | 0..=7 | 0 | [`LwpVolatileState`] |
/// | 8 | 64 | [`LwpMsr0`], its 32 bits |
/// | | 68 | [`InterruptWord`]: a threshold interrupt on its way |
/// | 9 | 72 | the generator of random bits |
/// | | 76 | reserved, 0 |
///
/// The proposal gives no offset in the save area; it may lie anywhere.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Saving state at SMM entry and exit". Words 8 and 9 are this
/// project's addition: "SMM code may decide to shut off power to the core".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct SmmLwpArea {
    /// The state of the session.
    pub state: LwpVolatileState,
    /// LWPMSR0.
    pub msr0: u32,
    /// The threshold interrupt.
    pub interrupt: InterruptWord,
    /// The generator's register; 0 stands for its seed.
    pub lfsr: u32,
    /// 0.
    pub reserved: u32,
}

const _: () = {
    assert!(size_of::<SmmLwpArea>() == SmmLwpArea::BYTES);
    assert!(offset_of!(SmmLwpArea, state) == 0);
    assert!(offset_of!(SmmLwpArea, msr0) == 64);
    assert!(offset_of!(SmmLwpArea, interrupt) == 68);
    assert!(offset_of!(SmmLwpArea, lfsr) == 72);
    assert!(offset_of!(SmmLwpArea, reserved) == 76);
};

impl SmmLwpArea {
    /// Number of words of 8 bytes.
    pub const WORDS: usize = 10;
    /// Size in bytes.
    pub const BYTES: usize = 8 * Self::WORDS;

    /// The area that these words are, kept as they are.
    #[must_use]
    #[inline]
    pub const fn from_words(words: [u64; Self::WORDS]) -> Self {
        let [w0, w1, w2, w3, w4, w5, w6, w7, core, random] = words;
        Self {
            state: LwpVolatileState::from_words([w0, w1, w2, w3, w4, w5, w6, w7]),
            msr0: core as u32,
            interrupt: InterruptWord::from_bits((core >> 32) as u32),
            lfsr: random as u32,
            reserved: (random >> 32) as u32,
        }
    }

    /// The words as the port gives and takes them.
    #[must_use]
    #[inline]
    pub const fn to_words(&self) -> [u64; Self::WORDS] {
        let [w0, w1, w2, w3, w4, w5, w6, w7] = self.state.to_words();
        let core = pair(self.msr0, self.interrupt.into_bits());
        [w0, w1, w2, w3, w4, w5, w6, w7, core, pair(self.lfsr, self.reserved)]
    }

    /// The area that these bytes in memory are.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        Self::from_words(core::array::from_fn(|i| u64::from_le_bytes(core::array::from_fn(|j| bytes[8 * i + j]))))
    }

    /// The bytes as they lie in memory: each word little endian.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let words = self.to_words();
        core::array::from_fn(|i| words[i / 8].to_le_bytes()[i % 8])
    }

    /// LWPMSR0.
    #[must_use]
    #[inline]
    pub const fn lwpmsr0(&self) -> LwpMsr0 {
        LwpMsr0::from_bits(self.msr0 as u64)
    }

    /// Whether hardware would produce this area.
    ///
    /// # Errors
    ///
    /// [`ContextError`]: the first rule that is broken, those of [`LwpVolatileState::check`] first.
    pub fn check(&self) -> Result<(), ContextError> {
        self.state.check()?;
        let msr0 = self.msr0 & (LwpMsr0::RESERVED & mask(32)) as u32;
        let core = pair(msr0, self.interrupt.into_bits() & InterruptWord::RESERVED);
        for (word, bits) in [(8, core), (9, pair(0, self.reserved))] {
            if bits != 0 {
                return Err(ContextError::ReservedBits { word, bits });
            }
        }
        if !self.lwpmsr0().enabled() && self.state.lwpcb != 0 {
            return Err(ContextError::PointerWhileDisabled);
        }
        Ok(())
    }

    /// Reads the area from hardware. It touches no memory and changes nothing.
    ///
    /// # Safety
    ///
    /// As for [`LwpContextPort::save_word`].
    ///
    /// # Errors
    ///
    /// What the port reports; nothing has been changed then.
    pub unsafe fn save<P: LwpContextPort>(port: &mut P) -> Result<Self, P::Fault> {
        // SAFETY: the caller vouches for the port.
        Ok(Self::from_words(unsafe { save_words(port) }?))
    }

    /// Gives the area back to hardware: words 9 and 8, which allow LWP, then 7 to 1, then word 0, which starts. It
    /// touches no memory.
    ///
    /// # Safety
    ///
    /// As for [`LwpContextPort::restore_word`]; and SMM returns to the program that was interrupted when this was
    /// saved.
    ///
    /// # Errors
    ///
    /// What the port reports; word 0 has not been written then, so the session has not been started.
    pub unsafe fn restore<P: LwpContextPort>(&self, port: &mut P) -> Result<(), P::Fault> {
        // SAFETY: the caller vouches for port and area.
        unsafe { restore_words(port, &self.to_words()) }
    }
}

impl TryFrom<[u64; SmmLwpArea::WORDS]> for SmmLwpArea {
    type Error = ContextError;

    fn try_from(words: [u64; Self::WORDS]) -> Result<Self, ContextError> {
        let area = Self::from_words(words);
        area.check()?;
        Ok(area)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::context::stub::{Access, Core};

    /// A session at 0x1000 just started; all three events and the interrupt allowed; the interrupt stands and another
    /// one follows in 9 cycles; the generator at 0xABCD1234.
    const WORDS: [u64; 10] =
        [0x1000, 0x0000_0001_0000_0020, 5, 6, 0, 0, 0, 0, 0x0000_0901_8000_000F, 0x0000_0000_ABCD_1234];

    fn with(word: usize, value: u64) -> Result<SmmLwpArea, ContextError> {
        let mut words = WORDS;
        words[word] = value;
        SmmLwpArea::try_from(words)
    }

    // LWP-SMM-03
    #[test]
    fn each_part_is_at_its_place() {
        let area = SmmLwpArea::try_from(WORDS).unwrap();
        assert_eq!(area.state.to_words(), WORDS[..8]);
        assert_eq!(area.lwpmsr0(), LwpMsr0::from_bits(0x8000_000F));
        assert!(area.interrupt.standing());
        assert_eq!(area.interrupt.delay(), 9);
        assert_eq!(area.lfsr, 0xABCD_1234);
        assert_eq!(area.to_words(), WORDS);
        let bytes = area.to_bytes();
        assert_eq!(bytes[64..76], [0x0F, 0, 0, 0x80, 0x01, 0x09, 0, 0, 0x34, 0x12, 0xCD, 0xAB]);
        assert_eq!(SmmLwpArea::from_bytes(&bytes), area);
    }

    // LWP-SMM-03
    #[test]
    fn what_hardware_does_not_produce() {
        assert_eq!(with(0, 8), Err(ContextError::PointerMisaligned(8)));
        assert_eq!(with(8, 0x11), Err(ContextError::ReservedBits { word: 8, bits: 0x10 }));
        assert_eq!(with(8, 0x2_0000_0001), Err(ContextError::ReservedBits { word: 8, bits: 0x2_0000_0000 }));
        assert_eq!(with(8, 0xE), Err(ContextError::PointerWhileDisabled));
        assert_eq!(with(9, 1 << 32), Err(ContextError::ReservedBits { word: 9, bits: 1 << 32 }));
        assert!(with(9, 0).is_ok(), "0 stands for the seed");
        assert_eq!(SmmLwpArea::default().check(), Ok(()), "as after reset");
    }

    // LWP-SMM-02: the core loses its power between the two; LWPMSR0 is back before the pointer
    #[test]
    fn survives_a_loss_of_power() {
        let mut core = Core { words: WORDS, ..Core::default() };
        // SAFETY: the port is a variable; no hardware is behind it.
        let area = unsafe { SmmLwpArea::save(&mut core) }.unwrap();
        assert!(core.happened().eq((0..10).map(Access::Save)));
        core = Core::default();
        // SAFETY: as above.
        unsafe { area.restore(&mut core) }.unwrap();
        assert!(core.happened().eq((0..10).rev().map(|i: u8| Access::Restore(i, WORDS[usize::from(i)]))));
        assert_eq!(core.words, WORDS);
    }
}
