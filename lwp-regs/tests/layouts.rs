//! Checks of every table of the crate: that layouts do not overlap, leave nothing uncovered and match the types they
//! describe, and that no number is given away twice.

use lwp_regs::layout::{Layout, mask};
use lwp_regs::lwp::{self, cpuid};

#[test]
fn fields_do_not_overlap_and_with_the_reserved_bits_cover_the_register() {
    for layout in lwp::LAYOUTS {
        let mut covered = 0u64;
        for field in layout.fields {
            assert_eq!(covered & field.mask(), 0, "{}: {} overlaps", layout.name, field.name);
            covered |= field.mask();
        }
        assert_eq!(covered & layout.reserved, 0, "{}: a reserved bit is in a field", layout.name);
        assert_eq!(covered | layout.reserved, mask(layout.width), "{}: not covered", layout.name);
    }
}

#[test]
fn names_and_numbers_are_given_once() {
    for (i, layout) in lwp::LAYOUTS.iter().enumerate() {
        assert!(lwp::LAYOUTS[..i].iter().all(|other| other.name != layout.name), "{}", layout.name);
        for (j, field) in layout.fields.iter().enumerate() {
            assert!(layout.fields[..j].iter().all(|other| other.name != field.name), "{}", layout.name);
        }
    }
    for (i, (name, address)) in lwp::MSRS.iter().enumerate() {
        assert!(lwp::MSRS[..i].iter().all(|other| other.1 != *address), "{name}");
    }
}

/// `Debug` of a layout lists the fields of the type itself, so a field that its table forgets shows up here.
fn same_fields(layout: &Layout, debug: &str) {
    let (_, body) = debug.split_once('{').unwrap();
    let of_type: Vec<String> =
        body.split(',').filter_map(|part| Some(part.split_once(':')?.0.trim().to_uppercase())).collect();
    let of_table: Vec<&str> = layout.fields.iter().map(|field| field.name).collect();
    assert_eq!(of_table, of_type, "{}", layout.name);
}

#[test]
fn tables_list_every_field_of_their_type() {
    let mut checked = 0;
    macro_rules! check {
        ($($ty:path),+ $(,)?) => {$(
            same_fields(&<$ty>::LAYOUT, &format!("{:?}", <$ty>::new()));
            assert!(lwp::LAYOUTS.contains(&<$ty>::LAYOUT));
            checked += 1;
        )+};
    }
    check!(
        cpuid::CpuidEax,
        cpuid::CpuidEbx,
        cpuid::CpuidEcx,
        cpuid::CpuidEdx,
        lwp::LwpMsr0,
        lwp::FlagsWord,
        lwp::SizeWord,
        lwp::FilterWord,
        lwp::SlotWord,
        lwp::CounterWord,
        lwp::RecordWord,
        lwp::InstructionWord,
        lwp::BranchWord,
        lwp::DcacheWord,
        lwp::context::HeadWord,
        lwp::context::ContextFlags,
        lwp::context::ResumeWord,
        lwp::context::InterruptWord,
    );
    assert_eq!(checked, lwp::LAYOUTS.len(), "a layout is not checked here");
}
