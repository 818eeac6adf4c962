//! RDT: a noisy neighbour gets a quarter of the L3 cache.

use lwp_regs::access::{Cpuid, MsrBus};
use lwp_regs::rdt::{Association, Capacity, Cos, RdtCaps, RdtError, Rmid};

/// Gives class 1 a quarter of the cache and class 0 the rest, and runs this thread in class 1, with RMID 7. False if the
/// processor cannot divide its L3 cache.
fn confine<B: MsrBus>(cpuid: &impl Cpuid, bus: &mut B) -> Result<bool, RdtError<B::Fault>> {
    let caps = RdtCaps::enumerate(cpuid);
    let Some(l3) = caps.allocation.and_then(|allocation| allocation.l3) else { return Ok(false) };
    let (noisy, rmid) = (Cos::new(1, &caps)?, Rmid::new(7, &caps)?);
    let quarter = (1 << l3.cbm_len.div_ceil(4)) - 1;
    let classes = [
        (Cos::DEFAULT, Capacity::Unified(l3.capacity(l3.full_mask() & !quarter)?)),
        (noisy, Capacity::Unified(l3.capacity(quarter)?)),
    ];
    let configured = l3.configure(bus, &classes)?;
    // In the context switch: one WRMSR, or none if nothing changes.
    let mut core = Association::read(bus).map_err(RdtError::Fault)?;
    configured.associate(bus, &mut core, rmid, noisy)?;
    Ok(true)
}

#[cfg(not(target_os = "none"))]
fn main() {
    use lwp_regs::fake::FakeMsrs;
    use lwp_regs::rdt::PqrAssoc;
    // CPUID of a processor with 128 RMIDs, 16 classes and 11 bits of L3 mask.
    let cpuid = |leaf: u32, subleaf: u32| match (leaf, subleaf) {
        (0, _) => [0x10, 0, 0, 0],
        (0x07, 0) => [0, 0x9000, 0, 0],
        (0x0F, 0) => [0, 0x7F, 0, 2],
        (0x0F, 1) => [0, 0x1_0000, 0x7F, 7],
        (0x10, 0) => [0, 2, 0, 0],
        _ => [0xA, 0, 0, 0xF],
    };
    let mut cpu = FakeMsrs::<17>::new();
    cpu.define(PqrAssoc::MSR, PqrAssoc::RESET);
    for number in 0xC90..0xCA0 {
        cpu.define_number(number, 0x7FF);
    }
    assert_eq!(confine(&cpuid, &mut cpu), Ok(true));
    assert_eq!((cpu.value(0xC90), cpu.value(0xC91)), (Some(0x7F8), Some(0x007)));
    assert_eq!(cpu.get(PqrAssoc::MSR).into_bits(), 1 << 32 | 7);
}
