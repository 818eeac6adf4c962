//! No setter of a layout can panic: what it takes has the width of its field. The list of setters is that of the public
//! API, so none is forgotten.

use lwp_regs::UNITS;

/// The types of fields that are not integers, with their widths.
const TYPES: &[(&str, usize)] = &[
    ("bool", 1),
    ("u8", 8),
    ("u16", 16),
    ("u32", 32),
    ("u64", 64),
    ("ActiveLow", 1),
    ("Condition", 2),
    ("Length", 2),
    ("DataSource", 3),
    ("Ism", 2),
    ("MonitorLevel", 1),
    ("Plm", 4),
];

/// Width of a type, from its path: `lwp_regs::bits::U12`, `lwp_regs::bits::Bits<u16, 12>` or one of [`TYPES`].
fn width(path: &str) -> Option<usize> {
    if let Some((_, arguments)) = path.split_once("bits::Bits<") {
        return arguments.trim_end_matches('>').rsplit(' ').next()?.parse().ok();
    }
    let name = path.rsplit("::").next()?;
    if path.contains("bits::U") {
        return name[1..].parse().ok();
    }
    TYPES.iter().find(|(known, _)| *known == name).map(|(_, bits)| *bits)
}

/// `pub const fn lwp_regs::rdt::PqrAssoc::set_rmid(&mut self, lwp_regs::bits::U12)` in its parts: type, field, argument.
fn setter(line: &str) -> Option<(&str, &str, &str)> {
    let (path, rest) = line.strip_prefix("pub const fn ")?.split_once('(')?;
    let argument = rest.strip_prefix("&mut self, ").or_else(|| rest.strip_prefix("self, "))?.split_once(')')?.0;
    let mut names = path.rsplit("::");
    let method = names.next()?;
    let field = method.strip_prefix("with_").or_else(|| method.strip_prefix("set_"))?;
    Some((names.next()?, field.strip_suffix("_checked").unwrap_or(field), argument))
}

#[test]
fn a_setter_takes_what_fits_into_its_field() {
    let api = include_str!("../../../lwp-regs/public-api.txt");
    let layouts = || UNITS.iter().flat_map(|unit| unit.layouts);
    let mut checked = 0;
    for line in api.lines() {
        let Some((ty, name, argument)) = setter(line) else { continue };
        let Some(layout) = layouts().find(|layout| layout.name == ty) else { continue };
        let Some(field) = layout.fields.iter().find(|field| field.name.eq_ignore_ascii_case(name)) else { continue };
        assert_eq!(width(argument), Some(field.bits), "{line}");
        checked += 1;
    }
    // Four for each field that can be set: with, set, and each with a check.
    let fields: usize = layouts().map(|layout| layout.fields.len()).sum();
    assert!(checked > 3 * fields, "{checked} setters of {fields} fields");
}
