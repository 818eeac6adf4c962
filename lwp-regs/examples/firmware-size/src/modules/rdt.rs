//! Resource Director Technology: monitoring, allocation, code and data apart, the throttle, AMD's limits, SMM.

use crate::board::{flag, input, input32, output};
use crate::failure::{Failed, OrTell, tell};
use crate::machine::Machine;
use lwp_regs::rdt::{
    AmdBandwidthCaps, Association, BandwidthLimit, Capacity, Cos, MonitoringEvent, PqrAssoc, RdtCaps, Rmid, SmmGuard,
};

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    let caps = RdtCaps::enumerate(machine);
    let (cos, rmid) = (Cos::new(input32(), &caps).or_tell()?, Rmid::new(input32(), &caps).or_tell()?);
    allocate(machine, &caps, cos, rmid)?;
    limit(machine, cos)?;
    if let Some(l3) = caps.monitoring.and_then(|monitoring| monitoring.l3) {
        let before = l3.read(machine, MonitoringEvent::L3Occupancy, rmid).or_tell()?;
        let after = l3.read(machine, MonitoringEvent::from_id(input() as u8), rmid).or_tell()?;
        output(l3.bytes(l3.since(before, after)) as u64);
    }
    let guard = SmmGuard::enter(machine, rmid, cos).or_tell()?;
    guard.leave(machine).map_err(|(_, fault)| tell(&fault))?;
    output(PqrAssoc::check_write(PqrAssoc::new(), input(), &caps).or_tell()?.into_bits());
    Ok(())
}

/// Gives the class its part of both caches and of the bandwidth.
fn allocate(machine: &mut Machine, caps: &RdtCaps, cos: Cos, rmid: Rmid) -> Result<(), Failed> {
    let allocation = caps.allocation.or_tell()?;
    if let Some(l3) = allocation.l3 {
        if flag() {
            l3.enable_cdp(machine, cos).or_tell()?;
        } else {
            l3.disable_cdp(machine).or_tell()?;
        }
        let [code, data] = [l3.capacity(input32()).or_tell()?, l3.capacity(input32()).or_tell()?];
        let wanted = if flag() { Capacity::Split { code, data } } else { Capacity::Unified(data) };
        let configured = l3.configure(machine, &[(cos, wanted)]).or_tell()?;
        let mut core = Association::read(machine).or_tell()?;
        output(configured.associate(machine, &mut core, rmid, cos).or_tell()?);
        output(core.switch_to(machine, rmid, Cos::DEFAULT).or_tell()?);
    }
    if let Some(l2) = allocation.l2 {
        let all = Capacity::Unified(l2.full_capacity());
        l2.configure(machine, &[(Cos::DEFAULT, all)]).or_tell()?;
    }
    allocation.mba.map_or(Ok(()), |mba| mba.program(machine, cos, input() as u16).or_tell())
}

/// Limits the bandwidth of the class, where the processor is one of AMD's.
fn limit(machine: &mut Machine, cos: Cos) -> Result<(), Failed> {
    let limits = AmdBandwidthCaps::detect(machine);
    let wanted = if flag() { BandwidthLimit::Unlimited } else { BandwidthLimit::Eighths(input()) };
    if let Some(external) = limits.external {
        let index = if flag() { external.index_with_cdp(cos) } else { external.index(cos) };
        external.program(machine, index.or_tell()?, wanted).or_tell()?;
    }
    limits.slow.map_or(Ok(()), |slow| slow.program(machine, slow.index(cos).or_tell()?, wanted).or_tell())
}
