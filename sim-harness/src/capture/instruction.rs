//! What the decoder knows of an instruction: its class, its target, and what it loads.

use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, InstructionInfoOptions, OpAccess,
};

use crate::trace::{Branch, BranchKind, Load};

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
    /// How its accesses make loads.
    pub loads: LoadPlan,
}

/// How the accesses that QEMU reports make loads of an instruction. QEMU splits what is wider than
/// eight bytes, and what its helper functions do in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadPlan {
    /// It loads nothing; what is reported belongs to a store.
    None,
    /// All accesses are one load of this size; 0 if they themselves tell the size.
    Whole(u16),
    /// Each access is a load: string instructions, and gathers. They stay in QEMU's order, which for
    /// `CMPS` is the second operand first.
    Each,
    /// Accesses are distributed to loads of these sizes, in order.
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
            loads: plan(&instruction, string, factory),
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

    /// Whether number and sizes of its loads differ from one execution to the next.
    #[must_use]
    pub fn loads_vary(&self) -> bool {
        self.repeats
    }

    /// Appends the loads that these accesses are.
    pub fn loads(&self, accesses: &[Access], into: &mut Vec<Load>) {
        if accesses.is_empty() {
            return;
        }
        match &self.loads {
            LoadPlan::None => {}
            LoadPlan::Whole(size) => into.push(merge(accesses, *size)),
            LoadPlan::Each => into.extend(accesses.iter().map(|access| load(access.address, access.size))),
            LoadPlan::Split(sizes) => {
                let mut rest = accesses;
                for &size in sizes {
                    let (part, others) = rest.split_at(covering(rest, size));
                    if !part.is_empty() {
                        into.push(merge(part, size));
                    }
                    rest = others;
                }
            }
        }
    }
}

/// How many of the first accesses a load of `size` bytes consists of.
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

/// Accesses that are one load.
fn merge(accesses: &[Access], size: u16) -> Load {
    let start = accesses.iter().map(|access| access.address).min().unwrap_or(0);
    let reach = |access: &Access| access.address.wrapping_sub(start).saturating_add(u64::from(access.size));
    let span = accesses.iter().map(reach).max().unwrap_or(0);
    load(start, if size == 0 { u16::try_from(span).unwrap_or(u16::MAX) } else { size })
}

fn load(address: u64, size: u16) -> Load {
    Load { addr: Some(address), size, ..Load::default() }
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

/// How the accesses of an instruction make loads.
fn plan(instruction: &Instruction, string: bool, factory: &mut InstructionInfoFactory) -> LoadPlan {
    let info = factory.info_options(instruction, InstructionInfoOptions::NO_REGISTER_USAGE);
    let reads =
        |access| matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite);
    let operands: Vec<_> = info.used_memory().iter().filter(|memory| reads(memory.access())).collect();
    let size = |memory: &iced_x86::UsedMemory| u16::try_from(memory.memory_size().size()).unwrap_or(0);
    match operands.as_slice() {
        [] => LoadPlan::None,
        _ if string || instruction.is_vsib() => LoadPlan::Each,
        // What is not loaded for certain may be loaded in part.
        [one] if one.access() == OpAccess::CondRead => LoadPlan::Whole(0),
        [one] => LoadPlan::Whole(size(one)),
        several => LoadPlan::Split(several.iter().map(|memory| size(memory)).collect()),
    }
}
