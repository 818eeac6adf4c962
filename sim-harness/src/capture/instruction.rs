//! What the decoder knows of an instruction: its class, its target, and what it loads and stores.

use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, InstructionInfoOptions, Mnemonic,
    OpAccess, Register,
};

use crate::trace::{Branch, BranchKind, Load, Store};

/// The static part of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Static {
    /// Its linear address.
    pub ip: u64,
    /// Its bytes.
    pub length: u8,
    /// Its class if it is a transfer of control.
    pub kind: Option<BranchKind>,
    /// Where it goes if it is direct.
    pub target: u64,
    /// Whether it is a string instruction with a `REP` prefix, which QEMU executes one iteration at
    /// a time.
    pub repeats: bool,
    /// Whether it loads SS.
    pub ss_load: bool,
    /// Whether it loads and stores in one, which QEMU may report as one store.
    pub atomic: bool,
    /// How its accesses make loads.
    pub loads: AccessPlan,
    /// How its accesses make stores.
    pub stores: AccessPlan,
    /// Vector of the exception that it raises if it is not completed although all its accesses were made.
    fault: Option<u8>,
    /// Whether it may lead elsewhere although it is no transfer of control (transactions).
    leaves: bool,
}

/// How the accesses that QEMU reports make loads or stores of an instruction. QEMU splits what is wider than
/// eight bytes, and what its helper functions do in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessPlan {
    /// There are none.
    None,
    /// All accesses are one of this size; 0 if they themselves tell the size.
    Whole(u16),
    /// Each stays what it is: string instructions, and gathers. They stay in QEMU's order, which for
    /// `CMPS` is the second operand first.
    Each,
    /// Accesses are distributed to some of these sizes, in order.
    Split(Vec<u16>),
}

/// One access as QEMU reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Linear address.
    pub address: u64,
    /// Size in bytes.
    pub size: u16,
}

impl Static {
    /// Decodes the instruction at `ip`. Bytes that are no instruction give one that does nothing:
    /// executing it faults.
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

    /// Linear address of the neighbour.
    #[must_use]
    pub fn neighbour(&self) -> u64 {
        self.ip.wrapping_add(u64::from(self.length))
    }

    /// What the transfer of control did if `follower` was executed after it; `None` if it is none.
    ///
    /// A direct branch can only go to its target or its neighbour. If something else follows, a
    /// signal came in between: an unconditional branch went to its target, and of a conditional one
    /// it is not known, so it is given as not taken.
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

    /// Whether number and sizes of its accesses differ from one execution to the next.
    #[must_use]
    pub fn accesses_vary(&self) -> bool {
        self.repeats
    }

    /// Appends the loads that these accesses are.
    #[inline]
    pub fn loads(&self, accesses: &[Access], into: &mut Vec<Load>) {
        let load = |Access { address, size }| Load { addr: Some(address), size, ..Load::default() };
        self.loads.apply(accesses, |access| into.push(load(access)));
    }

    /// Appends the stores that these accesses are.
    #[inline]
    pub fn stores(&self, accesses: &[Access], into: &mut Vec<Store>) {
        self.stores.apply(accesses, |Access { address, size }| into.push(Store { addr: address, size }));
    }

    /// What may have happened if something else than its successor followed, and these were its accesses.
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

/// Vector of the exception that an access raises.
const PAGE_FAULT: u8 = 14;

/// Where the flow left an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// The instruction is complete, and then something interrupted.
    Behind,
    /// The instruction is not complete: an exception with this vector, or an interrupt between its iterations.
    Before(Option<u8>),
    /// The instruction itself leads there.
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

    /// Whether these are all the accesses that an instruction cannot do without.
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

/// How many of the first accesses one of `size` bytes consists of.
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

/// Accesses that are one.
fn merge(accesses: &[Access], size: u16) -> Access {
    let start = accesses.iter().map(|access| access.address).min().unwrap_or(0);
    let reach = |access: &Access| access.address.wrapping_sub(start).saturating_add(u64::from(access.size));
    let span = accesses.iter().map(reach).max().unwrap_or(0);
    Access { address: start, size: if size == 0 { u16::try_from(span).unwrap_or(u16::MAX) } else { size } }
}

/// The class of an instruction.
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
        // SYSCALL, SYSENTER and calls of a hypervisor; INT n and its kin.
        FlowControl::Call | FlowControl::Interrupt => Some(BranchKind::System),
    }
}

/// Vector of the exception that an instruction raises by itself.
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

/// A store that may not take place counts: what it finds is stored again.
fn writes(access: OpAccess) -> bool {
    matches!(access, OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

/// How the accesses of an instruction make loads or stores.
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
        // What is not accessed for certain may be accessed in part.
        [one] if matches!(one.access(), OpAccess::CondRead | OpAccess::CondWrite) => AccessPlan::Whole(0),
        [one] => AccessPlan::Whole(size(one)),
        several => AccessPlan::Split(several.iter().map(|memory| size(memory)).collect()),
    }
}
