//! What shrinking has to know of the inputs: which belong together, and what each is when nothing happens.

use crate::capsule::InputShape;

/// After these groups, each lane is one of its own.
pub(super) const SHAPE: InputShape = InputShape {
    groups: &[
        &["rst_n"],
        MODE,
        &["partial"],
        &["ctl_"],
        &["mem_"],
        &["pf_ack", "irq_ack"],
        &["replay_abort", "alloc_", "fill_"],
        &["entropy"],
    ],
    stays: MODE,
    // Words of memory and of operations: intervals, thresholds, sizes.
    steers: &["mem_rdata", "ctl_wdata"],
};
/// They stay what they are until the core changes them.
const MODE: &[&str] = &["smm", "cpl", "op_mode"];

#[cfg(test)]
mod tests {
    use super::SHAPE;
    use crate::capsule::{InputField, Neutral};
    use crate::lwp::flat::in_words as words;
    use crate::lwp::input_fields::input_fields;
    use crate::lwp::unflat::unpack_inputs;

    fn inputs(lanes: usize) -> Vec<InputField> {
        SHAPE.inputs(input_fields(lanes))
    }

    #[test]
    fn names_are_where_the_bits_are() {
        let fields = inputs(2);
        let field = |name: &str| fields.iter().find(|field| field.name == name).unwrap();
        let mut row = vec![0; words(2)];
        let values = [("mem_rdata[63:32]", 7), ("lanes[1].loads[1].source", 5), ("cpl", 3), ("fill_entry", 6)];
        values.iter().for_each(|&(name, value)| field(name).set(&mut row, value));
        let (inputs, _) = unpack_inputs::<2>(&row);
        let read = (inputs.mem.rdata >> 32, inputs.lanes[1].loads[1].source, inputs.mode.cpl, inputs.buffer.fill_entry);
        assert_eq!(read, (7, 5, 3, 6));
        assert!(values.iter().all(|&(name, value)| field(name).of(&row) == value));
    }

    #[test]
    fn no_two_fields_share_a_bit_and_all_bits_with_a_name_are_there() {
        let mut owner = vec![0_u32; words(4)];
        for field in inputs(4) {
            let mask = u32::MAX >> (32 - field.width) << field.lsb;
            assert_eq!(owner[field.word] & mask, 0, "{}", field.name);
            owner[field.word] |= mask;
        }
        let bits: u32 = owner.iter().map(|word| word.count_ones()).sum();
        assert_eq!(bits as usize, 32 * words(4) - (2 + 28 + 1) - 4 * (11 + 2));
    }

    #[test]
    fn every_input_has_one_group_and_groups_stand_together() {
        let fields = inputs(2);
        for field in fields.iter().filter(|field| !field.name.starts_with("lanes[")) {
            let begins = |group: &&&[&str]| group.iter().any(|beginning| field.name.starts_with(beginning));
            assert_eq!(SHAPE.groups.iter().filter(begins).count(), 1, "{}", field.name);
        }
        let mut groups: Vec<usize> = fields.iter().map(|field| field.group).collect();
        groups.dedup();
        assert_eq!(groups, (0..SHAPE.groups.len() + 2).collect::<Vec<_>>());
        let of = |name: &str| fields.iter().find(|field| field.name == name).unwrap();
        assert_eq!((of("rst_n").neutral, of("cpl").neutral), (Neutral::Is(1), Neutral::Stays));
        assert!(of("mem_rdata[31:0]").steers && !of("entropy").steers);
    }
}
