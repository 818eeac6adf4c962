//! What a cycle changes.

use crate::lockstep::Field;
use crate::report::UnitReport;

/// The registers that change from one row to the next: `store_st tail -> head`.
pub(super) fn changes(unit: &dyn UnitReport, fields: &[Field], before: &[u32], after: &[u32]) -> Vec<String> {
    let register = |field: &&Field| field.name.starts_with("state.") && !unit.restless().contains(&field.name);
    let change = |field: &Field| {
        let (from, to) = (field.of(before), field.of(after));
        let short = |value: u64, row| match unit.meaning(field.name, value, row).filter(|_| unit.is_code(field.name)) {
            Some(name) => name,
            _ if field.width > 8 && !field.name.ends_with("counter") => format!("{value:#x}"),
            _ => value.to_string(),
        };
        let name = field.name.strip_prefix("state.").unwrap_or(field.name);
        (from != to).then(|| format!("{name} {} -> {}", short(from, before), short(to, after)))
    };
    fields.iter().filter(register).filter_map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::fields::FIELDS;
    use crate::lwp::flat::OUT_WORDS;
    use crate::lwp::report::LwpReport;

    #[test]
    fn changes_in_words() {
        let (mut before, mut after) = (vec![0; OUT_WORDS], vec![0; OUT_WORDS]);
        (before[65], after[65]) = (3, 4);
        (before[27], after[27]) = (3, 2);
        (before[38], after[38]) = (0, 1 << 22);
        after[67] = 0x5010;
        assert_eq!(
            changes(&LwpReport, FIELDS, &before, &after),
            ["events[1].counter 3 -> 2", "store_st tail -> head", "mem_addr 0x0 -> 0x5010"]
        );
    }
}
