//! The calls themselves.

use crate::generics::{concrete, parameters, stand_in};
use crate::parse::{Api, Function, split};
use std::fmt::Write as _;

/// Functions whose calls have a form of their own: they take a formatter.
const FORMATS: &[(&str, &str)] = &[
    ("Display", "{}"),
    ("Debug", "{:?}"),
    ("Binary", "{:b}"),
    ("Octal", "{:o}"),
    ("LowerHex", "{:x}"),
    ("UpperHex", "{:X}"),
];

/// `CALLS`: each function that no line of `except` begins, with its call.
pub(crate) fn table(api: &Api, except: &[&str]) -> String {
    let is_exempt = |function: &Function| {
        let of = function.of.as_deref().unwrap_or_default();
        except.iter().any(|what| match what.strip_prefix("impl ") {
            Some(of_trait) => of.contains(&format!("{of_trait} for ")) || of.contains(&format!("{of_trait}<")),
            None if *what == "unsafe" => function.is_unsafe,
            None => format!("{}::{}", function.owner, function.name).starts_with(what),
        })
    };
    let (mut code, mut rows) = (String::new(), String::new());
    for (i, function) in api.functions.iter().filter(|function| !function.is_declaration()).enumerate() {
        let line = &function.line;
        if is_exempt(function) {
            continue;
        }
        writeln!(code, "// {line}\nfn call_{i}() -> Option<()> {{\n{}Some(())\n}}", body(function))
            .expect("a string takes all");
        writeln!(
            rows,
            "Call {{ line: r####\"{line}\"####, of: r####\"{}\"####, call: call_{i} }},",
            function.of.as_deref().unwrap_or("")
        )
        .expect("a string takes all");
    }
    format!("{code}\n/// Every function that is called.\npub const CALLS: &[Call] = &[\n{rows}];\n")
}

/// The trait of an `impl Trait for Type`.
fn of_trait(function: &Function) -> Option<String> {
    let of = function.of.as_deref()?;
    let header = of.trim_start_matches("unsafe ").strip_prefix("impl")?;
    let header = if header.starts_with('<') { &header[close(header) + 1..] } else { header };
    let parts = split(header.trim(), " for ");
    (parts.len() > 1).then(|| parts[0].to_owned())
}

fn close(text: &str) -> usize {
    let mut depth = 0;
    let bytes = text.as_bytes();
    let is_end = |&at: &usize| {
        depth += i32::from(bytes[at] == b'<') - i32::from(bytes[at] == b'>' && bytes[at - 1] != b'-');
        depth == 0
    };
    (0..bytes.len()).find(is_end).unwrap_or(0)
}

fn body(function: &Function) -> String {
    let parameters = parameters(function);
    let owner = concrete(&function.owner, &function.owner, None, &parameters);
    let of_trait = of_trait(function).map(|of| concrete(&of, &owner, None, &parameters));
    let typed = |of: &str| concrete(of, &owner, of_trait.as_deref(), &parameters);
    if function.name == "fmt" {
        let name = of_trait.as_deref().and_then(|of| of.rsplit("::").next()).unwrap_or_default();
        let form = FORMATS.iter().find(|(known, _)| *known == name).map_or("{}", |(_, form)| form);
        return format!("let value = crate::draw::<{owner}>()?;\nlet _ = std::format!(\"{form}\", value);\n");
    }
    let mut code = String::new();
    let mut passed = Vec::new();
    for (i, of) in function.arguments.iter().enumerate() {
        let of = match of.as_str() {
            "self" => "Self".to_owned(),
            "&self" | "&'static self" => "&Self".to_owned(),
            "&mut self" => "&mut Self".to_owned(),
            of if of.starts_with("&'") && of.ends_with(" mut self") => "&mut Self".to_owned(),
            of if of.starts_with("&'") && of.ends_with(" self") => "&Self".to_owned(),
            of => of.to_owned(),
        };
        let (value, pass) = argument(&of, i, &typed);
        code += &value;
        passed.push(pass);
    }
    let callee = match &of_trait {
        Some(of) => format!("<{owner} as {of}>::{}", function.name),
        None if function.owner.contains('<') => format!("<{owner}>::{}", function.name),
        None => format!("{owner}::{}", function.name),
    };
    let own_constants = if function.generics.starts_with("const ") && passed.is_empty() { "::<1>" } else { "" };
    let call = format!("{callee}{own_constants}({})", passed.join(", "));
    if function.result.contains("Iterator<") {
        code + &format!("{call}.take(64).for_each(drop);\n")
    } else {
        code + &format!("let _ = {call};\n")
    }
}

/// The statement that draws argument `i`, and how it is passed.
fn argument(of: &str, i: usize, typed: &impl Fn(&str) -> String) -> (String, String) {
    if let Some(closure) = closure(of, typed) {
        return (String::new(), closure);
    }
    let of = match of.find("impl ") {
        Some(at) => {
            let (before, bounds) = of.split_at(at);
            format!("{before}{}", stand_in("", bounds, ""))
        }
        None => of.to_owned(),
    };
    let of = typed(&of);
    let named = of.starts_with("&'static");
    let leaked = of.strip_prefix('&').is_some_and(|of| of.trim_start_matches("mut ").starts_with('[') || of == "str");
    match of.strip_prefix('&') {
        Some(_) if named => (format!("let a{i} = crate::draw::<{of}>()?;\n"), format!("a{i}")),
        Some(inner) if leaked => (format!("let a{i} = crate::draw::<&'static {inner}>()?;\n"), format!("a{i}")),
        Some(inner) => match inner.strip_prefix("mut ") {
            Some(inner) => (format!("let mut a{i} = crate::draw::<{inner}>()?;\n"), format!("&mut a{i}")),
            None => (format!("let a{i} = crate::draw::<{inner}>()?;\n"), format!("&a{i}")),
        },
        None => (format!("let a{i} = crate::draw::<{of}>()?;\n"), format!("a{i}")),
    }
}

/// A closure for an `impl Fn(…) -> …`, which draws its result.
fn closure(of: &str, typed: &impl Fn(&str) -> String) -> Option<String> {
    let (_, signature) = of.strip_prefix("impl core::ops::function::Fn")?.split_once('(')?;
    let end = signature.rfind(") -> ").map_or(signature.rfind(')'), Some)?;
    let arguments: Vec<_> = split(&signature[..end], ",").into_iter().map(|of| format!("_: {}", typed(of))).collect();
    let result = signature[end..].strip_prefix(") -> ").map(typed);
    let body = result.map_or("()".into(), |of| format!("crate::draw_surely::<{of}>()"));
    Some(format!("|{}| {body}", arguments.join(", ")))
}
