//! The choice of the suspected stage.

use super::acts::acts;
use super::moment::Moment;
use crate::lwp::registers::{Writer, registers_of};
use crate::report::{self, Suspect};

/// Returns the stage whose rule decides the value of `field` at the edge before the failure: the first of its writers
/// that acts in `cause`. If none acts, the register should have kept its value, and the stage that owns it is returned.
pub(super) fn suspect(field: &str, cause: Option<&report::Moment<'_>>) -> Option<Suspect> {
    let writers = registers_of(field)?.writers;
    let owner = writers.last()?;
    let Some(now) = cause else {
        let because = "there is no cycle before this one: its reset value is wrong".to_owned();
        return Some(named(owner, because));
    };
    let now = &Moment::of(now)?;
    let acting = writers.iter().find_map(|writer| Some((writer, acts(writer.stage, field, now)?)));
    let (writer, because) = acting.map_or_else(
        || (owner, format!("no rule of the contract changes it in cycle {}: it has to keep its value", now.cycle)),
        |(writer, why)| (writer, format!("in cycle {} {why}", now.cycle)),
    );
    Some(named(writer, because))
}

fn named(writer: &'static Writer, because: String) -> Suspect {
    Suspect { stage: writer.stage.facts(), because, requirements: writer.requirements }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::flat::{OUT_WORDS, in_words, pack_expected, pack_inputs, pack_straps};
    use crate::lwp::stages::Stage;
    use lwp_model::lwp::{Config, CtlState, Inputs, Memory, State, StoreState};

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
