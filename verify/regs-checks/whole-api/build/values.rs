//! How a value of each public type is drawn: from its bits, as a variant, field by field, or by what makes one.

use crate::generics::{concrete, parameters, stand_in};
use crate::parse::{Api, Function, Type, split};
use std::fmt::Write as _;

/// Whether another entry is the same type at the path that is its own: `drivers` and `rules` only name types again, and
/// of the others the longer path does.
fn is_named_again(api: &Api, ty: &Type) -> bool {
    let last = |path: &str| path.rsplit("::").next().map(str::to_owned);
    let functions = |path: &str| api.functions.iter().filter(|function| function.owner == path).count();
    let rank = |ty: &Type| (functions(&ty.path), usize::MAX - ty.path.len());
    api.types.iter().any(|other| {
        other.path != ty.path
            && last(&other.path) == last(&ty.path)
            && other.members == ty.members
            && other.rest == ty.rest
            && (functions(&other.path) == 0 || functions(&ty.path) == 0)
            && rank(other) > rank(ty)
    })
}

/// The `impl Draw` of every public type that `src/values.rs` does not have and the list tells how to make.
pub(crate) fn draws(api: &Api, by_hand: &str, except: &[&str], panics: &[&str]) -> String {
    let mut code = String::new();
    for ty in &api.types {
        let path = &ty.path;
        let (of, parameters) =
            ty.rest.strip_prefix('<').map_or(("", ""), |rest| rest.split_once('>').unwrap_or_default());
        let name = path.rsplit("::").next().unwrap_or_default();
        let is_by_hand = [" =", "<"].iter().any(|after| by_hand.contains(&format!("] {name}{after}")));
        let is_exempt = except.iter().any(|what| path.starts_with(what));
        if is_by_hand
            || is_exempt
            || of.contains(':')
            || !parameters.is_empty() && !of.is_empty()
            || is_named_again(api, ty)
        {
            continue;
        }
        let of = split(of, ",");
        let bounds: Vec<_> =
            of.iter().filter(|of| !of.starts_with('\'')).map(|of| format!("{of}: crate::Draw")).collect();
        let names: Vec<_> = of.iter().map(|of| if of.starts_with('\'') { "'static" } else { *of }).collect();
        let (bounds, names) = (format!("<{}>", bounds.join(", ")), format!("<{}>", names.join(", ")));
        let (bounds, names) = if of.is_empty() { ("", "") } else { (bounds.as_str(), names.as_str()) };
        if ty.members.iter().any(|member| member.contains("volatile_register::")) {
            continue; // memory that is only pointed at
        }
        let ways = ways(api, ty, panics);
        if ways.is_empty() {
            continue; // a call that needs one does not compile
        }
        let count = ways.len();
        let arms: String = ways.iter().enumerate().map(|(i, way)| format!("{i} => {way},\n")).collect();
        write!(
            code,
            "impl{bounds} crate::Draw for {path}{names} {{\nfn draw() -> Option<Self> {{\nlet _deep = crate::Deep::enter()?;\n\
             match crate::below({count}) {{\n{arms}_ => None,\n}}\n}}\n}}\n"
        )
        .expect("a string takes everything");
    }
    code
}

/// Expressions of type `Option<the type>`.
fn ways(api: &Api, ty: &Type, panics: &[&str]) -> Vec<String> {
    let own = || api.functions.iter().filter(|function| function.owner == ty.path && !function.is_unsafe);
    if own().any(|function| function.name == "from_bits_retain") {
        return vec!["crate::draw().map(Self::from_bits_retain)".into()];
    }
    if own().any(|function| function.name == "from_bits" && function.result == "Self" && function.arguments.len() == 1)
    {
        return vec!["crate::draw().map(Self::from_bits)".into()];
    }
    if ty.kind == "enum" {
        return variants(ty);
    }
    let constants = api.constants.iter().filter(|constant| {
        constant
            .strip_prefix(&ty.path)
            .and_then(|rest| rest.strip_prefix("::"))
            .is_some_and(|name| !name.contains("::"))
    });
    let constants = constants.map(|constant| format!("Some({constant})"));
    let made = if ty.rest.starts_with('<') { Vec::new() } else { factories(api, ty, panics) };

    let fields: Vec<_> = ty.members.iter().filter_map(|member| member.split_once(": ")).collect();
    if !fields.is_empty() && !ty.is_open && (made.is_empty() || ty.rest.starts_with('<')) {
        let all: String =
            fields.iter().map(|(name, of)| format!("{name}: crate::draw::<{}>()?, ", typed(of, &ty.path))).collect();
        return vec![format!("(|| Some(Self {{ {all} }}))()")];
    }
    if let Some(of) = ty.rest.strip_prefix("(pub ").and_then(|rest| rest.strip_suffix(')')) {
        return vec![format!("crate::draw::<{}>().map(Self)", typed(of, &ty.path))];
    }
    // What is made, with fields changed if they are public.
    let change: String = fields
        .iter()
        .map(|(name, of)| {
            format!(
                "if crate::below(2) == 0 {{ if let Some(new) = crate::draw::<{}>() {{ value.{name} = new; }} }}\n",
                typed(of, &ty.path)
            )
        })
        .collect();
    constants.chain(made).map(|way| format!("{way}.map(|mut value: Self| {{ {change} value }})")).collect()
}

