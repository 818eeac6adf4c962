//! The page: one file that needs nothing beside it.

use super::{BinReport, CrossReport, FileReport, Report, Share, SignalReport};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

pub(super) fn page(report: &Report) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Coverage</title><style>{STYLE}</style></head><body>\n<h1>Coverage</h1>\n"
    );
    let _ = writeln!(
        html,
        "<p>{} runs, {} cycles. Bins of version <code>{}</code>.</p>",
        report.runs, report.cycles, report.version
    );
    overview(&mut html, report);
    disproved(&mut html, report);
    crosses(&mut html, report);
    if !report.files.is_empty() {
        files(&mut html, report);
    }
    html.push_str("</body></html>\n");
    html
}

fn overview(html: &mut String, report: &Report) {
    html.push_str("<table><tr><th></th><th>met</th><th>holes</th><th>unreachable</th><th>all</th><th></th></tr>\n");
    share_row(html, "Bins", "", report.bins());
    if !report.files.is_empty() {
        share_row(html, "RTL: blocks and branches", "", report.lines());
        share_row(html, "RTL: bits that change", "", report.toggles());
    }
    html.push_str("</table>\n");
    if report.files.is_empty() {
        html.push_str("<p>Lines and toggles of the RTL were not counted.</p>\n");
    }
}

fn disproved(html: &mut String, report: &Report) {
    if report.disproved.is_empty() {
        return;
    }
    html.push_str("<h2 class=\"bad\">Listed as out of reach, but met or gone</h2><ul>\n");
    for what in &report.disproved {
        let _ = writeln!(html, "<li>{}</li>", escaped(what));
    }
    html.push_str("</ul>\n");
}

/// A row with a bar; `link` is the anchor of the part that says more.
fn share_row(html: &mut String, name: &str, link: &str, share: Share) {
    let name = if link.is_empty() { escaped(name) } else { format!("<a href=\"#{link}\">{}</a>", escaped(name)) };
    let _ = writeln!(
        html,
        "<tr><td>{name}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        share.met,
        share.holes(),
        share.unreachable,
        share.all,
        bar(share)
    );
}

fn bar(share: Share) -> String {
    let part = |number: usize| 100.0 * number as f64 / share.all.max(1) as f64;
    format!(
        "<span class=\"bar\"><i class=\"met\" style=\"width:{:.1}%\"></i><i class=\"hole\" style=\"width:{:.1}%\"></i></span> {:.1} %",
        part(share.met),
        part(share.holes()),
        share.percent()
    )
}

fn crosses(html: &mut String, report: &Report) {
    html.push_str("<h2>Crosses, most holes first</h2>\n<table><tr><th>cross</th><th>met</th><th>holes</th><th>unreachable</th><th>all</th><th></th></tr>\n");
    let mut sorted: Vec<&CrossReport> = report.crosses.iter().collect();
    sorted.sort_by_key(|cross| core::cmp::Reverse(cross.share.holes()));
    for cross in &sorted {
        share_row(html, &format!("{} {}", cross.id, cross.title), cross.id, cross.share);
    }
    html.push_str("</table>\n");
    for cross in sorted {
        let Share { met, unreachable, .. } = cross.share;
        let holes = cross.share.holes();
        let open = if holes > 0 && holes <= 40 { " open" } else { "" };
        let _ = writeln!(
            html,
            "<details id=\"{}\"{open}><summary>{} {}: {holes} holes, {met} met, {unreachable} unreachable</summary><table>",
            cross.id,
            cross.id,
            escaped(cross.title)
        );
        let most = cross.bins.iter().map(|bin| bin.count).max().unwrap_or(0);
        for bin in &cross.bins {
            bin_row(html, bin, most);
        }
        html.push_str("</table></details>\n");
    }
}

/// The bar of a count is logarithmic: bins differ by orders of magnitude.
fn bin_row(html: &mut String, bin: &BinReport, most: u64) {
    let name = escaped(&bin.name);
    let _ = match &bin.unreachable {
        Some(why) => writeln!(html, "<tr class=\"out\"><td>{name}</td><td></td><td>{}</td></tr>", escaped(why)),
        None if bin.count == 0 => writeln!(html, "<tr class=\"never\"><td>{name}</td><td>0</td><td>hole</td></tr>"),
        None => {
            let width = 100.0 * (bin.count as f64).ln_1p() / (most as f64).ln_1p();
            writeln!(
                html,
                "<tr><td>{name}</td><td>{}</td><td><span class=\"bar\"><i class=\"met\" style=\"width:{width:.1}%\"></i></span></td></tr>",
                bin.count
            )
        }
    };
}

fn files(html: &mut String, report: &Report) {
    html.push_str("<h2>The RTL, blocks and branches</h2>\n<table><tr><th>file</th><th>met</th><th>holes</th><th>unreachable</th><th>all</th><th></th></tr>\n");
    for file in &report.files {
        share_row(html, &file.file, &anchor(file), file.lines);
    }
    html.push_str("</table>\n<h2>The RTL, bits that change</h2>\n<table><tr><th>file</th><th>met</th><th>holes</th><th>unreachable</th><th>all</th><th></th></tr>\n");
    for file in &report.files {
        share_row(html, &file.file, &anchor(file), file.toggles);
    }
    html.push_str("</table>\n");
    for file in &report.files {
        let _ = writeln!(
            html,
            "<details id=\"{}\"><summary>{}: {} holes in lines, {} in bits</summary>",
            anchor(file),
            escaped(&file.file),
            file.lines.holes(),
            file.toggles.holes()
        );
        signals(html, &file.signals);
        source(html, file);
        html.push_str("</details>\n");
    }
}

fn anchor(file: &FileReport) -> String {
    file.file.replace(['/', '.'], "-")
}

fn signals(html: &mut String, signals: &[SignalReport]) {
    if signals.is_empty() {
        return;
    }
    html.push_str("<table><tr><th>signal</th><th>bits that never changed</th><th>line</th><th></th></tr>\n");
    for signal in signals {
        let (class, why) = match &signal.unreachable {
            Some(why) => ("out", escaped(why)),
            None => ("never", "hole".to_owned()),
        };
        let _ = writeln!(
            html,
            "<tr class=\"{class}\"><td><code>{}</code></td><td>{}</td><td>{}</td><td>{why}</td></tr>",
            escaped(&signal.name),
            signal.bits,
            signal.line
        );
    }
    html.push_str("</table>\n");
}

fn source(html: &mut String, file: &FileReport) {
    html.push_str("<pre>");
    for (at, line) in file.source.iter().enumerate() {
        let open = line.never.iter().any(|(_, why)| why.is_none());
        let class = match line.count {
            _ if open => "never",
            _ if !line.never.is_empty() => "out",
            Some(0) => "in-never",
            Some(_) => "was",
            None => "",
        };
        let count = line.count.map_or_else(String::new, |count| count.to_string());
        let never: Vec<String> = line
            .never
            .iter()
            .map(|(what, why)| why.as_ref().map_or_else(|| format!("{what}: never"), |why| format!("{what}: {why}")))
            .collect();
        let note = if never.is_empty() { String::new() } else { format!("  <em>{}</em>", escaped(&never.join("; "))) };
        let _ = writeln!(
            html,
            "<span class=\"{class}\"><b>{count:>10} {:>4}</b>  {}{note}</span>",
            at + 1,
            escaped(&line.text)
        );
    }
    html.push_str("</pre>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
