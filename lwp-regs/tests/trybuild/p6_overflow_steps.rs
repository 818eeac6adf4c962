// The steps before overflow interrupts have an order, and none can be left out: no driver before the stub, no INT before
// the driver.
use lwp_regs::perf::p6::{EventSelect, event, overflow::*};

fn set_up<P: OverflowPlatform>(platform: &mut P) -> Result<(), P::Fault> {
    let setup = OverflowSetup::provide_vector(platform)?.initialise_lvt(platform)?;
    let _ = EventSelect::new(&event::INST_RETIRED).interrupt(&setup);
    let _ = setup.install_driver(platform)?;
    Ok(())
}

fn main() {}
