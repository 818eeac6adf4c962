//! What QEMU does otherwise than the contract of the unit: the table of the chapter docs/src/debug/qemu.md.

/// The QEMU that the list describes.
pub(super) const VERSION: &str = "7.2";

/// Declares the differences and their rows in the table: what QEMU does, what the contract requires, rows and decisions, and whether the
/// documents decide against QEMU, or leave it open.
macro_rules! differences {
    ($($name:ident: $does:literal, $contract:literal, $rows:literal, $verdict:literal;)+) => {
        /// Something that QEMU does otherwise.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Difference {
            $($name),+
        }

        impl Difference {
            pub(super) const ALL: &[Self] = &[$(Self::$name),+];

            /// The row in the table of the chapter.
            pub(super) fn row(self) -> String {
                let [does, contract, rows, verdict] = match self {
                    $(Self::$name => [$does, $contract, $rows, $verdict]),+
                };
                format!("| `{self:?}` | {does} | {contract} | {rows} | {verdict} |")
            }
        }
    };
}

differences! {
    GeneralDetect:
        "stores DR7.GD, raises no #DB for it, and does not clear it with #DB",
        "general detect; every #DB clears GD",
        "DBG-24, DBG-25, DBG-62", "wrong";
    Dr6Bit12:
        "MOV to DR6 sets bit 12",
        "bit 12 reads as 0",
        "DBG-10", "wrong";
    Dr7Reserved:
        "MOV to DR7 sets bits 11, 12, 14 and 15",
        "they read as 0",
        "DBG-17", "wrong";
    Int1:
        "INT1 is #UD",
        "#DB, class trap",
        "DBG-33", "wrong";
    FaultRf:
        "a fault pushes RF as it is",
        "1, except for an instruction breakpoint",
        "DBG-43", "wrong";
    LateRf:
        "RF stays 1 until the end of a block of translated instructions: faults, software interrupts and I/O breakpoints push it, and it clears RF of an image that the instruction loads",
        "an instruction clears it when it begins, and then loads the image",
        "DBG-41, DBG-42, DBG-46", "wrong";
    Iterations:
        "each iteration of a repeated string is checked for instruction breakpoints, and a trap or an interrupt behind it pushes RF as it is",
        "one check; RF = 1 inside the repetition",
        "DBG-44, DBG-45, DEB-10", "wrong";
    LastIteration:
        "a trap behind the last iteration saves the address of the string instruction",
        "that of the next instruction",
        "DBG-31, DBG-52", "wrong";
    Merge:
        "a trap of data or a step also reports the instruction breakpoint of the next instruction",
        "two exceptions (`merge_next` = 1: one, but not with a step, and not if RF is 1)",
        "DBG-37, DEB-02", "open";
    Off:
        "instruction breakpoints that are off are reported with those that are on, and with traps",
        "not reported (`status_off` = 1: with a fault)",
        "DBG-12, DEB-19", "open";
    Stale:
        "a data breakpoint that was hit is reported again by later traps, until an access in its page misses it",
        "B0 to B3 are those of the exception",
        "DBG-11, DBG-12", "wrong";
    First:
        "of several data breakpoints only the first that is found is reported",
        "all",
        "DBG-12, DBG-32", "wrong";
    SplitStep:
        "a step that hits data raises two #DB, the second one before the first instruction of the handler",
        "one #DB",
        "DBG-32, DEB-01", "wrong";
    Alignment:
        "addresses of breakpoints on data and ports are not masked to the length",
        "the bits below the length are 0",
        "DBG-27, DBG-29", "wrong";
    WholeWords:
        "a misaligned load in a page with a breakpoint, or in two pages, hits as two aligned ones; a misaligned store hits everything from the beginning of its page on",
        "the bytes of the access",
        "DBG-29", "wrong";
    SsFetch:
        "the instruction behind an SS load is checked for instruction breakpoints",
        "it is not (`ss_fetch` = 1: it is)",
        "DBG-38, DEB-30", "wrong; a processor does it, too";
    SsData:
        "a data breakpoint of an SS load is delivered behind it",
        "behind the next instruction, or lost with a fault of it",
        "DBG-57, DBG-59, DBG-60", "wrong";
    SsChain:
        "of SS loads in a row none is stepped",
        "every second one is (`ss_chain` = 1: none)",
        "DBG-73, DEB-25", "open";
    StiStep:
        "STI is not stepped",
        "it is, as any instruction",
        "DBG-64, DEB-09", "wrong";
    IoGate:
        "R/W 10 with CR4.DE = 0 hits I/O",
        "nothing (`io_gate` = 0: I/O)",
        "DBG-26, DEB-18", "open";
    IoAlone:
        "an I/O breakpoint comes alone: BS of the same instruction and the next instruction's breakpoint are not reported, its data breakpoints come behind it",
        "one #DB with all of them",
        "DBG-32, DEB-01", "wrong";
    TaskTrap:
        "T of a TSS raises no #DB",
        "#DB with BT before the first instruction of the task",
        "DBG-15, DBG-74", "wrong";
    TaskStep:
        "JMP, CALL and IRET to a task are stepped if the old TF is 1, with BS before its first instruction",
        "not stepped",
        "DBG-67, DEB-12", "open";
    IoString:
        "an I/O breakpoint leaves out the remaining iterations of INS or OUTS",
        "they follow the handler",
        "DBG-55", "wrong";
}

/// A set of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Differences(u32);

impl Differences {
    /// The processor that the contract describes.
    pub(super) const NONE: Self = Self(0);
    /// QEMU.
    pub(super) const ALL: Self = Self((1 << Difference::ALL.len()) - 1);

    pub(super) const fn has(self, difference: Difference) -> bool {
        self.0 >> difference as u32 & 1 != 0
    }

    pub(super) const fn without(self, difference: Difference) -> Self {
        Self(self.0 & !(1 << difference as u32))
    }
}
