//! The parts of the page.

use super::{escape, wave, with_code};
use crate::report::failure::analysis::{Analysis, CycleReport, FieldReport, StageReport, Value};
use crate::report::failure::evidence::Evidence;
use crate::report::failure::watch::watched;
use std::fmt::{self, Write};

const STYLE: &str = include_str!("page.css");

/// The whole page. `analysis` is that of `evidence`.
#[must_use]
pub fn page(evidence: &Evidence, analysis: &Analysis) -> String {
    let mut text = String::new();
    // A string takes everything.
    let _ = write_page(&mut text, evidence, analysis);
    text
}

fn write_page(to: &mut String, evidence: &Evidence, analysis: &Analysis) -> fmt::Result {
    let title = escape(&analysis.headline);
    write!(
        to,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head><body><main>\n"
    )?;
    writeln!(to, "<p class=\"kind\">{} in cycle {}</p><h1>{title}</h1>", analysis.kind, analysis.cycle)?;
    writeln!(to, "<p class=\"faint\">{} &middot; {}</p>", escape(&analysis.source), escape(&analysis.build_text()))?;
    if let (Some(detail), Some(_)) = (&analysis.detail, &analysis.field) {
        writeln!(to, "<p>{}</p>", escape(detail))?;
    }
    write_values(to, analysis)?;
    analysis.stage.iter().try_for_each(|stage| write_stage(to, stage))?;
    if let Some(at) = evidence.position() {
        writeln!(to, "<h2>The cycles around it</h2>\n{}", wave::draw(evidence, &watched(evidence, analysis), at))?;
        writeln!(
            to,
            "<p class=\"faint\">A register shows the value that it has before the edge that ends the cycle. Point at a value to read all of it.</p>"
        )?;
        if let Some(from) = analysis.idle_from {
            writeln!(
                to,
                "<p class=\"faint\">The capsule ends before cycle {from}: from there on nothing comes in, neither from core nor memory.</p>"
            )?;
        }
    }
    write_cycles(to, analysis)?;
    write_requirements(to, analysis)?;
    write_differences(to, analysis)?;
    write_run(to, analysis)?;
    writeln!(to, "</main></body></html>")
}

fn write_values(to: &mut String, analysis: &Analysis) -> fmt::Result {
    let Some(field) = &analysis.field else { return Ok(()) };
    let value = |value: &Value| {
        let meaning = value.meaning.as_ref().map_or(String::new(), |meaning| format!("<p>{}</p>", escape(meaning)));
        format!("<code>{}</code>{meaning}", value.hex)
    };
    write!(to, "<div class=\"values\"><div><b>model</b>{}</div>", value(&field.model))?;
    writeln!(to, "<div class=\"rtl\"><b>RTL</b>{}</div></div>", value(&field.rtl))?;
    write_list(to, analysis.behaviour.iter().map(|line| escape(line)))
}

fn write_list(to: &mut String, items: impl Iterator<Item = String>) -> fmt::Result {
    let items: String = items.map(|item| format!("<li>{item}</li>")).collect();
    if items.is_empty() { Ok(()) } else { writeln!(to, "<ul>{items}</ul>") }
}

fn write_stage(to: &mut String, stage: &StageReport) -> fmt::Result {
    let files = |files: &[&str]| files.iter().map(|file| format!("<code>{file}</code>")).collect::<Vec<_>>().join(" ");
    writeln!(to, "<h2>Why {}</h2><p>{}</p><dl>", stage.name, with_code(&stage.because))?;
    writeln!(to, "<dt>rules</dt><dd><code>{}</code></dd>", stage.chapter)?;
    writeln!(to, "<dt>RTL</dt><dd>{}</dd><dt>model</dt><dd>{}</dd></dl>", files(stage.rtl), files(stage.model))
}

