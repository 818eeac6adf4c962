//! `coverage toggles`.

use super::args::TogglesArgs;
use proptests::coverage::toggles::{Toggles, Unchanging, four_lanes, one_lane, waited};
use std::process::ExitCode;

pub(crate) fn toggles(args: &TogglesArgs) -> Result<ExitCode, String> {
    let claims = Unchanging::get()?;
    let claims = if args.wait_bits == 31 { claims.in_the_long_run() } else { claims };
    let four = || {
        let mut toggles = four_lanes(args.seed, args.cases)?;
        waited(args.wait_bits, &mut toggles)?;
        Ok(toggles)
    };
    let builds: [(&str, Result<Toggles, String>); 2] = [("w4", four()), ("w1", one_lane(args.seed, args.cases))];
    let mut all_well = true;
    for (build, toggles) in builds {
        let toggles = match toggles {
            Ok(toggles) => toggles,
            Err(why) => {
                println!("{build}: {why}");
                return Ok(ExitCode::FAILURE);
            }
        };
        let compared = toggles.compare(&claims);
        let reachable = compared.ways - compared.out;
        println!(
            "{build}: {} of {reachable} ways seen, {} left to a longer wait, {} out of reach",
            compared.seen, compared.long, compared.out
        );
        compared.wrong.iter().for_each(|wrong| println!("  {wrong}"));
        all_well &= compared.wrong.is_empty();
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
