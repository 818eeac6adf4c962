//! Gate descriptors: what stands in the IDT.

use crate::bits::{U2, U3, U4};

layout! {
    /// The 32-bit gate descriptor, and the lower half of the 64-bit one.
    ///
    /// Source: Intel SDM volume 3A, "IDT Descriptors" and "64-Bit Mode IDT".
    pub struct GateWord: u64, Ignored {
        /// Bits 15:0 of the handler's address; not used by a task gate.
        #[inline]
        pub offset_low: u16,
        /// Segment selector of the handler's code; of the TSS in a task gate.
        #[inline]
        pub selector: u16,
        /// Entry of the interrupt stack table to switch to, 0 for none. In 32-bit mode reserved.
        #[inline]
        #[bits(3)]
        pub ist: U3,
        #[bits(5)]
        __: u64,
        /// Kind of the gate, raw; see [`GateKind`].
        #[inline]
        #[bits(4)]
        pub gate_type: U4,
        __: bool,
        /// Descriptor privilege level: the least privileged level whose INT instruction may use the gate. Interrupts of the
        /// hardware and exceptions do not look at it.
        #[inline]
        #[bits(2)]
        pub dpl: U2,
        /// The gate is there.
        #[inline]
        pub present: bool,
        /// Bits 31:16 of the handler's address; not used by a task gate.
        #[inline]
        pub offset_middle: u16,
    }
}

layout! {
    /// The upper half of the 64-bit gate descriptor.
    ///
    /// Source: Intel SDM volume 3A, "64-Bit Mode IDT".
    pub struct Gate64High: u64, Ignored {
        /// Bits 63:32 of the handler's address.
        #[inline]
        pub offset_high: u32,
        __: u32,
    }
}

/// What a gate does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum GateKind {
    /// 5: switches to another task. Not in 64-bit mode.
    Task,
    /// 6: an interrupt gate of the 80286. Not in 64-bit mode.
    Interrupt16,
    /// 7: a trap gate of the 80286. Not in 64-bit mode.
    Trap16,
    /// 14: clears EFLAGS.IF, so that the handler is not interrupted. The one for the performance interrupt.
    Interrupt,
    /// 15: leaves EFLAGS.IF as it is.
    Trap,
    /// No gate: the processor raises #GP.
    Reserved(u8),
}

impl GateKind {
    /// What bits 43:40 mean.
    #[must_use]
    #[inline]
    pub const fn from_raw(raw: u8) -> Self {
        match raw {
            5 => Self::Task,
            6 => Self::Interrupt16,
            7 => Self::Trap16,
            14 => Self::Interrupt,
            15 => Self::Trap,
            _ => Self::Reserved(raw),
        }
    }

    /// Bits 43:40.
    #[must_use]
    #[inline]
    pub const fn raw(self) -> u8 {
        match self {
            Self::Task => 5,
            Self::Interrupt16 => 6,
            Self::Trap16 => 7,
            Self::Interrupt => 14,
            Self::Trap => 15,
            Self::Reserved(raw) => raw & 0xF,
        }
    }
}

/// Who may use a gate by an INT instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Privilege {
    /// Privilege level 0 only (DPL 0).
    Kernel = 0,
    /// Every level (DPL 3).
    User = 3,
}

impl GateWord {
    /// What the gate does.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> GateKind {
        GateKind::from_raw(self.gate_type().get())
    }

    #[inline]
    const fn to_handler(kind: GateKind, selector: u16, offset: u32, privilege: Privilege) -> Self {
        Self::new()
            .with_offset_low(offset as u16)
            .with_selector(selector)
            .with_gate_type(U4::masked(kind.raw()))
            .with_dpl(U2::masked(privilege as u8))
            .with_present(true)
            .with_offset_middle((offset >> 16) as u16)
    }

    #[inline]
    const fn offset(self) -> u32 {
        self.offset_low() as u32 | (self.offset_middle() as u32) << 16
    }
}

/// A gate descriptor of 32-bit mode: 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(transparent)]
pub struct Gate32(pub GateWord);

impl Gate32 {
    /// No gate: all bits 0, of which type 0 is [reserved](GateKind::Reserved). The vector raises #GP.
    pub const ABSENT: Self = Self(GateWord::new());

    /// A gate to the handler at `offset` of the segment `selector`. `kind` is an interrupt or a trap gate.
    #[must_use]
    #[inline]
    pub const fn to_handler(kind: GateKind, selector: u16, offset: u32, privilege: Privilege) -> Self {
        Self(GateWord::to_handler(kind, selector, offset, privilege))
    }

