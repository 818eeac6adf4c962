//! The choices that the documents leave open.
//!
//! A choice that the unit makes once and for all is an [`Open`]. A choice that may differ each time is taken from the [`Path`] directly: these
//! are the cases in which a core breaks a rule of the ports, so that the documents do not define a result.

/// A choice that the unit makes once for the whole run. The value 0 is the one that is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// DR7.GD after #DB: cleared | cleared after general detect alone | unchanged.
    GdAfter,
    /// A data or I/O breakpoint whose address is not a multiple of its length: low bits are ignored | the range begins at the address.
    Unaligned,
    /// Data addresses outside 64-bit mode: 32 bits are compared | all bits | 32 bits of each byte of the access with all of the breakpoint.
    NarrowData,
    /// The same for the address of an instruction.
    NarrowExec,
    /// LEN 10 without 64-bit mode: 8 bytes | 4 | 2 | 1 | hits nothing.
    EightBytes,
    /// Port of an I/O breakpoint: all bits of the address are compared | 16 bits | 32 bits.
    PortWidth,
    /// MOV to DR0 to DR3 outside 64-bit mode: bits 63:32 become 0 | stay as they are | are written.
    NarrowWrite,
    /// MOV from DR0 to DR3 outside 64-bit mode: bits 63:32 are 0 | those of the register.
    NarrowRead,
    /// MOV to DR6 or DR7 outside 64-bit mode, with one of bits 63:32: they are ignored | #GP(0).
    NarrowFault,
    /// DR4 or DR5 with CR4.DE = 1 outside level 0: #UD | #GP(0).
    UdOrGp,
    /// DR4 or DR5 with CR4.DE = 1 and DR7.GD: #UD | #DB.
    UdOrDb,
    /// A debug register outside level 0 with DR7.GD: #GP(0) | #DB.
    GpOrDb,
    /// `cut_valid` for a trap of the last instruction of a group: 0 | 1.
    CutAtEnd,
    /// INT3 in a transaction is accepted: no | yes.
    Int3Accepted,
    /// BS of INT3 in a transaction with TF = 1: 0 | 1.
    Int3Step,
    /// BS after an instruction that switched tasks, with TF = 1 in the old task: 1 | 0.
    SwitchStep,
    /// BS after an iteration that is not the last one: 1 | 0.
    IterationStep,
    /// BS of INT1 with TF = BTF = 1, without a branch: 0 | 1.
    Int1Branch,
    /// `branch_taken` with kind none is a branch for BTF: no | yes.
    TakenNone,
    /// A hit of a task switch on a breakpoint that Ln alone enables: reported | not.
    SwitchLocal,
    /// A held hit of a breakpoint that was switched off since: reported | not.
    HeldDisabled,
    /// `hold` with a hit of an instruction that has not retired: 0 | 1.
    HoldPartial,
    /// Groups of iterations of a string instruction that is resumed: counted from there | counted on.
    GroupResumed,
    /// An iteration with TF = 1, behind which BTF suppresses the step: hits wait for the group | are delivered.
    StepGroup,
    /// I/O breakpoint of an iteration other than the first: hits | does not.
    IoFurther,
    /// An instruction breakpoint at an instruction with `in_tx` behind one without: fault | the transaction's.
    BeginRegion,
    /// An instruction breakpoint at an instruction without `in_tx` behind one with it: the transaction's | fault.
    EndRegion,
    /// RF pushed by a rollback: EFLAGS.RF | as for a fault | as `int_trap` decides.
    RollbackRf,
    /// RTM of DR6 with `status` = all, after a rollback and another #DB: 1 | 0.
    StatusRtm,
    /// `merge_next` between two iterations: nothing is merged | the breakpoint at the instruction is reported.
    MergeString,
    /// `merge_next` with a rollback: nothing is merged | the breakpoint at XBEGIN is reported.
    MergeRollback,
    /// EFLAGS.RF after SMI: 0 | unchanged.
    SmiRf,
    /// RF saved by SMI between two iterations: 1 | EFLAGS.RF.
    SmiStringRf,
    /// EFLAGS.RF after RSM: that of SMI | unchanged | 0.
    RsmRf,
    /// A string instruction that SMI interrupted is in progress again after RSM: no | yes.
    RsmString,
    /// DR7 after SMI: unchanged | its value after reset.
    SmiControl,
    /// DR7 after RSM: that of SMI | unchanged.
    RsmControl,
    /// DR6 after RSM: unchanged | that of SMI.
    RsmStatus,
    /// BS of a lane with `tx_abort` and TF = 1: 0 | 1.
    AbortStep,
    /// Accesses of a lane with `tx_abort` hit: no | yes.
    AbortHits,
    /// Hits of before a lane with `tx_abort`: dropped | delivered.
    AbortHeld,
}