fn typed(of: &str, owner: &str) -> String {
    concrete(of, owner, None, &[])
}

fn variants(ty: &Type) -> Vec<String> {
    let mut ways = Vec::new();
    for member in &ty.members {
        let name = member.split([' ', '(', ':']).next().unwrap_or_default();
        if name.is_empty() || member.contains("::") && !member.contains('(') {
            continue; // a field of a variant
        }
        let fields: Vec<_> = ty
            .members
            .iter()
            .filter_map(|field| field.strip_prefix(&format!("{name}::"))?.split_once(": "))
            .map(|(field, of)| format!("{field}: crate::draw::<{}>()?", typed(of, &ty.path)))
            .collect();
        let payload = member.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
        let of =
            |payload| split(payload, ",").into_iter().map(|of| format!("crate::draw::<{}>()?", typed(of, &ty.path)));
        ways.push(match payload {
            Some(payload) => format!("(|| Some(Self::{name}({})))()", of(payload).collect::<Vec<_>>().join(", ")),
            None if fields.is_empty() => format!("Some(Self::{name})"),
            None => format!("(|| Some(Self::{name} {{ {} }}))()", fields.join(", ")),
        });
    }
    ways
}

/// Calls of the functions that return the type and never panic.
fn factories(api: &Api, ty: &Type, panics: &[&str]) -> Vec<String> {
    let path = &ty.path;
    let sure = |function: &&Function| !panics.iter().any(|what| function.line.contains(what));
    api.functions.iter().filter(sure).filter_map(|function| factory(function, path)).collect()
}

fn factory(function: &Function, path: &str) -> Option<String> {
    let is_trait = function.of.as_deref().is_some_and(|of| of.contains(" for ") || of.contains("trait "));
    let is_default = function.name == "default";
    let plain = !function.owner.contains('<') && !function.is_unsafe && (!is_trait || is_default);
    let own = function.owner == path;
    let is = |text: &str| text == path || own && text == "Self";
    let inner = function.result.strip_prefix("core::option::Option<").and_then(|rest| rest.strip_suffix('>'));
    let result = function.result.strip_prefix("core::result::Result<").map(|rest| split(rest, ",")[0]);
    let takes_itself = function.arguments.iter().any(|of| of.contains("self") && own || of.contains(path));
    if !plain || takes_itself || function.arguments.iter().any(|of| of.contains("impl core::ops::")) {
        return None;
    }
    let end = match (inner, result) {
        _ if is(&function.result) => "",
        (Some(inner), _) if is(inner) => "?",
        (_, Some(result)) if is(result) => ".ok()?",
        _ => return None,
    };
    let parameters = parameters(function);
    let arguments: Vec<_> = function.arguments.iter().map(|of| argument(of, &function.owner, &parameters)).collect();
    let owner = if is_default { format!("<{} as Default>", function.owner) } else { function.owner.clone() };
    Some(format!("(|| Some({owner}::{}({}){end}))()", function.name, arguments.join(", ")))
}

/// An expression that draws an argument, and leaves the caller if it cannot.
fn argument(of: &str, owner: &str, parameters: &[(String, String)]) -> String {
    let of = match of {
        "self" => "Self".to_owned(),
        "&self" => "&Self".to_owned(),
        "&mut self" => "&mut Self".to_owned(),
        of => of.find("impl ").map_or(of.to_owned(), |at| format!("{}{}", &of[..at], stand_in("", &of[at..], ""))),
    };
    let of = concrete(&of, owner, None, parameters);
    match of.strip_prefix('&') {
        Some(of) if !of.starts_with("'static") && of != "str" && !of.starts_with('[') => {
            match of.strip_prefix("mut ") {
                Some(of) => format!("&mut crate::draw::<{of}>()?"),
                None => format!("&crate::draw::<{of}>()?"),
            }
        }
        Some(of) if !of.starts_with("'static") => format!("crate::draw::<&'static {of}>()?"),
        _ => format!("crate::draw::<{of}>()?"),
    }
}
