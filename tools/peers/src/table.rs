//! The table of speeds, as text or for the book.

use crate::contestant::Contestant;
use crate::rounds::Speeds;
use crate::versions;
use crate::work::Work;
use std::fmt::Write;

/// What was played, then a line for each contestant.
pub(crate) fn render(work: &Work, contestants: &[Contestant<'_>], speeds: &[Speeds], markdown: bool) -> String {
    let rounds = speeds.first().map_or(0, Speeds::rounds);
    let mut text = format!(
        "{} instructions in {} cycles, {rounds} rounds; all but the bare RTL compare 79 words in every cycle.\n",
        work.instructions.len(),
        work.cycles()
    );
    let _ = writeln!(text, "{}.\n", versions::all());
    heading(&mut text, markdown);
    let bare = speeds.first().map_or(f64::NAN, Speeds::median);
    for (contestant, speeds) in contestants.iter().zip(speeds) {
        let _ = line(&mut text, contestant, speeds, bare, markdown);
    }
    text
}

fn heading(text: &mut String, markdown: bool) {
    text.push_str(&if markdown {
        "| Mcycles/s | median | slowest | fastest | / bare | cycles |\n|---|--:|--:|--:|--:|--:|\n".into()
    } else {
        let columns = ["median", "slowest", "fastest", "/ bare", "cycles"].map(|column| format!("{column:>10}"));
        format!("{:40}{}\n", "Mcycles/s", columns.concat())
    });
}

fn line(
    text: &mut String,
    contestant: &Contestant<'_>,
    speeds: &Speeds,
    bare: f64,
    markdown: bool,
) -> std::fmt::Result {
    let figures = [speeds.median(), speeds.slowest(), speeds.fastest(), speeds.median() / bare].map(figure);
    let (name, cycles) = (contestant.name, contestant.cycles);
    if markdown {
        writeln!(text, "| {name} | {} | {cycles} |", figures.join(" | "))
    } else {
        let figures = figures.map(|figure| format!("{figure:>10}"));
        writeln!(text, "{name:40}{}{cycles:>10}", figures.concat())
    }
}

/// Two places, or as many as a slow one needs to be seen.
fn figure(value: f64) -> String {
    if value < 0.1 { format!("{value:.4}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::figure;

    #[test]
    fn slow_ones_are_seen() {
        assert_eq!(figure(1.234), "1.23");
        assert_eq!(figure(0.005_678), "0.0057");
    }
}