    /// A gate to the task whose TSS has this selector.
    #[must_use]
    #[inline]
    pub const fn to_task(tss: u16, privilege: Privilege) -> Self {
        Self(GateWord::to_handler(GateKind::Task, tss, 0, privilege))
    }

    /// Address of the handler in its segment.
    #[must_use]
    #[inline]
    pub const fn offset(self) -> u32 {
        self.0.offset()
    }
}

/// A gate descriptor of 64-bit mode: 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct Gate64 {
    /// Bytes 7:0.
    pub low: GateWord,
    /// Bytes 15:8.
    pub high: Gate64High,
}

impl Gate64 {
    /// No gate: all bits 0, of which type 0 is [reserved](GateKind::Reserved). The vector raises #GP.
    pub const ABSENT: Self = Self { low: GateWord::new(), high: Gate64High::new() };

    /// A gate to the handler at `offset` of the 64-bit code segment `selector`. `kind` is an interrupt or a trap gate.
    #[must_use]
    #[inline]
    pub const fn to_handler(kind: GateKind, selector: u16, offset: u64, privilege: Privilege) -> Self {
        Self {
            low: GateWord::to_handler(kind, selector, offset as u32, privilege),
            high: Gate64High::new().with_offset_high((offset >> 32) as u32),
        }
    }

    /// The same gate, which switches to this entry (1 to 7) of the interrupt stack table; 0 for none. `None` beyond.
    #[must_use]
    #[inline]
    pub const fn on_stack(self, ist: u8) -> Option<Self> {
        match U3::new(ist) {
            Some(ist) => Some(Self { low: self.low.with_ist(ist), ..self }),
            None => None,
        }
    }

    /// Address of the handler.
    #[must_use]
    #[inline]
    pub const fn offset(self) -> u64 {
        self.low.offset() as u64 | (self.high.offset_high() as u64) << 32
    }
}

const _: () = assert!(size_of::<Gate32>() == 8 && size_of::<Gate64>() == 16);

#[cfg(test)]
mod tests {
    use super::*;

    const CS: u16 = 0x10; // __KERNEL_CS of 32-bit Linux 2.4

    // the byte with P, DPL and type is 8EH, 8FH, EFH; 85H of a task gate
    #[test]
    fn gates_of_32_bit_mode() {
        let gate = |kind, privilege| Gate32::to_handler(kind, CS, 0xC010_9ABC, privilege).0.into_bits();
        assert_eq!(gate(GateKind::Interrupt, Privilege::Kernel), 0xC010_8E00_0010_9ABC);
        assert_eq!(gate(GateKind::Trap, Privilege::Kernel), 0xC010_8F00_0010_9ABC);
        assert_eq!(gate(GateKind::Trap, Privilege::User), 0xC010_EF00_0010_9ABC);
        assert_eq!(Gate32::to_task(0x28, Privilege::Kernel).0.into_bits(), 0x0000_8500_0028_0000);
        assert_eq!(Gate32(GateWord::from_bits(0xC010_8E00_0010_9ABC)).offset(), 0xC010_9ABC);
    }

    #[test]
    fn gates_of_64_bit_mode() {
        let gate = Gate64::to_handler(GateKind::Interrupt, CS, 0xFFFF_FFFF_8123_4567, Privilege::Kernel);
        assert_eq!(gate.low.into_bits(), 0x8123_8E00_0010_4567);
        assert_eq!(gate.high.into_bits(), 0x0000_0000_FFFF_FFFF);
        assert_eq!(gate.offset(), 0xFFFF_FFFF_8123_4567);
        assert_eq!(gate.on_stack(7).unwrap().low.into_bits(), 0x8123_8E07_0010_4567);
        assert_eq!(gate.on_stack(8), None);
    }

    #[test]
    fn an_absent_gate_is_all_zero_and_kinds_are_kept() {
        assert_eq!(Gate32::ABSENT.0.into_bits(), 0);
        assert!(!Gate32::ABSENT.0.present());
        assert_eq!(
            [Gate32::ABSENT.0, Gate64::ABSENT.low].map(GateWord::kind),
            [GateKind::Reserved(0); 2],
            "#GP, not #NP"
        );
        for raw in 0..16 {
            assert_eq!(GateKind::from_raw(raw).raw(), raw);
        }
        assert_eq!(GateKind::from_raw(0xE), GateKind::Interrupt);
        assert_eq!(GateKind::from_raw(0xC), GateKind::Reserved(0xC), "a call gate is none");
        assert_eq!(GateWord::RESERVED, 0x0000_10F8_0000_0000);
        assert_eq!(Gate64High::RESERVED, 0xFFFF_FFFF_0000_0000);
    }
}
