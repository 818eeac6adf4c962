//! Groups as text: a line for each.

use super::groups::{Group, Triage};
use crate::command::shown;
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

impl Display for Triage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
        let failing: usize = self.groups.iter().map(|group| group.capsules.len()).sum();
        writeln!(
            f,
            "{}: {failing} fail in {}, {} pass, {} cannot be used",
            counted(self.examined, "capsule", "capsules"),
            counted(self.groups.len(), "way", "ways"),
            self.passing.len(),
            self.refused.len()
        )?;
        if self.left_out > 0 {
            writeln!(f, "left out: {} beside the capsules that were shrunk", counted(self.left_out, "copy", "copies"))?;
        }
        if self.not_examined > 0 {
            writeln!(f, "interrupted: {} not examined", counted(self.not_examined, "capsule", "capsules"))?;
        }
        if !self.groups.is_empty() {
            writeln!(f)?;
            table(f, &self.groups)?;
        }
        listed(f, "fails no more", &self.passing)?;
        let moved: Vec<PathBuf> = self.groups.iter().flat_map(|group| &group.moved).cloned().collect();
        listed(f, "fails, but not as recorded", &moved)?;
        for refused in &self.refused {
            writeln!(f, "cannot be used: {}: {}", shown(&refused.capsule).display(), refused.message)?;
            if let Some(help) = &refused.help {
                writeln!(f, "  help: {help}")?;
            }
        }
        Ok(())
    }
}

fn listed(f: &mut Formatter<'_>, what: &str, paths: &[PathBuf]) -> fmt::Result {
    paths.iter().try_for_each(|path| writeln!(f, "{what}: {}", shown(path).display()))
}

/// Columns as wide as their widest cell, the last one open.
fn table(f: &mut Formatter<'_>, groups: &[Group]) -> fmt::Result {
    const TITLES: [&str; 7] = ["capsules", "unit", "kind", "stage", "field", "cycles", "smallest"];
    let row = |group: &Group| {
        let cells = [group.key.unit, group.key.kind, group.key.stage.unwrap_or("-"), group.key.field.as_str()];
        let mut row = vec![group.capsules.len().to_string()];
        row.extend(cells.map(ToOwned::to_owned));
        row.extend([group.cycles.to_string(), shown(&group.smallest).display().to_string()]);
        row
    };
    let rows: Vec<Vec<String>> = groups.iter().map(row).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let titles = TITLES.map(ToOwned::to_owned).to_vec();
    for row in std::iter::once(&titles).chain(&rows) {
        for (column, cell) in row.iter().enumerate() {
            let width = width(column).max(TITLES[column].len());
            match column {
                0 => write!(f, "{cell:>width$}")?,
                5 => write!(f, "  {cell:>width$}")?,
                6 => write!(f, "  {cell}")?,
                _ => write!(f, "  {cell:<width$}")?,
            }
        }
        writeln!(f)?;
    }
    Ok(())
}
