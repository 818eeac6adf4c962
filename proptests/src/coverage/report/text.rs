//! What a terminal shows.

use super::{Report, Share};
use std::fmt::Write;

pub(super) fn summary(report: &Report, holes: usize) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{} runs, {} cycles\n", report.runs, report.cycles);
    let _ =
        writeln!(text, "{:<12} {:>6} {:>6} {:>6} {:>12} {:>7}", "", "met", "holes", "all", "unreachable", "percent");
    for cross in &report.crosses {
        row(&mut text, cross.id, cross.share, cross.title);
    }
    row(&mut text, "bins", report.bins(), "");
    if report.files.is_empty() {
        let _ = writeln!(text, "\nLines and toggles of the RTL were not counted: coverage rtl");
    } else {
        row(&mut text, "RTL lines", report.lines(), "blocks and branches");
        row(&mut text, "RTL toggles", report.toggles(), "bits");
    }
    name_holes(&mut text, report, holes);
    if !report.disproved.is_empty() {
        let _ = writeln!(text, "\nLISTED AS OUT OF REACH, BUT MET OR GONE:");
        for what in &report.disproved {
            let _ = writeln!(text, "  {what}");
        }
    }
    text
}

fn row(text: &mut String, name: &str, share: Share, title: &str) {
    let Share { met, unreachable, all } = share;
    let _ = writeln!(
        text,
        "{name:<12} {met:>6} {:>6} {all:>6} {unreachable:>12} {:>6.1}%  {title}",
        share.holes(),
        share.percent()
    );
}

fn name_holes(text: &mut String, report: &Report, most: usize) {
    let bins = report.crosses.iter().flat_map(|cross| {
        let holes = cross.bins.iter().filter(|bin| bin.count == 0 && bin.unreachable.is_none());
        holes.map(|bin| format!("{}: {}", cross.id, bin.name))
    });
    let lines = report.files.iter().flat_map(|file| {
        let of_line = |(at, line): (usize, &super::LineReport)| {
            let open = line.never.iter().filter(|(_, why)| why.is_none());
            open.map(|(what, _)| format!("{}:{}: {what}: {}", file.file, at + 1, line.text.trim())).collect::<Vec<_>>()
        };
        file.source.iter().enumerate().flat_map(of_line).collect::<Vec<_>>()
    });
    for (title, holes) in [("holes", bins.collect::<Vec<_>>()), ("lines of the RTL never executed", lines.collect())] {
        if holes.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{title}:");
        for hole in holes.iter().take(most) {
            let _ = writeln!(text, "  {hole}");
        }
        if holes.len() > most {
            let _ = writeln!(text, "  and {} more, in the page", holes.len() - most);
        }
    }
}
