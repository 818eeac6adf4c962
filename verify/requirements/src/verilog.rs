//! One SystemVerilog file: its comments, modules and labelled assertions.

use crate::layers::{Layers, line_of};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

#[derive(Debug)]
pub(crate) struct VerilogFile {
    pub layers: Layers,
    pub modules: Vec<String>,
    pub assertions: Vec<Assertion>,
}

/// `Label: assert property (...)` or `Label: assert (...)`
#[derive(Debug)]
pub(crate) struct Assertion {
    pub label: String,
    /// The module around it.
    pub module: String,
    pub first_line: usize,
    pub last_line: usize,
    /// Why it may not be compiled, if so.
    pub off: Option<String>,
}

#[expect(clippy::unwrap_used, reason = "the patterns are constant")]
static MODULE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\bmodule\s+(?:automatic\s+|static\s+)?([A-Za-z_]\w*)").unwrap());
#[expect(clippy::unwrap_used, reason = "the patterns are constant")]
static ASSERTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([A-Za-z_]\w*)\s*:\s*assert(?:\s+property\b|\s*\()").unwrap());
#[expect(clippy::unwrap_used, reason = "the patterns are constant")]
static CONDITION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"`(ifdef|ifndef|endif)\b(?:\s+(\w+))?").unwrap());

pub(crate) fn parse(source: &str) -> VerilogFile {
    let (comments, strings) = lex(source);
    let mut layers = Layers::new(source, &comments);
    for string in strings.iter().rev() {
        layers.blank_code(string.clone());
    }
    let code = &layers.code;
    let modules: Vec<(usize, String)> = MODULE.captures_iter(code).filter_map(|found| named(&found)).collect();
    let assertions = ASSERTION
        .captures_iter(code)
        .filter_map(|found| named(&found))
        .map(|(at, label)| {
            let end = code[at..].find(';').map_or(code.len(), |end| at + end);
            let module = modules.iter().rfind(|(start, _)| *start < at).map(|(_, name)| name.clone());
            let (first_line, last_line) = (line_of(code, at), line_of(code, end));
            Assertion { label, module: module.unwrap_or_default(), first_line, last_line, off: off(&code[..at]) }
        })
        .collect();
    VerilogFile { assertions, modules: modules.into_iter().map(|(_, name)| name).collect(), layers }
}

/// Offset and text of the first group.
fn named(found: &regex::Captures<'_>) -> Option<(usize, String)> {
    found.get(1).map(|name| (name.start(), name.as_str().to_owned()))
}

/// Why what follows `code` may be left out by the preprocessor.
fn off(code: &str) -> Option<String> {
    let mut open = Vec::new();
    for found in CONDITION.captures_iter(code) {
        match (found.get(1).map(|word| word.as_str()), found.get(2).map(|word| word.as_str())) {
            (Some("endif"), _) => drop(open.pop()),
            // What synthesis does not see is there for simulation.
            (Some("ifndef"), Some("SYNTHESIS")) => open.push(None),
            (Some(word), name) => open.push(Some(format!("`{word} {} is around it", name.unwrap_or_default()))),
            _ => {}
        }
    }
    open.into_iter().flatten().next()
}

/// The comments and the strings.
fn lex(source: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (mut comments, mut strings) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(step) = source[at..].find(['/', '"']) {
        at += step;
        let rest = &source[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(inside) = rest.strip_prefix("/*") {
            inside.find("*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with('"') {
            string(rest)
        } else {
            at += 1;
            continue;
        };
        if rest.starts_with('"') { &mut strings } else { &mut comments }.push(at..at + length);
        at += length;
    }
    (comments, strings)
}

/// Length of the string at the beginning of `text`.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn labelled_assertions_are_found() {
        let source = "module a #(parameter int P) ();\n  // One\n  One: assert property (@(posedge clk)\n    x);\n\
                      // Two: assert property (x);\n  initial $display(\"Three: assert property (x); // no\");\n\
                      `ifdef FORMAL\n  Four : assert property (x); // four\n`endif\n`ifndef SYNTHESIS\n\
                      Five: assert property (x);\n`endif\nendmodule\n/* module b; */ module c; endmodule\n";
        let file = parse(source);
        let found: Vec<_> = file
            .assertions
            .iter()
            .map(|one| (one.label.as_str(), one.first_line, one.last_line, one.off.is_some()))
            .collect();
        assert_eq!(found, [("One", 3, 4, false), ("Four", 8, 8, true), ("Five", 11, 11, false)]);
        assert_eq!(file.modules, ["a", "c"]);
        assert_eq!(file.assertions[0].module, "a");
        assert_eq!(file.layers.lead(3), 2);
    }
}
