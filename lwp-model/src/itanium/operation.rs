//! Codes of register requests and of their results. Those of further units are in [`retire`](crate::retire).

use crate::choice::choice;

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum RegOp {
    /// RDMSR of x86.
    #[default]
    Rdmsr = 0,
    /// WRMSR of x86.
    Wrmsr = 1,
    /// RDTSC of x86.
    Rdtsc = 2,
    /// RDTSCP of x86.
    Rdtscp = 3,
    /// RDPMC of x86.
    Rdpmc = 4,
    /// MOV from a debug register of x86.
    ReadDr = 5,
    /// MOV to a debug register of x86.
    WriteDr = 6,
    /// mov r = file\[index\].
    ReadFile = 7,
    /// mov file\[index\] = r.
    WriteFile = 8,
    /// sum.
    Sum = 9,
    /// rum.
    Rum = 10,
    /// mov psr.um = r.
    WritePsrUm = 11,
    /// ssm.
    Ssm = 12,
    /// rsm.
    Rsm = 13,
    /// mov psr.l = r.
    WritePsrL = 14,
    /// rfi, whose source is IPSR.
    Rfi = 15,
}

choice!(RegOp {
    Rdmsr = "RDMSR",
    Wrmsr = "WRMSR",
    Rdtsc = "RDTSC",
    Rdtscp = "RDTSCP",
    Rdpmc = "RDPMC",
    ReadDr = "MOV from DR",
    WriteDr = "MOV to DR",
    ReadFile = "mov from file",
    WriteFile = "mov to file",
    Sum = "sum",
    Rum = "rum",
    WritePsrUm = "mov psr.um",
    Ssm = "ssm",
    Rsm = "rsm",
    WritePsrL = "mov psr.l",
    Rfi = "rfi",
});

/// How a request is answered. The unit gives four of the codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum RegResult {
    /// Done.
    #[default]
    Done = 0,
    /// #UD of x86.
    InvalidOpcode = 1,
    /// #GP(0) of x86.
    GeneralProtection = 2,
    /// #PF of x86.
    PageFault = 3,
    /// The unit does not have what is asked for.
    NotMine = 4,
    /// #DB of x86.
    Debug = 5,
    /// Privileged Operation fault.
    PrivilegedOperation = 6,
    /// Reserved Register/Field fault.
    ReservedRegister = 7,
}

choice!(RegResult {
    Done = "done",
    InvalidOpcode = "#UD",
    GeneralProtection = "#GP(0)",
    PageFault = "#PF",
    NotMine = "not mine",
    Debug = "#DB",
    PrivilegedOperation = "Privileged Operation fault",
    ReservedRegister = "Reserved Register/Field fault",
});
