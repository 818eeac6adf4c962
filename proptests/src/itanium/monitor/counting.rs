//! A count moves by its events alone, and only while its monitor is on.

use super::{Checked, Step, ensure};
use lwp_model::itanium::{Counter, Mem};

/// The fewest and the most events of a cycle that a counter may count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Events {
    fewest: u32,
    most: u32,
}

pub(super) fn check<const BUNDLES: usize, const ENTRIES: usize>(
    step: &Step<'_, BUNDLES, ENTRIES>,
    checked: &mut Checked,
) -> Result<(), String> {
    let (now, next) = (step.now, step.next);
    // ITA-54: both event address registers have instruction set masks.
    let iear = step.on(now.pmc10.plm, now.pmc10.pm, now.pmc10.ism);
    let dear = step.on(now.pmc11.plm, now.pmc11.pm, now.pmc11.ism);
    // ITA-55: the branch trace buffer has none, and is for IA-64 code.
    let btb = step.on(now.pmc12.plm, now.pmc12.pm, 0) && !step.inputs.psr_is;
    let ear = (next.ear.iear_on, next.ear.dear_on, next.ear.btb_on);
    ensure!(ear == (iear, dear, btb), "what may capture is {ear:?}, not {:?}", (iear, dear, btb));
    for (c, (counter, after)) in now.counter.iter().zip(&next.counter).enumerate() {
        let Events { fewest, most } = amount(counter, events(step, counter));
        if step.written() == Some((1, 4 + c as u32)) {
            continue;
        }
        let moved = after.count.wrapping_sub(counter.count);
        if !step.on(counter.plm, counter.pm, counter.ism) {
            checked.held += u64::from(fewest > 0);
            // ITA-01, ITA-18, ITA-27, ITA-40: whatever occurs.
            ensure!(moved == 0, "counter {c} moves by {moved}, and its monitor is off");
            continue;
        }
        checked.moved += u64::from(moved > 0);
        // ITA-01, ITA-40
        ensure!((fewest..=most).contains(&moved), "counter {c} moves by {moved}, not by {fewest} to {most}");
    }
    Ok(())
}

/// Returns by how much a counter moves.
fn amount(counter: &Counter, events: Events) -> Events {
    let of = |number: u32| match counter.threshold {
        0 => number,
        threshold => u32::from(number > threshold.into()),
    };
    Events { fewest: of(events.fewest), most: of(events.most) }
}

/// Returns the events of this cycle.
fn events<const BUNDLES: usize, const ENTRIES: usize>(step: &Step<'_, BUNDLES, ENTRIES>, counter: &Counter) -> Events {
    let inputs = step.inputs;
    let exactly = |number: u32| Events { fewest: number, most: number };
    match counter.es {
        0x12 => exactly(inputs.core_clock.into()),
        0x15 => exactly(if inputs.psr_is && !inputs.int_valid { inputs.ia32.into() } else { 0 }),
        0x08 | 0x0D | 0x31 => exactly(retired(step, counter)),
        _ => records(step, counter),
    }
}

/// Returns the number of the retired instructions that count, none of which a data address qualifies.
fn retired<const BUNDLES: usize, const ENTRIES: usize>(step: &Step<'_, BUNDLES, ENTRIES>, counter: &Counter) -> u32 {
    let inputs = step.inputs;
    if inputs.psr_is || inputs.int_valid {
        return 0;
    }
    let of = |retire: &lwp_model::itanium::Retire| {
        let tag = &step.now.tag[step.entry(retire.id)];
        let slots = match (counter.es, counter.umask) {
            // ITA-08, ITA-24: each tag can be counted; ITA-25: the second one nowhere else.
            (0x08, 2) => tag.pmc9,
            (0x08, 0 | 3) => tag.pmc8,
            (0x08, _) => 0,
            // ITA-13: the unit mask selects slots, and branches that are not taken.
            (0x0D, umask) => {
                let other = if umask & 8 != 0 { retire.branch & !retire.taken } else { 0 };
                tag.pmc8 & (retire.taken & umask | other)
            }
            _ => tag.pmc8 & retire.off,
        };
        (retire.slots & slots & 7).count_ones()
    };
    inputs.retire.iter().filter(|retire| retire.valid).map(of).sum()
}

/// Returns how often a record has the event of a counter.
fn occurs(counter: &Counter, mem: &Mem) -> u32 {
    match counter.es {
        0x60 => mem.dtc_miss.into(),
        0x61 => mem.dtlb_miss.into(),
        0x63 => (mem.read || mem.write).into(),
        0x64 => mem.l1d_read.into(),
        0x66 => mem.l1d_miss.into(),
        // ITA-13: the unit mask selects reads and writes.
        0x69 => u32::from(mem.l2_read && counter.umask & 1 != 0) + u32::from(mem.l2_write && counter.umask & 2 != 0),
        0x6A => mem.l2_miss.into(),
        0x6C => mem.read.into(),
        0x6D => mem.write.into(),
        _ => 0,
    }
}

/// Returns the events of memory records.
fn records<const BUNDLES: usize, const ENTRIES: usize>(step: &Step<'_, BUNDLES, ENTRIES>, counter: &Counter) -> Events {
    let (inputs, now) = (step.inputs, step.now);
    // ITA-31: with pt nothing is constrained. ITA-21: nor while IA-32 code runs.
    let free = now.pmc11.pt || inputs.psr_is;
    // With no pair of this level no address is in the range. Addresses are not compared here.
    let none = now.dbr.iter().all(|pair| pair.plm >> inputs.cpl & 1 == 0);
    let mut events = Events::default();
    for mem in inputs.mem.iter().filter(|mem| mem.valid) {
        let hit = now.tag[step.entry(mem.id)].pmc8 >> mem.slot.min(2) & 1 != 0;
        // The tag that the instruction carries, then the data address.
        if hit || inputs.psr_is {
            let number = occurs(counter, mem);
            events.fewest += if free { number } else { 0 };
            events.most += if free || !none { number } else { 0 };
        }
    }
    events
}
