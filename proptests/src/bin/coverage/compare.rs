//! `coverage compare`: does steering help?

use super::args::CompareArgs;
use super::run::{bar, show};
use proptests::coverage::{Campaign, Totals};
use proptests::unit::{Checks, check_environment, find};
use sim_harness::say;
use std::process::ExitCode;

/// Bins met after so many cases.
type Curve = Vec<(u64, usize)>;

pub(crate) fn compare(args: &CompareArgs) -> Result<ExitCode, String> {
    check_environment()?;
    let unit = find(&args.common.unit)?;
    let (plain, plain_cycles) = curve(unit, args, false)?;
    let (steered, steered_cycles) = curve(unit, args, true)?;
    let reachable = unit.claims().reachable();
    say!("seed {}, {} cases each, steered anew every {} cases", args.common.seed, args.cases, args.common.round);
    say!("cycles: {plain_cycles} unsteered, {steered_cycles} steered; bins that can be met: {reachable}");
    say!("{:>8} {:>11} {:>9} {:>14} {:>12}", "cases", "unsteered", "steered", "holes, ratio", "as unsteered");
    for ((cases, without), (_, with)) in plain.iter().zip(&steered) {
        let ratio = (reachable - without) as f64 / (reachable - with).max(1) as f64;
        let as_many = steered.iter().find(|(_, met)| met >= without).map_or(*cases, |(cases, _)| *cases);
        say!("{cases:>8} {without:>11} {with:>9} {ratio:>14.2} {:>12}", format!("after {as_many}"));
    }
    Ok(ExitCode::SUCCESS)
}

fn curve(unit: &'static dyn Checks, args: &CompareArgs, steered: bool) -> Result<(Curve, u64), String> {
    let mut points = Curve::new();
    let every = (args.cases / 8).max(args.common.round) / args.common.round * args.common.round;
    let bar = bar(&args.common, args.cases);
    let (mut met, mut first) = (Totals::new(unit.layout()), 0);
    while first < args.cases {
        let cases = (first + every).min(args.cases) - first;
        let campaign = Campaign {
            unit,
            // Case numbers go on where the last part stopped.
            seed: args.common.seed,
            first,
            cases,
            round: steered.then_some(args.common.round),
            threads: args.common.jobs(),
            lockstep: false,
        };
        let part = campaign.play(&met, &|done, more| {
            show(&bar, done, more);
            true
        });
        met.merge(&part.map_err(|failure| format!("case {}: {}", failure.number, failure.reason))?.met);
        first += cases;
        points.push((first, met.hit()));
    }
    bar.finish_and_clear();
    Ok((points, met.cycles))
}
