//! The decoded properties of an instruction: its class, its target, and its loads and stores.

use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, InstructionInfoOptions, Mnemonic,
    OpAccess, Register,
};

use crate::traces::{Branch, BranchKind, Load, Store};

/// The static part of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Static {
    /// The linear address.
    pub ip: u64,
    /// The length in bytes.
    pub length: u8,
    /// The class, if it is a transfer of control.
    pub kind: Option<BranchKind>,
    /// The target, if it is a direct transfer.
    pub target: u64,
    /// Whether it is a string instruction with a `REP` prefix, which QEMU executes one iteration at a time.
    pub repeats: bool,
    /// Whether it loads SS.
    pub ss_load: bool,
    /// Whether it loads and stores atomically; QEMU may report that as one store.
    pub atomic: bool,
    /// The way in which its accesses form loads.
    pub loads: AccessPlan,
    /// The way in which its accesses form stores.
    pub stores: AccessPlan,
    /// The vector of the exception that it raises if it is not completed although all its accesses were made.
    fault: Option<u8>,
    /// Whether control may continue elsewhere although it is not a transfer of control (transactions).
    leaves: bool,
}

/// The way in which the accesses that QEMU reports form the loads or stores of an instruction. QEMU splits accesses
/// wider than eight bytes, and its helper functions access memory in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessPlan {
    /// The instruction makes no access.
    None,
    /// All accesses form one access of this size; 0 if they determine the size themselves.
    Whole(u16),
    /// Each access stays as reported: string instructions and gathers. The order is QEMU's, which for `CMPS` is the
    /// second operand first.
    Each,
    /// Accesses are distributed to several accesses of these sizes, in order.
    Split(Vec<u16>),
}

/// One access as QEMU reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The linear address.
    pub address: u64,
    /// The size in bytes.
    pub size: u16,
}

impl Static {
    /// Decodes the instruction at `ip`. Invalid bytes yield an instruction without effects, whose execution faults.
    #[must_use]
    pub fn decode(ip: u64, code: &[u8], factory: &mut InstructionInfoFactory) -> Self {
        let instruction = Decoder::with_ip(64, code, ip, DecoderOptions::NONE).decode();
        let string = instruction.is_string_instruction();
        let prefixed = instruction.has_rep_prefix() || instruction.has_repne_prefix();
        Self {
            ip,
            length: code.len() as u8,
            kind: class(&instruction),
            target: instruction.near_branch_target(),
            repeats: string && prefixed,
            ss_load: instruction.op0_register() == Register::SS
                && matches!(instruction.mnemonic(), Mnemonic::Mov | Mnemonic::Pop),
            atomic: instruction.has_lock_prefix() || instruction.mnemonic() == Mnemonic::Xchg,
            loads: plan(&instruction, string, factory, reads),
            stores: plan(&instruction, string, factory, writes),
            fault: fault(&instruction),
            leaves: instruction.flow_control() == FlowControl::XbeginXabortXend,
        }
    }

    /// Returns the linear address of the neighbour, the next instruction in memory.
    #[must_use]
    pub fn neighbour(&self) -> u64 {
        self.ip.wrapping_add(u64::from(self.length))
    }

    /// Returns the effect of the transfer of control if `follower` was executed after it; `None` if the instruction is
    /// not a transfer of control.
    ///
    /// A direct branch can only go to its target or its neighbour. If another address follows, a signal was delivered
    /// in between: an unconditional branch went to its target; the direction of a conditional one is unknown, and it is
    /// recorded as not taken.
    #[must_use]
    pub fn branch(&self, follower: u64) -> Option<Branch> {
        let kind = self.kind?;
        let (taken, next) = match kind {
            BranchKind::Jcc if follower == self.target && follower != self.neighbour() => (true, follower),
            BranchKind::Jcc => (false, self.neighbour()),
            BranchKind::Jmp | BranchKind::Call => (true, self.target),
            _ => (true, follower),
        };
        Some(Branch { kind, taken, next, predicted: None })
    }

    /// Whether the number and sizes of its accesses differ from one execution to the next.
    #[must_use]
    pub fn accesses_vary(&self) -> bool {
        self.repeats
    }

    /// Appends the loads that these accesses form.
    #[inline]
    pub fn loads(&self, accesses: &[Access], into: &mut Vec<Load>) {
        let load = |Access { address, size }| Load { addr: Some(address), size, ..Load::default() };
        self.loads.apply(accesses, |access| into.push(load(access)));
    }

    /// Appends the stores that these accesses form.
    #[inline]
    pub fn stores(&self, accesses: &[Access], into: &mut Vec<Store>) {
        self.stores.apply(accesses, |Access { address, size }| into.push(Store { addr: address, size }));
    }

    /// Returns how control left the instruction, if its successor did not follow and these were its accesses.
    #[must_use]
    pub fn departure(&self, loads: &[Access], stores: &[Access]) -> Departure {
        if self.leaves {
            return Departure::ByItself;
        }
        if self.repeats {
            let nothing = loads.is_empty() && stores.is_empty();
            return Departure::Before(if nothing { Some(PAGE_FAULT) } else { None });
        }
        if !self.loads.is_complete(loads) || !self.stores.is_complete(stores) {
            return Departure::Before(Some(PAGE_FAULT));
        }
        self.fault.map_or(Departure::Behind, |vector| Departure::Before(Some(vector)))
    }
}

/// The vector of the exception that an access raises.
const PAGE_FAULT: u8 = 14;

