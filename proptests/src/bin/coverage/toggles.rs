//! `coverage toggles`.

use super::args::TogglesArgs;
use proptests::coverage::toggles::ToggleRuns;
use proptests::unit::{check_environment, find};
use sim_harness::say;
use std::process::ExitCode;

pub(crate) fn toggles(args: &TogglesArgs) -> Result<ExitCode, String> {
    check_environment()?;
    let unit = find(&args.unit)?;
    let claims = unit.unchanging()?;
    let claims = if args.wait_bits == 31 { claims.in_the_long_run() } else { claims };
    let runs = ToggleRuns { seed: args.seed, cases: args.cases, wait_bits: args.wait_bits };
    let toggles = match unit.toggles(&runs) {
        Ok(toggles) => toggles,
        Err(why) => {
            say!("{}: {why}", unit.name());
            return Ok(ExitCode::FAILURE);
        }
    };
    let mut all_well = true;
    for toggles in toggles {
        let compared = toggles.compare(&claims);
        let reachable = compared.ways - compared.out;
        say!(
            "{}: {} of {reachable} ways seen, {} left to a longer wait, {} out of reach",
            toggles.build(),
            compared.seen,
            compared.long,
            compared.out
        );
        compared.wrong.iter().for_each(|wrong| say!("  {wrong}"));
        all_well &= compared.wrong.is_empty();
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
