//! Counters that are private to a task, across switches and overflows.

use crate::board::{flag, input, input8, output};
use crate::failure::{Failed, OrTell};
use crate::machine::Machine;
use lwp_regs::perf::Levels;
use lwp_regs::perf::architectural::{ArchitecturalEvent, PerfEvtSelBuilder, PerfmonCaps};
use lwp_regs::perf::virtual_counter::{ArchitecturalCounters, Control, TaskCounters, Thread};

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    let caps = PerfmonCaps::detect(machine).or_tell()?;
    let mut hardware = ArchitecturalCounters::new(&mut *machine, caps).or_tell()?;
    hardware.enable_all().or_tell()?;
    let event = ArchitecturalEvent::from_code(input8(), input8()).or_tell()?;
    let [first, second] = [caps.counter(input8()).or_tell()?, caps.counter(input8()).or_tell()?];
    let build = |counter| PerfEvtSelBuilder::new(&caps, event).levels(Levels::User).build(counter);
    let control = Control::<_, _, 4>::new()
        .with_tsc()
        .count(first, build(first).or_tell()?)
        .or_tell()?
        .interrupt_after(&hardware, second, build(second).or_tell()?, input())
        .or_tell()?;

    let (mut task, mut other) = (Thread::new(), Thread::new());
    task.attach(TaskCounters::new(control));
    while flag() {
        Thread::switch(&mut other, &mut task, &mut hardware).or_tell()?;
        let counters = task.counters_mut().or_tell()?;
        output(counters.overflow(&mut hardware).or_tell()?);
        counters.iresume(&mut hardware).or_tell()?;
        counters.sample(&mut hardware).or_tell()?;
        let counts = counters.read(&mut hardware).or_tell()?;
        output(counts.tsc);
        Thread::switch(&mut task, &mut other, &mut hardware).or_tell()?;
    }
    output(task.exit(&mut hardware).or_tell()?.is_some());
    Ok(())
}
