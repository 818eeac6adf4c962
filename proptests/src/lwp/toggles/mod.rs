//! The bits of this unit's ports and registers that have changed both ways.

mod run;
mod waits;

pub use run::drawn_and_by_hand;
pub use waits::{SHORT, waited};

use crate::coverage::toggles::{ToggleRuns, Toggles, Unchanging};
use sim_harness::rtl::BuildId;
use sim_harness::with_build;
use std::marker::PhantomData;

/// Returns the list of the bits that cannot change, of this version.
///
/// # Errors
///
/// Fails if the list is wrong.
pub fn unchanging() -> Result<Unchanging, String> {
    let text = include_str!("../../../coverage/lwp/state_unreachable.toml");
    Unchanging::new("proptests/coverage/lwp/state_unreachable.toml", text)
}

/// Runs the directed and the random runs in every build. The build with entries of the longest latency also has a long
/// wait.
pub(super) fn toggles(runs: &ToggleRuns) -> Result<Vec<Toggles>, String> {
    let of = |build| {
        with_build!(lwp, build, |U| drawn_and_by_hand(PhantomData::<U>, build, runs)).expect("a build of this unit")
    };
    BuildId::of_unit("lwp").map(of).collect()
}

#[cfg(test)]
mod tests {
    use crate::coverage::toggles::{Toggles, Unchanging};
    use lwp_model::lwp::{Inputs, Lwp};
    use sim_harness::lwp::flat::{in_words, pack_inputs};
    use sim_harness::rtl::BuildId;

    /// Returns the toggles of a build with one lane in which `rst_n` rises, `ctl_wdata[3]` rises and falls, and nothing
    /// else happens.
    fn seen() -> Toggles {
        let mut toggles = Toggles::new::<Lwp<1, 3, 10>>(BuildId::LwpW1);
        let mut rows = vec![0; 3 * in_words(1)];
        for (row, (rst_n, wdata)) in rows.chunks_exact_mut(in_words(1)).zip([(false, 0), (true, 8), (true, 0)]) {
            let mut inputs = Inputs::<1>::default();
            inputs.ctl.wdata = wdata;
            pack_inputs(&inputs, rst_n, row);
        }
        toggles.add_inputs(&rows);
        toggles
    }

    fn wrong(claims: &str) -> Vec<String> {
        seen().compare(&Unchanging::parse(claims).unwrap()).wrong
    }

    #[test]
    fn a_bit_is_seen_or_listed_and_not_both() {
        let all = "[[bits]]\nname = [\"*\"]\nreason = \"x\"\n";
        let both = wrong(all);
        assert_eq!(both.len(), 2, "{both:?}");
        assert!(
            both[0].starts_with("w1: rst_n changes") && both[1].starts_with("w1: ctl_wdata[3] changes"),
            "{both:?}"
        );
        let none = wrong("bits = []");
        assert!(
            none.contains(&"w1: rst_n never falls".to_owned()) && !none.contains(&"w1: rst_n never rises".to_owned())
        );
        assert!(none.iter().all(|text| !text.contains("ctl_wdata[3]")));
        assert!(none.contains(&"w1: state.head[22] never rises".to_owned()));
    }

    #[test]
    fn a_claim_names_a_bit_and_a_reason() {
        let gone = wrong("[[bits]]\nname = [\"state.gone[3:2]\"]\nreason = \"x\"\n");
        assert!(gone.iter().any(|text| text.contains("there is no bit state.gone[3:2]")));
        let other = wrong("[[bits]]\nbuild = \"w4\"\nname = [\"state.gone\"]\nreason = \"x\"\n");
        assert!(other.iter().all(|text| !text.contains("there is no bit")));
        assert!(
            Unchanging::parse("[[bits]]\nname = [\"a\"]\nreason = \" \"\n").unwrap_err().contains("without a reason")
        );
    }
}
