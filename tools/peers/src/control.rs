//! Every contestant that compares is shown something wrong, and must say in which cycle.

use crate::flip::{Flip, Flipped};
use crate::ours::Inputs;
use crate::program::{Program, Verdict};
use crate::work::{LANES, Work};
use sim_harness::lockstep::{self, Options, Producer, Threads};
use sim_harness::lwp::device::RecordedProducer;
use sim_harness::lwp::fields::FIELDS;
use sim_harness::lwp::flat;
use sim_harness::say;

/// The cycle that is spoilt, long after the unit has begun to work.
const CYCLE: usize = 1_500;

type Check<'a> = Box<dyn Fn(Option<Flip>) -> Result<Verdict, String> + 'a>;

/// Spoils what each contestant sees, one bit in one run; the number of controls that were not noticed in the right cycle.
pub(crate) fn run(work: &Work, programs: &[Program]) -> Result<usize, String> {
    let mut unnoticed = 0;
    for (name, few, check) in checks(work, programs) {
        let words: Vec<usize> = if few { vec![0, 40, flat::OUT_WORDS - 1] } else { (0..flat::OUT_WORDS).collect() };
        let count = words.len();
        if !matches!(check(None)?, Verdict::Agree(_)) {
            return Err(format!("{name}: RTL and model differ, and nothing was spoilt"));
        }
        let mut missed = 0;
        for flip in words.into_iter().map(|word| Flip::Expected(CYCLE, word)).chain([Flip::Input(CYCLE)]) {
            let verdict = check(Some(flip))?;
            if verdict != Verdict::Differ(flip.shows_in()) {
                say!("{name}: {flip}: not noticed in cycle {}, but {verdict:?}", flip.shows_in());
                missed += 1;
            }
        }
        let result = if missed == 0 { "all noticed in their cycle".into() } else { format!("{missed} NOT noticed") };
        say!("{name:40} {count:2} words of the model, 1 input of the RTL: {result}");
        unnoticed += missed;
    }
    Ok(unnoticed)
}

/// Name, whether a run takes seconds, and one run.
fn checks<'a>(work: &'a Work, programs: &'a [Program]) -> Vec<(&'static str, bool, Check<'a>)> {
    let ours = |name, inputs, threads| -> (_, _, Check<'a>) {
        (name, false, Box::new(move |flip| Ok(in_lockstep(work, inputs, threads, flip))))
    };
    let mut checks = vec![
        ours("lockstep with environment, two threads", Inputs::Environment, Threads::Two),
        ours("lockstep with environment, one thread", Inputs::Environment, Threads::One),
        ours("lockstep, recorded inputs, two threads", Inputs::Recorded, Threads::Two),
        ours("lockstep, recorded inputs, one thread", Inputs::Recorded, Threads::One),
    ];
    for program in programs {
        checks.push((program.name, program.slow, Box::new(|flip| program.play(work, work.slow_cycles, flip))));
    }
    checks
}

fn in_lockstep(work: &Work, inputs: Inputs, threads: Threads, flip: Option<Flip>) -> Verdict {
    match inputs {
        Inputs::Environment => spoilt(work, work.producer(), threads, flip),
        Inputs::Recorded => spoilt(work, RecordedProducer::new(work.model(), work.recording.inputs()), threads, flip),
    }
}

fn spoilt(work: &Work, mut producer: impl Producer, threads: Threads, flip: Option<Flip>) -> Verdict {
    let mut flipped;
    let mut rtl = work.rtl();
    let options = Options { threads, ..Options::new(FIELDS) };
    let report = match flip {
        Some(flip) => {
            flipped = Flipped::new(producer, flip, (flat::in_words(LANES), flat::OUT_WORDS));
            lockstep::run(&mut flipped, &mut rtl, options)
        }
        None => lockstep::run(&mut producer, &mut rtl, options),
    };
    match report.divergence {
        Some(divergence) => Verdict::Differ(usize::try_from(divergence.cycle).unwrap_or(usize::MAX)),
        None => Verdict::Agree(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Sizes;
    use sim_harness::traces::Retired;

    fn work(folder: &std::path::Path) -> Work {
        let instructions = (0..20_000).map(|n| Retired { ip: 0x40_0000 + 4 * (n % 50), cpl: 3, ..Retired::default() });
        Work::of(instructions.collect(), folder, Sizes::CONTROL).expect("a recorded run")
    }

    #[test]
    fn the_lockstep_notices_every_control() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(run(&work(folder.path()), &[]), Ok(0));
    }

    /// A peer that compares nothing is found out.
    #[test]
    fn a_blind_peer_is_found_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let blind = Program::script("echo \"peer: $2 cycles in 1.0 s\"");
        assert_eq!(run(&work(folder.path()), &[blind]), Ok(flat::OUT_WORDS + 1));
    }

    /// One that says the same cycle whatever happens, too.
    #[test]
    fn a_peer_that_guesses_is_found_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let guess =
            "if [ $# -eq 2 ]; then echo \"peer: $2 cycles in 1.0 s\"; else echo 'peer: cycle 1500 differs'; exit 1; fi";
        assert_eq!(run(&work(folder.path()), &[Program::script(guess)]), Ok(1));
    }
}
