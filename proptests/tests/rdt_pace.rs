//! A delay bounds the requests of a logical processor and starves none.

use proptests::lockstep::{agree, recorded};
use proptests::rdt::paced::{Paced, paced};
use proptests::rdt::whole::watch;
use proptests::rdt::{Build, Large, Small};
use proptests::runner::{check, draw};
use sim_harness::rtl::{BuildId, Flavour};

/// Plays all accesses on the model, has the RTL agree, and checks that each ended in time.
fn ends<U: Build<LP>, const LP: usize>(build: BuildId, paced: &Paced<LP>) -> Result<(), String> {
    let driven = paced.play::<U>();
    let recording = recorded::<U>(&paced.straps, &driven.cycles);
    agree::<U>(build, Flavour::Fast, &paced.straps, &recording)?;
    watch::<U, LP>(&paced.straps, &recording).map_err(|(_, text)| text)?;
    for (lp, completed) in driven.completed.iter().enumerate() {
        let longest = completed.iter().map(|access| (access.done - access.accepted) as u64).max().unwrap_or(0);
        let most = paced.most(lp);
        if longest > most {
            return Err(format!("an access of {lp} took {longest} cycles: more than {most}"));
        }
    }
    Ok(())
}

// RDTA-28, RDTA-34: approximate, but bounded both ways
#[test]
fn two_logical_processors_do_not_starve() {
    check("rdt_pace", "two_logical_processors_do_not_starve", &paced::<Small, 2>(), |case| {
        ends::<Small, 2>(BuildId::RdtS8w4, case)
    });
}

#[test]
fn four_logical_processors_do_not_starve() {
    check("rdt_pace", "four_logical_processors_do_not_starve", &paced::<Large, 4>(), |case| {
        ends::<Large, 4>(BuildId::RdtS64w16, case)
    });
}

/// A delay does slow down: the checks above would pass if none had an effect.
#[test]
fn a_delay_slows_down() {
    let mut slower = 0;
    for seed in 0..40 {
        let with = draw(seed, &paced::<Small, 2>());
        let writes = with.writes.iter().copied().filter(|(_, number, _)| !(0xD50..0xD90).contains(number)).collect();
        let without = Paced { writes, delays: [0; 2], ..with.clone() };
        slower += usize::from(with.play::<Small>().cycles.len() > without.play::<Small>().cycles.len() + 10);
    }
    assert!(slower >= 10, "only {slower} of 40 are slower");
}