/// The point at which control left an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// The instruction is complete, and an interruption was delivered after it.
    Behind,
    /// The instruction is not complete: an exception with this vector, or an interrupt between its iterations.
    Before(Option<u8>),
    /// The instruction itself leads to the follower.
    ByItself,
}

impl AccessPlan {
    #[inline]
    fn apply(&self, accesses: &[Access], mut take: impl FnMut(Access)) {
        if accesses.is_empty() {
            return;
        }
        match self {
            Self::None => {}
            Self::Whole(size) => take(merge(accesses, *size)),
            Self::Each => accesses.iter().copied().for_each(take),
            Self::Split(sizes) => {
                let mut rest = accesses;
                for &size in sizes {
                    let (part, others) = rest.split_at(covering(rest, size));
                    if !part.is_empty() {
                        take(merge(part, size));
                    }
                    rest = others;
                }
            }
        }
    }

    /// Whether these include all the accesses that the instruction must make.
    fn is_complete(&self, accesses: &[Access]) -> bool {
        let bytes = || accesses.iter().map(|access| usize::from(access.size)).sum::<usize>();
        match self {
            Self::None => true,
            Self::Whole(size) => bytes() >= usize::from(*size),
            Self::Each => !accesses.is_empty(),
            Self::Split(sizes) => bytes() >= sizes.iter().map(|size| usize::from(*size)).sum(),
        }
    }
}

/// Returns how many of the first accesses form one access of `size` bytes.
fn covering(accesses: &[Access], size: u16) -> usize {
    let mut bytes = 0;
    for (index, access) in accesses.iter().enumerate() {
        bytes += access.size;
        if bytes >= size {
            return index + 1;
        }
    }
    accesses.len()
}

/// Merges accesses into one.
fn merge(accesses: &[Access], size: u16) -> Access {
    let start = accesses.iter().map(|access| access.address).min().unwrap_or(0);
    let reach = |access: &Access| access.address.wrapping_sub(start).saturating_add(u64::from(access.size));
    let span = accesses.iter().map(reach).max().unwrap_or(0);
    Access { address: start, size: if size == 0 { u16::try_from(span).unwrap_or(u16::MAX) } else { size } }
}

/// Returns the class of an instruction.
fn class(instruction: &Instruction) -> Option<BranchKind> {
    let near_target = instruction.near_branch_target() != 0;
    match instruction.flow_control() {
        FlowControl::Next | FlowControl::Exception | FlowControl::XbeginXabortXend => None,
        FlowControl::UnconditionalBranch if instruction.is_jmp_far() => Some(BranchKind::FarJmp),
        FlowControl::UnconditionalBranch => Some(BranchKind::Jmp),
        FlowControl::IndirectBranch if instruction.is_jmp_far_indirect() => Some(BranchKind::FarJmp),
        FlowControl::IndirectBranch => Some(BranchKind::JmpInd),
        FlowControl::ConditionalBranch => Some(BranchKind::Jcc),
        FlowControl::Call if instruction.is_call_near() || near_target => Some(BranchKind::Call),
        FlowControl::Call if instruction.is_call_far() => Some(BranchKind::FarCall),
        FlowControl::IndirectCall if instruction.is_call_far_indirect() => Some(BranchKind::FarCall),
        FlowControl::IndirectCall => Some(BranchKind::CallInd),
        FlowControl::Return => Some(match instruction.code() {
            Code::Retnq | Code::Retnq_imm16 | Code::Retnw | Code::Retnw_imm16 => BranchKind::Ret,
            Code::Retfq | Code::Retfq_imm16 | Code::Retfd | Code::Retfd_imm16 | Code::Retfw | Code::Retfw_imm16 => {
                BranchKind::FarRet
            }
            // IRET, SYSRET, SYSEXIT.
            _ => BranchKind::System,
        }),
        // SYSCALL, SYSENTER and hypervisor calls; INT n and similar instructions.
        FlowControl::Call | FlowControl::Interrupt => Some(BranchKind::System),
    }
}

/// Returns the vector of the exception that an instruction raises by itself.
fn fault(instruction: &Instruction) -> Option<u8> {
    match (instruction.mnemonic(), instruction.flow_control()) {
        (Mnemonic::Div | Mnemonic::Idiv, _) => Some(0),
        (_, FlowControl::Exception) => Some(6),
        _ if instruction.is_invalid() => Some(6),
        _ if instruction.is_privileged() => Some(13),
        _ => None,
    }
}

fn reads(access: OpAccess) -> bool {
    matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

/// Whether the access includes a store. A conditional store counts, because it stores the old value again if its
/// condition fails.
fn writes(access: OpAccess) -> bool {
    matches!(access, OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

/// Returns the way in which the accesses of an instruction form loads or stores.
fn plan(
    instruction: &Instruction,
    string: bool,
    factory: &mut InstructionInfoFactory,
    wanted: fn(OpAccess) -> bool,
) -> AccessPlan {
    let info = factory.info_options(instruction, InstructionInfoOptions::NO_REGISTER_USAGE);
    let operands: Vec<_> = info.used_memory().iter().filter(|memory| wanted(memory.access())).collect();
    let size = |memory: &iced_x86::UsedMemory| u16::try_from(memory.memory_size().size()).unwrap_or(0);
    match operands.as_slice() {
        [] => AccessPlan::None,
        _ if string || instruction.is_vsib() => AccessPlan::Each,
        // A conditional access may be made only in part.
        [one] if matches!(one.access(), OpAccess::CondRead | OpAccess::CondWrite) => AccessPlan::Whole(0),
        [one] => AccessPlan::Whole(size(one)),
        several => AccessPlan::Split(several.iter().map(|memory| size(memory)).collect()),
    }
}
