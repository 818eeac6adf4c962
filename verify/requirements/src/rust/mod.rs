//! One Rust file: its comments, tests, modules and items, from its syntax tree.

mod cfg;
mod comments;
mod items;
mod rules;
mod walk;

use crate::layers::Layers;
use proc_macro2::TokenStream;
use std::collections::BTreeSet;

/// A file as the compiler would read it.
#[derive(Debug)]
pub(crate) struct RustFile {
    pub layers: Layers,
    pub tests: Vec<TestFn>,
    /// Modules in files of their own.
    pub modules: Vec<Module>,
    /// Where a property of the file fails.
    pub rules: Vec<Rule>,
    /// Items by their path inside the file, with fields, variants and methods.
    pub items: BTreeSet<String>,
    /// Why nothing of the file is compiled, if so.
    pub off: Option<String>,
}

/// A function with `#[test]`.
#[derive(Debug)]
pub(crate) struct TestFn {
    /// The modules inside the file, and the name.
    pub path: Vec<String>,
    /// With its attributes and documentation.
    pub first_line: usize,
    pub last_line: usize,
    /// Why the test does not run, if so.
    pub off: Option<String>,
}

/// A place that fails if what it says does not hold.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The function around it.
    pub function: String,
    pub first_line: usize,
    pub last_line: usize,
}

/// `mod name;`
#[derive(Debug)]
pub(crate) struct Module {
    /// The modules inside the file around it.
    pub inside: Vec<String>,
    pub name: String,
    /// `#[path = "..."]`
    pub file: Option<String>,
    /// Why the module is not compiled, if so.
    pub off: Option<String>,
}

/// Line and reason why it is no Rust.
pub(crate) type SyntaxError = (usize, String);

/// Reads a file.
pub(crate) fn parse(source: &str) -> Result<RustFile, SyntaxError> {
    let tokens: TokenStream =
        source.parse().map_err(|error: proc_macro2::LexError| (error.span().start().line, error.to_string()))?;
    let layers = Layers::new(source, &comments::ranges(source, &tokens));
    let rules = rules::find(&tokens);
    let file: syn::File =
        syn::parse2(tokens).map_err(|error: syn::Error| (error.span().start().line, error.to_string()))?;
    let off = cfg::off(&file.attrs);
    let mut walk = walk::Walk { inside: Vec::new(), off: off.clone(), tests: Vec::new(), modules: Vec::new() };
    walk.items(&file.items);
    let items = items::names(&file.items);
    Ok(RustFile { layers, tests: walk.tests, modules: walk.modules, rules, items, off })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn only_tests_that_run_are_tests() {
        let source = r##"
            #[test] fn runs() {}
            // #[test] fn commented_out() {}
            #[test] #[ignore = "slow"] fn ignored() {}
            #[cfg(feature = "more")] #[test] fn configured_out() {}
            #[cfg(any())] mod out { #[test] fn inside() {} }
            #[cfg(test)] mod tests { #[test] fn within() {} }
            #[cfg_attr(all(), ignore)] #[test] fn perhaps_ignored() {}
            #[cfg(all(test, not(miri)))] mod perhaps { #[test] fn unknown() {} }
            macro_rules! make { () => { #[test] fn in_a_macro() {} } }
            fn text() -> &'static str { "#[test] fn in_a_string() {}" }
            proptest! {
                #![proptest_config(Config::default())]
                /// Documentation.
                #[test] fn drawn(x in 0..3) { }
                #[test] #[ignore] fn drawn_ignored(x in 0..3, y: u8) { }
                fn helper(x in 0..3) { }
            }
            fn helper() {}
        "##;
        let file = parse(source).unwrap();
        let named = |running: bool| -> Vec<String> {
            file.tests.iter().filter(|test| test.off.is_none() == running).map(|test| test.path.join("::")).collect()
        };
        assert_eq!(named(true), ["runs", "tests::within", "drawn"]);
        let off = ["ignored", "configured_out", "out::inside", "perhaps_ignored", "perhaps::unknown", "drawn_ignored"];
        assert_eq!(named(false), off);
        assert!(parse("#![cfg(windows)] #[test] fn f() {}").unwrap().tests[0].off.is_some());
        assert_eq!(parse("fn f() {}\nfn (").unwrap_err().0, 2);
    }

    #[test]
    fn comments_are_those_of_the_lexer() {
        let source = "//! Inner\nlet_it!(\"// text\"); // after\n/// Outer\nfn f() { /* in */ g('\"') }\n// end";
        let comments = parse(source).unwrap().layers.comments.replace(';', "");
        let words: Vec<_> = comments.split_whitespace().collect();
        assert_eq!(words, ["Inner", "after", "Outer", "in", "*/", "end"]);
    }

    #[test]
    fn items_have_paths() {
        let source = "pub struct S { pub field: u8 } enum E { V } trait T { fn provided(&self); }
            impl S { const C: u8 = 1; fn method(&self) {} } impl T for S { fn provided(&self) {} }
            mod m { pub type A = u8; } #[cfg(windows)] fn gone() {} macro_rules! mine { () => {} }";
        let items: Vec<_> = parse(source).unwrap().items.into_iter().collect();
        let expected =
            ["E", "E::V", "S", "S::C", "S::field", "S::method", "S::provided", "T", "T::provided", "m", "m::A", "mine"];
        assert_eq!(items, expected);
    }
}