fn write_cycles(to: &mut String, analysis: &Analysis) -> fmt::Result {
    writeln!(
        to,
        "<h2>The last cycles</h2><div class=\"table\"><table class=\"cycles\"><thead><tr><th>cycle</th><th>mode</th><th>what comes in</th><th>what the model makes of it</th></tr></thead><tbody>"
    )?;
    analysis.cycles.iter().try_for_each(|row| write_cycle(to, analysis, row))?;
    writeln!(to, "</tbody></table></div>")
}

fn write_cycle(to: &mut String, analysis: &Analysis, row: &CycleReport) -> fmt::Result {
    let class = match row.cycle {
        cycle if cycle == analysis.cycle => " class=\"failing\"",
        cycle if Some(cycle) == analysis.cause_cycle => " class=\"cause\"",
        _ => "",
    };
    let lines = |lines: &[String]| lines.iter().map(|line| format!("<p>{}</p>", escape(line))).collect::<String>();
    let changes = if row.cycle == analysis.cycle && row.differing == 0 {
        "<p class=\"bad\">model and RTL agree, and this is where it fails</p>".to_owned()
    } else if row.cycle == analysis.cycle {
        let (count, verb) = (row.differing, if row.differing == 1 { "field differs" } else { "fields differ" });
        format!("<p class=\"bad\">{count} {verb} between model and RTL</p>")
    } else {
        lines(&row.changes)
    };
    writeln!(
        to,
        "<tr{class}><td class=\"mono\">{}</td><td>{}</td><td>{}</td><td>{changes}</td></tr>",
        row.cycle,
        escape(&row.mode),
        lines(&row.inputs)
    )
}

fn write_requirements(to: &mut String, analysis: &Analysis) -> fmt::Result {
    if analysis.requirements.is_empty() {
        return Ok(());
    }
    writeln!(to, "<h2>What it touches</h2><dl>")?;
    for row in &analysis.requirements {
        writeln!(to, "<dt><code>{}</code></dt><dd>{}</dd>", escape(&row.id), escape(&row.statement))?;
    }
    writeln!(to, "</dl>")?;
    let areas = analysis.stage.iter().flat_map(|stage| &stage.areas);
    let areas: Vec<String> = areas.map(|area| format!("{} ({})", area.rows, area.requirements)).collect();
    writeln!(to, "<p class=\"faint\">All that is asked of the stage: {}.</p>", areas.join(", "))
}

fn write_differences(to: &mut String, analysis: &Analysis) -> fmt::Result {
    if analysis.differences.len() < 2 {
        return Ok(());
    }
    writeln!(
        to,
        "<h2>All that differs in cycle {}</h2><div class=\"table\"><table><thead><tr><th>field</th><th>model</th><th>RTL</th></tr></thead><tbody>",
        analysis.cycle
    )?;
    for FieldReport { name, model, rtl, .. } in &analysis.differences {
        let cell = |value: &Value| escape(&value.to_string());
        writeln!(
            to,
            "<tr><td class=\"mono\">{}</td><td>{}</td><td>{}</td></tr>",
            escape(name),
            cell(model),
            cell(rtl)
        )?;
    }
    writeln!(to, "</tbody></table></div>")
}

fn write_run(to: &mut String, analysis: &Analysis) -> fmt::Result {
    writeln!(to, "<h2>The run</h2><dl><dt>straps</dt><dd>")?;
    if analysis.straps.is_empty() {
        writeln!(to, "all at their defaults")?;
    } else {
        writeln!(to, "<code>{}</code>", escape(&analysis.straps.join(", ")))?;
    }
    if !analysis.default_straps.is_empty() {
        let straps = escape(&analysis.default_straps.join(", "));
        writeln!(to, "</dd><dt>straps at their default</dt><dd><code>{straps}</code>")?;
    }
    writeln!(to, "</dd></dl>")?;
    match &analysis.repeat {
        Some(repeat) => writeln!(to, "<p>To see it again:</p><pre>{}</pre>", escape(repeat)),
        None => Ok(()),
    }
}
