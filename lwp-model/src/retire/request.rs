//! Register requests: RDMSR, WRMSR, and the instructions that read or write a unit's registers by other means.

use crate::choice::choice;

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum RegOp {
    /// RDMSR.
    #[default]
    Rdmsr = 0,
    /// WRMSR.
    Wrmsr = 1,
    /// RDTSC.
    Rdtsc = 2,
    /// RDTSCP.
    Rdtscp = 3,
    /// RDPMC.
    Rdpmc = 4,
    /// MOV from a debug register.
    ReadDr = 5,
    /// MOV to a debug register.
    WriteDr = 6,
    /// Not used.
    Unused7 = 7,
    /// Not used.
    Unused8 = 8,
    /// Not used.
    Unused9 = 9,
    /// Not used.
    Unused10 = 10,
    /// Not used.
    Unused11 = 11,
    /// Not used.
    Unused12 = 12,
    /// Not used.
    Unused13 = 13,
    /// Not used.
    Unused14 = 14,
    /// Not used.
    Unused15 = 15,
}

choice!(RegOp {
    Rdmsr = "RDMSR",
    Wrmsr = "WRMSR",
    Rdtsc = "RDTSC",
    Rdtscp = "RDTSCP",
    Rdpmc = "RDPMC",
    ReadDr = "MOV from DR",
    WriteDr = "MOV to DR",
    Unused7 = "unused 7",
    Unused8 = "unused 8",
    Unused9 = "unused 9",
    Unused10 = "unused 10",
    Unused11 = "unused 11",
    Unused12 = "unused 12",
    Unused13 = "unused 13",
    Unused14 = "unused 14",
    Unused15 = "unused 15",
});

/// How a request is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum RegResult {
    /// Done.
    #[default]
    Done = 0,
    /// #UD.
    InvalidOpcode = 1,
    /// #GP(0).
    GeneralProtection = 2,
    /// #PF.
    PageFault = 3,
    /// The unit does not have what is asked for.
    NotMine = 4,
    /// #DB.
    Debug = 5,
}

choice!(RegResult {
    Done = "done",
    InvalidOpcode = "#UD",
    GeneralProtection = "#GP(0)",
    PageFault = "#PF",
    NotMine = "not mine",
    Debug = "#DB",
});

/// A register request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegRequest {
    /// A request is made in this cycle. The other fields are valid with it.
    pub valid: bool,
    /// What is asked for.
    pub op: RegOp,
    /// Logical processor that asks, 3 bits. A unit of n logical processors looks at the lowest log2(n) bits.
    pub lp: u8,
    /// ECX of RDMSR, WRMSR and RDPMC; number of the debug register in bits 2:0.
    pub number: u32,
    /// EDX:EAX of WRMSR; the source of MOV to DR.
    pub wdata: u64,
}

/// What a unit answers to a register request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegAnswer {
    /// The answer is valid, in this one cycle. The other fields are valid with it.
    pub done: bool,
    /// How the request is answered.
    pub result: RegResult,
    /// EDX:EAX, or the destination of MOV from DR. 0 unless a read is done.
    pub rdata: u64,
}
