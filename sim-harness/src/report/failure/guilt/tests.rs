use super::*;
use crate::lockstep::Field;

fn difference(width: u32, expected: u64, actual: u64) -> Difference {
    Difference { field: Field { name: "state.x", value: "", word: 0, lsb: 0, width }, expected, actual }
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
    let left = "the RTL's value is the model's, shifted left by 1 bit; they differ in the bits 0x1dc";
    assert_eq!(said(difference(12, 0xB4, 0x168), None, None, None), left);
    let right = "the RTL's value is the model's, shifted right by 4 bits; they differ in the bits 0xbf8";
    assert_eq!(said(difference(12, 0xB4C, 0xB4), None, None, None), right);
    let both = "both change it, to different values; they differ in bit 20 alone";
    assert_eq!(said(difference(26, 0, 1 << 20), Some(5), None, None), both);
    assert_eq!(said(difference(64, 0, 0xF000), None, None, None), "they differ in the bits 0xf000");
}
