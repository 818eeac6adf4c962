//! Tables of a page "The flat row", written from the model's rows.

use lwp_model::Unit;
use lwp_model::flat::Field;
use std::fs;
use std::path::Path;

/// The name without its indices, and their number: `lanes[i][l].valid` for `lanes[0][0].valid`. `None` for another entry.
fn first_entry(name: &str, index: fn(&str, usize) -> char) -> Option<(String, Vec<char>)> {
    let (group, _) = name.split_once('[').unwrap_or((name, ""));
    let (mut text, mut letters) = (String::new(), Vec::new());
    for (at, part) in name.split('[').enumerate() {
        if at == 0 {
            text.push_str(part);
            continue;
        }
        let rest = part.strip_prefix("0]")?;
        letters.push(index(group.trim_start_matches("state."), at - 1));
        text.push_str(&format!("[{}]{rest}", letters[at - 1]));
    }
    Some((text, letters))
}

/// The lines of a table. The first of a group says over what it goes.
fn lines(fields: &[Field], index: fn(&str, usize) -> char) -> String {
    let mut text = String::from("| name | width |\n|---|---|\n");
    let mut before = String::new();
    for field in fields {
        let Some((name, letters)) = first_entry(field.name, index) else { continue };
        let group = name.rsplit_once(']').map_or("", |(group, _)| group).to_owned();
        let each: Vec<String> = letters.iter().map(char::to_string).collect();
        let each = match each[..] {
            [] => String::new(),
            _ if group == before => String::new(),
            _ => format!(", for each {}", each.join(" and ")),
        };
        before = group;
        text.push_str(&format!("| `{name}`{each} | {} |\n", field.width));
    }
    text
}

/// The page with this table below the heading in place of its own.
fn with_table(page: &str, heading: &str, table: &str) -> String {
    let (before, below) = page.split_once(&format!("\n## {heading}\n")).expect(heading);
    let start = below.find("| name |").expect(heading);
    let end =
        below[start..].split_inclusive('\n').take_while(|line| line.starts_with('|')).map(str::len).sum::<usize>();
    format!("{before}\n## {heading}\n{}{table}{}", &below[..start], &below[start + end..])
}

/// Compares the tables of a page with the rows of a build that has every group, or writes them.
pub(crate) fn check<U: Unit>(page: &str, index: fn(&str, usize) -> char) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src").join(page);
    let old = fs::read_to_string(&path).unwrap();
    let registers = U::OUTPUT_FIELDS.iter().position(|field| field.name.starts_with("state.")).unwrap();
    let (outputs, probe) = U::OUTPUT_FIELDS.split_at(registers);
    let tables = [("Straps", U::STRAP_FIELDS), ("Inputs", U::INPUT_FIELDS), ("Outputs", outputs), ("Probe", probe)];
    let new =
        tables.iter().fold(old.clone(), |page, (heading, fields)| with_table(&page, heading, &lines(fields, index)));
    if std::env::var_os("UPDATE_BOOK").is_some() {
        fs::write(&path, new).unwrap();
    } else {
        assert!(old == new, "{page} is not the table: UPDATE_BOOK=1 cargo test -p lwp-model flat_row writes it");
    }
}