/// Number of choices.
const COUNT: usize = Open::AbortHeld as usize + 1;

/// The choices that were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Choices([Option<u8>; COUNT]);

impl Default for Choices {
    fn default() -> Self {
        Self([None; COUNT])
    }
}

impl Choices {
    /// Returns the value of a choice, of which there are `of`; an open one is made.
    pub(super) fn pick(&mut self, path: &mut Path, open: Open, of: u8) -> u8 {
        *self.0[open as usize].get_or_insert_with(|| path.pick(of))
    }

    /// Returns whether the choice with the values 0 and 1 has the value 1; an open one is made.
    pub(super) fn second(&mut self, path: &mut Path, open: Open) -> bool {
        self.pick(path, open, 2) != 0
    }

    /// Returns the result of `f` for the values of these choices. Choices on which the result does not depend stay open.
    pub(super) fn decide<const N: usize, T: PartialEq>(
        &mut self,
        path: &mut Path,
        opens: [(Open, u8); N],
        f: impl Fn([u8; N]) -> T,
    ) -> T {
        loop {
            let values = opens.map(|(open, of)| self.0[open as usize].map_or((0, of), |made| (made, made + 1)));
            let first = f(values.map(|(from, _)| from));
            let mut at = values.map(|(from, _)| from);
            if !advances_to_another(&values, &mut at, |at| f(at) != first) {
                return first;
            }
            let undecided = opens.iter().find(|(open, _)| self.0[*open as usize].is_none());
            let Some(&(open, of)) = undecided else { return first };
            self.pick(path, open, of);
        }
    }
}

/// Returns whether one of the combinations of values behind `at` is as asked for.
fn advances_to_another<const N: usize>(
    ranges: &[(u8, u8); N],
    at: &mut [u8; N],
    differs: impl Fn([u8; N]) -> bool,
) -> bool {
    let mut digit = 0;
    while digit < N {
        at[digit] += 1;
        if at[digit] < ranges[digit].1 {
            if differs(*at) {
                return true;
            }
            digit = 0;
        } else {
            at[digit] = ranges[digit].0;
            digit += 1;
        }
    }
    false
}

/// One way through the open choices of a step. All ways are taken in turn.
#[derive(Debug, Default)]
pub(super) struct Path {
    /// The values taken, and how many there are at each place.
    taken: Vec<(u8, u8)>,
    at: usize,
}

impl Path {
    /// Returns a number below `of`: the way's value at this place.
    pub(super) fn pick(&mut self, of: u8) -> u8 {
        if self.at == self.taken.len() {
            self.taken.push((0, of));
        }
        let (value, _) = self.taken[self.at];
        self.at += 1;
        value
    }

    /// Returns either value in turn, `false` first.
    pub(super) fn either(&mut self) -> bool {
        self.pick(2) != 0
    }

    /// Returns one of the values in turn; equal ones count once.
    pub(super) fn one_of<T: PartialEq + Copy>(&mut self, values: &[T]) -> T {
        let mut distinct: Vec<T> = Vec::with_capacity(values.len());
        for value in values {
            if !distinct.contains(value) {
                distinct.push(*value);
            }
        }
        if distinct.len() == 1 { distinct[0] } else { distinct[usize::from(self.pick(distinct.len() as u8))] }
    }

    /// Goes on to the next way, and returns whether there is one.
    pub(super) fn next(&mut self) -> bool {
        self.taken.truncate(self.at);
        self.at = 0;
        while let Some((value, of)) = self.taken.pop() {
            if value + 1 < of {
                self.taken.push((value + 1, of));
                return true;
            }
        }
        false
    }
}
