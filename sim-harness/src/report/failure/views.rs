//! Saved views of the wave file, for GTKWave and for Surfer: the signals that matter, grouped, with the cursor on the failure.

use super::analysis::Analysis;
use super::evidence::Evidence;
use super::fst::{TIME_PER_CYCLE, wave_path};
use super::watch::{Side, Watched, watched};
use std::fmt::{self, Write};

/// Flags of a trace in a GTKWave file: right-justified, and hexadecimal, decimal, binary; or a comment.
const HEX: u32 = 0x22;
const DECIMAL: u32 = 0x24;
const BINARY: u32 = 0x28;
const COMMENT: u32 = 0x200;
/// GTKWave's colours of a trace.
const RED: u32 = 1;

/// A group of signals under a title.
struct Group {
    title: String,
    signals: Vec<Shown>,
}

struct Shown {
    /// What it is called in the list.
    label: String,
    /// Parts of the name, scopes first.
    path: Vec<String>,
    width: u32,
    red: bool,
}

/// Signals that differ come as pairs, model above RTL.
fn groups(evidence: &Evidence, analysis: &Analysis) -> Vec<Group> {
    let list = watched(evidence, analysis);
    let shown = |scope: &str, watched: &Watched, red: bool| {
        let path = [scope.to_owned()].into_iter().chain(wave_path(&watched.name)).collect();
        let name = watched.name.strip_prefix("state.").unwrap_or(&watched.name);
        let label = if watched.differs { format!("{scope} {name}") } else { name.to_owned() };
        Shown { label, path, width: watched.field.width, red }
    };
    let own = |name: &str, width| Shown {
        label: name.to_owned(),
        path: vec!["failure".to_owned(), name.to_owned()],
        width,
        red: false,
    };
    let differing = list.iter().filter(|watched| watched.differs);
    let pairs = differing.flat_map(|watched| [shown("model", watched, false), shown("rtl", watched, true)]);
    let stage = analysis.stage.as_ref().map_or("registers", |stage| stage.name);
    let same = list.iter().filter(|watched| !watched.differs && watched.side == Side::Both);
    let inputs = list.iter().filter(|watched| watched.side == Side::Inputs);
    let mut clock = vec![own("clk", 1), own("cycle", 64), own("differs", 1)];
    clock.extend(evidence.idle_from.map(|_| own("idle", 1)));
    let all = [
        Group { title: "clock".to_owned(), signals: clock },
        Group { title: "differs: model, RTL".to_owned(), signals: pairs.collect() },
        Group {
            title: format!("{stage} (model)"),
            signals: same.map(|watched| shown("model", watched, false)).collect(),
        },
        Group { title: "inputs".to_owned(), signals: inputs.map(|watched| shown("inputs", watched, false)).collect() },
    ];
    all.into_iter().filter(|group| !group.signals.is_empty()).collect()
}

/// A save file for GTKWave: `gtkwave FILE.fst FILE.gtkw`.
#[must_use]
pub fn gtkwave_view(evidence: &Evidence, analysis: &Analysis) -> String {
    let mut text = String::new();
    // A string takes everything.
    let _ = write_gtkwave(&mut text, evidence, analysis);
    text
}

fn write_gtkwave(to: &mut String, evidence: &Evidence, analysis: &Analysis) -> fmt::Result {
    let start = evidence.rows.first().map_or(0, |row| row.cycle).max(evidence.cycle.saturating_sub(14));
    writeln!(to, "[*] {}", analysis.headline)?;
    writeln!(to, "[timestart] {}\n[size] 1500 900\n[pos] -1 -1", start.saturating_mul(TIME_PER_CYCLE))?;
    // Zoom (a power of two, negative: wider), the primary marker, then the named ones A to Z: none.
    writeln!(to, "*-5.500000 {}{}", evidence.cycle.saturating_mul(TIME_PER_CYCLE), " -1".repeat(26))?;
    ["model.", "model.state.", "rtl.", "rtl.state."].iter().try_for_each(|scope| writeln!(to, "[treeopen] {scope}"))?;
    writeln!(to, "[sst_width] 200\n[signals_width] 330\n[sst_expanded] 0")?;
    for Group { title, signals } in groups(evidence, analysis) {
        writeln!(to, "@{COMMENT:x}\n-{title}")?;
        for Shown { label, path, width, red } in signals {
            if red {
                writeln!(to, "[color] {RED}")?;
            }
            let flags = match (label.as_str(), width) {
                (_, 1) => BINARY,
                ("cycle", _) => DECIMAL,
                _ if label.ends_with("counter") => DECIMAL,
                _ => HEX,
            };
            // What stands before a dot would be hidden as a scope.
            let label = label.replace('.', " ");
            let range = if width == 1 { String::new() } else { format!("[{}:0]", width - 1) };
            writeln!(to, "@{flags:x}\n+{{{label}}} {}{range}", path.join("."))?;
        }
    }
    writeln!(to, "[pattern_trace] 1\n[pattern_trace] 0")
}

/// A command file for Surfer: `surfer FILE.fst --command-file FILE.sucl`.
#[must_use]
pub fn surfer_view(evidence: &Evidence, analysis: &Analysis) -> String {
    let mut lines = vec![format!("# {}", analysis.headline)];
    for Group { title, signals } in groups(evidence, analysis) {
        // A name in a command is one word.
        lines.push(format!("divider_add {}", title.replace([' ', ':', ',', '(', ')'], "_")));
        lines.extend(signals.iter().map(|signal| format!("variable_add {}", signal.path.join("."))));
    }
    lines.push("zoom_fit".to_owned());
    lines.push(format!("cursor_set {}", evidence.cycle.saturating_mul(TIME_PER_CYCLE)));
    lines.join("\n") + "\n"
}
