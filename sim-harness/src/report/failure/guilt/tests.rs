use super::*;
use crate::lockstep::Field;
use crate::lwp::flat::{OUT_WORDS, in_words, pack_expected, pack_inputs};
use crate::lwp::stages::Stage;
use lwp_model::lwp::{Config, CtlState, Inputs, Memory, State, StoreState};

fn difference(width: u32, expected: u64, actual: u64) -> Difference {
    Difference { field: Field { name: "state.x", word: 0, lsb: 0, width }, expected, actual }
}

#[test]
fn registers_come_before_outputs() {
    let mut output = difference(1, 0, 1);
    output.field.name = "mem_req";
    let register = difference(4, 1, 2);
    assert_eq!(first(&[output, register]), Some(&register));
    assert_eq!(first(&[output]), Some(&output));
    assert_eq!(first(&[]), None);
}

#[test]
fn the_values_tell_the_kind_of_mistake() {
    let said = |found: Difference, before, model, rtl| behaviour(&found, before, model, rtl).join("; ");
    let keeps = "the model changes it, and the RTL keeps the old value; the RTL has the model's value one cycle later";
    assert_eq!(said(difference(1, 1, 0), Some(0), Some(1), Some(1)), keeps);
    let early = "the RTL changes it, and the model keeps the old value; the RTL has it one cycle before the model; \
                 the RTL's value is 3 more than the model's";
    assert_eq!(said(difference(4, 4, 7), Some(4), Some(7), Some(8)), early);
    let both = "both change it, to different values; they differ in bit 20 alone";
    assert_eq!(said(difference(26, 0, 1 << 20), Some(5), None, None), both);
    assert_eq!(said(difference(64, 0, 0xF000), None, None, None), "they differ in the bits 0xf000");
}

/// The stage to blame for `field` if these registers and this answer of memory come before it.
fn blamed(field: &str, state: &State, mem: Memory) -> Stage {
    let (straps, mut inputs, mut row) = (Config::default(), vec![0; in_words(4)], vec![0; OUT_WORDS]);
    pack_inputs(&Inputs::<4> { mem, ..Inputs::default() }, true, &mut inputs);
    pack_expected(state, &straps, &mut row);
    suspect(field, Some(&Moment::new(7, &inputs, &row, &straps))).unwrap().writer.stage
}

/// Who asks an idle port for an access says which. From then on it is the port's.
#[test]
fn what_an_idle_port_is_asked_for_is_not_the_ports_business() {
    let silent = Memory::default();
    let answer = Memory { rvalid: true, ..silent };
    let mut state = State { store_st: StoreState::MissRead, ..State::default() };
    for field in ["state.mem_req", "state.mem_addr", "mem_wdata"] {
        assert_eq!(blamed(field, &state, silent), Stage::Store, "{field}");
        assert_eq!(blamed(field, &State::default(), silent), Stage::Port, "{field}: nobody asks");
    }
    assert_eq!(blamed("state.mem_wait", &state, silent), Stage::Port);
    state.port.wait = true;
    assert_eq!(blamed("state.mem_addr", &state, answer), Stage::Port);
    assert_eq!(blamed("state.mem_wdata", &state, silent), Stage::Port);
    assert_eq!(blamed("state.mem_wdata", &state, answer), Stage::Store, "the sum that goes back");
    state.store_st = StoreState::Idle;
    state.ctl.st = CtlState::Flush;
    assert_eq!(blamed("state.mem_wdata", &state, answer), Stage::Control);
    state.port.wait = false;
    assert_eq!(blamed("state.mem_addr", &state, silent), Stage::Control);
    state.port.req = true;
    assert_eq!(blamed("state.mem_req", &state, silent), Stage::Port);
}
