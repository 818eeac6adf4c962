//! The choice of the suspected stage.

use super::acts::acts;
use super::moment::Moment;
use super::rule::{self, Rule};
use crate::lwp::registers::{Writer, registers_of};
use crate::report::{self, Suspect};

/// Returns the stage whose rule decides the value of `field` at the edge before the failure: the first of its writers
/// that acts in `cause`. If none acts, the register should have kept its value, and the stage that owns it is returned.
pub(super) fn suspect(field: &str, cause: Option<&report::Moment<'_>>) -> Option<Suspect> {
    let writers = registers_of(field)?.writers;
    let owner = writers.last()?;
    let Some(now) = cause else {
        let because = "there is no cycle before this one: its reset value is wrong".to_owned();
        let rule = (owner.stage.facts().chapter, owner.requirements);
        return Some(named(owner, rule, because));
    };
    let now = &Moment::of(now)?;
    let acting = writers.iter().find_map(|writer| Some((writer, acts(writer.stage, field, now)?)));
    let (writer, because) = acting.map_or_else(
        || (owner, format!("no rule of the contract changes it in cycle {}: it has to keep its value", now.cycle)),
        |(writer, why)| (writer, format!("in cycle {} {why}", now.cycle)),
    );
    Some(named(writer, rule::of(writer, field, now), because))
}

fn named(writer: &Writer, (chapter, requirements): Rule, because: String) -> Suspect {
    Suspect { stage: writer.stage.facts(), because, chapter, requirements }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::flat::{OUT_WORDS, in_words, pack_expected, pack_inputs, pack_straps};
    use crate::lwp::stages::Stage;
    use lwp_model::lwp::{Config, CtlOp, CtlState, Inputs, Memory, State, StoreState};
    use lwp_regs::lwp::FilterWord;

    /// Returns the stage that is suspected for `field` if these registers and this memory response precede it.
    fn blamed(field: &str, state: &State, mem: Memory) -> Stage {
        let (config, mut inputs, mut row) = (Config::default(), vec![0; in_words(4)], vec![0; OUT_WORDS]);
        pack_inputs(&Inputs::<4> { mem, ..Inputs::default() }, true, &mut inputs);
        pack_expected(state, &config, &mut row);
        let straps = pack_straps(&config);
        let moment = report::Moment { cycle: 7, inputs: &inputs, shown: &row, straps: &straps };
        let name = suspect(field, Some(&moment)).unwrap().stage.name;
        Stage::ALL.into_iter().find(|stage| stage.facts().name == name).unwrap()
    }

    /// The suspicion in a cycle with these registers and inputs.
    fn suspected(field: &str, state: &State, given: &Inputs<4>) -> Suspect {
        let (config, mut inputs, mut row) = (Config::default(), vec![0; in_words(4)], vec![0; OUT_WORDS]);
        pack_inputs(given, true, &mut inputs);
        pack_expected(state, &config, &mut row);
        let straps = pack_straps(&config);
        suspect(field, Some(&report::Moment { cycle: 7, inputs: &inputs, shown: &row, straps: &straps })).unwrap()
    }

    /// A word of the context is named with its fields, and its rule is that of the word and not of every operation.
    #[test]
    fn the_operation_decides_chapter_and_requirements() {
        let mut state = State::default();
        state.ctl.st = CtlState::Wait;
        state.ctl.op = CtlOp::Save;
        state.ctl.idx = 3;
        let of = |state: &State| suspected("state.ctl_rdata", state, &Inputs::default());
        let saved = of(&state);
        assert_eq!((saved.chapter, saved.requirements[0]), ("docs/src/lwp/context.md", "LWP-CTX-04"));
        let word = "save is under way (`ctl_st` wait, word 3: the counter of DCache misses, tail_skip, rotate)";
        assert!(saved.because.ends_with(word), "{}", saved.because);
        state.ctl.op = CtlOp::WriteMsr0;
        assert_eq!((of(&state).chapter, of(&state).requirements[0]), ("docs/src/lwp/control.md", "LWP-MSR0-01"));
        state.ctl.op = CtlOp::Slwpcb;
        assert_eq!(of(&state).requirements[0], "LWP-SLW-01");
        state.ctl.init = true;
        assert_eq!(of(&state).requirements[0], "LWP-LLW-10");
    }

    /// What the rule of a counter reads is in the reason: the filter word, and each miss in steps of the filter.
    #[test]
    fn a_counter_shows_the_filter_and_the_misses() {
        let mut state = State::default();
        state.session.active = true;
        state.block.filter = FilterWord::from_bits(0x0104);
        let mut inputs = Inputs::<4>::default();
        inputs.mode.cpl = 3;
        inputs.lanes[1].valid = true;
        inputs.lanes[1].loads[0].miss = true;
        inputs.lanes[1].loads[0].latency = 40;
        inputs.lanes[1].loads[0].source = 1;
        let misses = suspected("state.events[2].counter", &state, &inputs);
        let reads = "; the filter is MIN_LATENCY 4 CLF (from 64 cycles on); missed: lane 1 after 40 cycles (2 steps of 16) from local L3";
        assert!(misses.because.ends_with(reads), "{}", misses.because);
        assert!(misses.requirements.contains(&"LWP-LAT-10"));
        let branches = suspected("state.events[1].counter", &state, &inputs);
        assert!(
            branches.because.ends_with("; the filter is MIN_LATENCY 4 CLF (from 64 cycles on)"),
            "{}",
            branches.because
        );
        assert!(branches.requirements.contains(&"LWP-BRN-01"));
        let instructions = suspected("state.events[0].counter", &state, &inputs);
        assert!(!instructions.because.contains("filter") && instructions.requirements.contains(&"LWP-INS-01"));
    }

    /// The machine that requests an access from an idle port chooses the access. From then on, the access belongs to
    /// the port.
    #[test]
    fn what_an_idle_port_is_asked_for_is_not_the_ports_business() {
        let silent = Memory::default();
        let answer = Memory { rvalid: true, ..silent };
        let mut state = State::default();
        state.store.st = StoreState::MissRead;
        for field in ["state.mem_req", "state.mem_addr", "mem_wdata"] {
            assert_eq!(blamed(field, &state, silent), Stage::Store, "{field}");
            assert_eq!(blamed(field, &State::default(), silent), Stage::Port, "{field}: nobody asks");
        }
        assert_eq!(blamed("state.mem_wait", &state, silent), Stage::Port);
        state.port.wait = true;
        assert_eq!(blamed("state.mem_addr", &state, answer), Stage::Port);
        assert_eq!(blamed("state.mem_wdata", &state, silent), Stage::Port);
        assert_eq!(blamed("state.mem_wdata", &state, answer), Stage::Store, "the sum that goes back");
        state.store.st = StoreState::Idle;
        state.ctl.st = CtlState::Flush;
        assert_eq!(blamed("state.mem_wdata", &state, answer), Stage::Control);
        state.port.wait = false;
        assert_eq!(blamed("state.mem_addr", &state, silent), Stage::Control);
        state.port.req = true;
        assert_eq!(blamed("state.mem_req", &state, silent), Stage::Port);
    }
}
