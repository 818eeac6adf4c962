//! The instructions that access memory, each followed by INT3 so that it stops the child in any case.

use lwp_regs::debug::Access;

/// How an instruction uses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Reads at RDI.
    Load,
    /// Writes at RDI, or reads and writes.
    Store,
    /// Writes the eight bytes below RDI, which is put into RSP.
    Push,
    /// Reads at RDI, which is put into RSP.
    Pop,
    /// Reads at RSI and writes at RDI.
    Move,
    /// Writes a byte at RDI, RCX times, each time one further.
    Fill,
    /// Reads at RSI and writes at RDI a byte, RCX times, each time one further.
    Copy,
}

/// One of them.
#[derive(Clone, Copy)]
pub(crate) struct Instruction {
    pub(crate) name: &'static str,
    pub(crate) code: unsafe extern "C" fn(),
    pub(crate) uses: Use,
    pub(crate) bytes: u32,
    /// Whether this processor has it.
    pub(crate) here: fn() -> bool,
}

impl std::fmt::Debug for Instruction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Instruction {
    /// What it accesses with these addresses in RDI and RSI; of a repeated one, what one iteration accesses.
    pub(crate) fn accesses(&self, rdi: u64, rsi: u64) -> Vec<Access> {
        let bytes = self.bytes;
        match self.uses {
            Use::Load | Use::Pop => vec![Access::Read { address: rdi, bytes }],
            Use::Store | Use::Fill => vec![Access::Write { address: rdi, bytes }],
            Use::Push => vec![Access::Write { address: rdi - 8, bytes }],
            Use::Move | Use::Copy => vec![Access::Read { address: rsi, bytes }, Access::Write { address: rdi, bytes }],
        }
    }

    pub(crate) fn is_repeated(&self) -> bool {
        matches!(self.uses, Use::Fill | Use::Copy)
    }

    /// Whether the access is locked: XCHG with memory always is.
    pub(crate) fn is_locked(&self) -> bool {
        self.name.starts_with("lock ") || self.name.starts_with("xchg ")
    }

    pub(crate) fn address(&self) -> u64 {
        self.code as usize as u64
    }
}

/// A function of these instructions and INT3.
macro_rules! code {
    ($($assembly:literal),+) => {{
        #[unsafe(naked)]
        unsafe extern "C" fn code() {
            std::arch::naked_asm!($($assembly,)+ "int3")
        }
        code
    }};
}
pub(crate) use code;

macro_rules! instructions {
    ($($uses:ident $bytes:literal $here:ident $assembly:literal;)+) => {
        /// All of them, whether this processor has them or not.
        pub(crate) const ALL: &[Instruction] = &[$(
            Instruction {
                name: $assembly,
                code: code!($assembly),
                uses: Use::$uses,
                bytes: $bytes,
                here: $here,
            },
        )+];
    };
}

fn always() -> bool {
    true
}

fn avx() -> bool {
    std::is_x86_feature_detected!("avx")
}

fn avx512() -> bool {
    std::is_x86_feature_detected!("avx512f")
}

instructions! {
    Load 1 always "mov al, [rdi]";
    Load 2 always "mov ax, [rdi]";
    Load 4 always "mov eax, [rdi]";
    Load 8 always "mov rax, [rdi]";
    Load 16 always "movdqu xmm0, [rdi]";
    Load 32 avx "vmovdqu ymm0, [rdi]";
    Load 64 avx512 "vmovdqu64 zmm0, [rdi]";
    Load 4 always "cmp eax, [rdi]";
    Pop 8 always "pop rdx";
    Store 1 always "mov [rdi], dl";
    Store 2 always "mov [rdi], dx";
    Store 4 always "mov [rdi], edx";
    Store 8 always "mov [rdi], rdx";
    Store 16 always "movdqu [rdi], xmm0";
    Store 32 avx "vmovdqu [rdi], ymm0";
    Store 64 avx512 "vmovdqu64 [rdi], zmm0";
    Push 8 always "push rdx";
    Store 1 always "add [rdi], dl";
    Store 2 always "inc word ptr [rdi]";
    Store 4 always "xchg [rdi], edx";
    Store 8 always "lock add [rdi], rdx";
    Store 8 always "cmpxchg [rdi], rdx";
    Move 1 always "movsb";
    Move 8 always "movsq";
    Fill 1 always "rep stosb";
    Copy 1 always "rep movsb";
}
