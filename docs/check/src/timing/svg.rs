//! Draws a figure as SVG on a card of its own, so that it can be read on a light and on a dark page.

use crate::figure::{Figure, Kind, Row, Side};
use std::fmt::Write;

const LABEL: usize = 108;
const CELL: usize = 46;
const LINE: usize = 24;
const HIGH: usize = 5;
const LOW: usize = 19;
const TITLE: usize = 34;
const NUMBERS: usize = 20;
const MARGIN: usize = 14;

const STYLE: &str = "\
.card{fill:#fcfcfa;stroke:#b9bdc6}\
text{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:12px;fill:#1d2430}\
.title{font-family:'DejaVu Sans',Helvetica,Arial,sans-serif;font-size:14px;font-weight:bold}\
.number{fill:#5b6474;font-size:11px;text-anchor:middle}\
.name{text-anchor:end}\
.input{fill:#8a3b00}.register{fill:#1d2430}.memory{fill:#146c43}\
.value{text-anchor:middle}\
.grid{stroke:#e3e5ea;stroke-width:1}\
.wave{fill:none;stroke-width:1.6}\
.wave.input{fill:none;stroke:#b85a14}.wave.register{fill:none;stroke:#2b4c8c}.wave.memory{fill:none;stroke:#146c43}\
.bus{stroke-width:1.3}\
.bus.input{fill:#fbeadb;stroke:#b85a14}.bus.register{fill:#e4ebf8;stroke:#2b4c8c}.bus.memory{fill:#dff1e6;stroke:#146c43}";

/// The figure as an SVG document.
pub(crate) fn draw(figure: &Figure) -> String {
    let cycles = figure.cycles();
    let bands = cycles.div_ceil(figure.wrap);
    let band_height = NUMBERS + figure.rows.len() * LINE + MARGIN;
    let width = 2 * MARGIN + LABEL + figure.wrap.min(cycles) * CELL;
    let height = TITLE + bands * band_height + MARGIN + 14;
    let mut out = String::new();
    let mut add = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    add(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{}\">",
        escape(figure.title)
    ));
    add(format!("<style>{STYLE}</style>"));
    add(format!(
        "<rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\"/>",
        width - 1,
        height - 1
    ));
    add(format!("<text class=\"title\" x=\"{MARGIN}\" y=\"24\">{}</text>", escape(figure.title)));
    for band in 0..bands {
        let first = band * figure.wrap;
        let last = cycles.min(first + figure.wrap);
        let top = TITLE + band * band_height;
        add(grid(first, last, top, figure.rows.len()));
        for (index, row) in figure.rows.iter().enumerate() {
            add(draw_row(row, first, last, top + NUMBERS + index * LINE));
        }
    }
    add(format!(
        "<text x=\"{MARGIN}\" y=\"{}\" style=\"font-size:11px\"><tspan class=\"input\">inputs</tspan>\
         <tspan class=\"register\" dx=\"20\">registers of the unit, and outputs</tspan>\
         <tspan class=\"memory\" dx=\"20\">words in memory</tspan>\
         </text>",
        height - 12
    ));
    add("</svg>".to_owned());
    out
}

fn left(cycle: usize) -> usize {
    MARGIN + LABEL + cycle * CELL
}

fn grid(first: usize, last: usize, top: usize, rows: usize) -> String {
    let mut out = String::new();
    let bottom = top + NUMBERS + rows * LINE;
    for cycle in first..=last {
        let x = left(cycle - first);
        let _ = writeln!(out, "<path class=\"grid\" d=\"M{x} {}V{bottom}\"/>", top + NUMBERS - 4);
        if cycle < last {
            let _ = writeln!(out, "<text class=\"number\" x=\"{}\" y=\"{}\">{cycle}</text>", x + CELL / 2, top + 13);
        }
    }
    out.trim_end().to_owned()
}

fn draw_row(row: &Row, first: usize, last: usize, y: usize) -> String {
    let class = match row.side {
        Side::Input => "input",
        Side::Register => "register",
        Side::Memory => "memory",
    };
    let mut out = format!(
        "<text class=\"name {class}\" x=\"{}\" y=\"{}\">{}</text>\n",
        MARGIN + LABEL - 8,
        y + 16,
        escape(row.name)
    );
    out += &match row.kind {
        Kind::Bit => draw_bit(row, first, last, y, class),
        Kind::Bus => draw_bus(row, first, last, y, class),
    };
    out
}

fn draw_bit(row: &Row, first: usize, last: usize, y: usize, class: &str) -> String {
    let mut path = String::new();
    for cycle in first..last {
        let level = y + if row.values[cycle] == "1" { HIGH } else { LOW };
        let (from, to) = (left(cycle - first), left(cycle - first + 1));
        if cycle == first {
            let _ = write!(path, "M{from} {level}H{to}");
        } else {
            let _ = write!(path, "V{level}H{to}");
        }
    }
    format!("<path class=\"wave {class}\" d=\"{path}\"/>")
}

fn draw_bus(row: &Row, first: usize, last: usize, y: usize, class: &str) -> String {
    let mut out = String::new();
    let mut from = first;
    while from < last {
        let value = &row.values[from];
        let to = (from..last).find(|&cycle| &row.values[cycle] != value).unwrap_or(last);
        let (x0, x1) = (left(from - first), left(to - first));
        let (top, middle, bottom) = (y + HIGH - 1, y + (HIGH + LOW) / 2, y + LOW + 1);
        if value.is_empty() {
            let _ = writeln!(out, "<path class=\"wave {class}\" d=\"M{x0} {middle}H{x1}\"/>");
        } else {
            let _ = writeln!(
                out,
                "<path class=\"bus {class}\" d=\"M{x0} {middle}L{} {top}H{}L{x1} {middle}L{} {bottom}H{}Z\"/>",
                x0 + 4,
                x1 - 4,
                x1 - 4,
                x0 + 4
            );
            let size = if value.len() * 7 + 6 > x1 - x0 { " style=\"font-size:10px\"" } else { "" };
            let x = (x0 + x1) / 2;
            let _ = writeln!(out, "<text class=\"value\"{size} x=\"{x}\" y=\"{}\">{}</text>", y + 16, escape(value));
        }
        from = to;
    }
    out.trim_end().to_owned()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
