//! Writes what both languages derive from the table: a C++ file for each model, the C++ registry, the Rust enum, the types of the models.

use crate::failure::Failure;
use crate::units::{Build, Model, UNITS, Unit, builds};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The C++ file that instantiates the shim for one model.
pub(crate) fn model_source(model: &Model) -> String {
    let (name, class) = (model.name(), model.class());
    let traced = model.flavour == crate::units::Flavour::Traced;
    // Verilator's own function that computes all logic from registers and inputs, which it calls once, at the first evaluation.
    let settle = format!("{class}___024root___eval_settle");
    format!(
        "#include \"{class}.h\"\n#include \"{class}___024root.h\"\n#include \"exports.h\"\n\n\
         void {settle}({class}___024root*);\n\
         static void settle({class}& model) {{ {settle}(model.rootp); }}\n\
         extern \"C\" const ModelTable sim_{name} = exports<{class}, {traced}, settle>(\"{name}\");\n"
    )
}

/// The C++ file with the one symbol that Rust looks up. `models` holds each build fast, then traced.
pub(crate) fn registry_source(models: &[Model]) -> String {
    let mut text = String::from("#include \"table.h\"\n\n");
    let mut rows = String::new();
    for model in models {
        let name = model.name();
        let _ = writeln!(text, "extern \"C\" const ModelTable sim_{name};");
        let _ = writeln!(rows, "    &sim_{name},");
    }
    let _ = write!(
        text,
        "\nstatic const ModelTable* const models[] = {{\n{rows}}};\n\n\
         extern \"C\" const ModelTable* sim_model(size_t index) {{\n    \
         return index < {} ? models[index] : nullptr;\n}}\n",
        models.len()
    );
    text
}

/// The Rust enum of builds and their sizes, included by `src/rtl/build_id.rs`.
pub(crate) fn rust_source() -> String {
    let (mut variants, mut all, mut infos) = (String::new(), String::new(), String::new());
    for (unit, build) in UNITS.iter().flat_map(|unit| builds(unit).map(move |build| (unit, build))) {
        let variant = variant(unit, build);
        let sizes: Vec<_> = unit.parameters.iter().zip(build.values).collect();
        let text: Vec<_> = sizes.iter().map(|(name, value)| format!("`{name}` {value}")).collect();
        let _ = writeln!(variants, "    /// Unit `{}` with {}.\n    {variant},", unit.name, text.join(", "));
        let _ = write!(all, "BuildId::{variant}, ");
        infos.push_str(&info(unit, build, &sizes));
    }
    format!(
        "/// A unit in one choice of sizes, as `build/units.rs` lists them.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]\n\
         pub enum BuildId {{\n{variants}}}\n\n\
         const ALL: &[BuildId] = &[{all}];\n\nstatic INFOS: &[BuildInfo] = &[\n{infos}];\n\n{}\n{}",
        models_source(),
        macro_source()
    )
}

/// The list of units, included by `src/unit.rs`: each has a module of its name, with its entry.
pub(crate) fn units_source() -> String {
    let entries: Vec<_> = UNITS.iter().map(|unit| format!("&crate::{}::UNIT", unit.name)).collect();
    format!(
        "/// Every unit, in the order of `build/units.rs`. The first one is meant where none is named.\n\
         pub static UNITS: &[&Unit] = &[{}];\n",
        entries.join(", ")
    )
}

/// The model's type of each build, held to the rows that the build has.
fn models_source() -> String {
    let mut text = String::from("/// The model of each build.\npub mod models {\n");
    for (unit, build) in UNITS.iter().flat_map(|unit| builds(unit).map(move |build| (unit, build))) {
        let (variant, rows) = (variant(unit, build), &build.rows);
        let values: Vec<_> = build.values.iter().map(ToString::to_string).collect();
        let _ = write!(
            text,
            "    /// The model of `{}_{}`.\n    pub type {variant} = {}<{}>;\n    const _: () = {{\n        \
             use lwp_model::Unit;\n        assert!({variant}::STRAP_WORDS == {});\n        \
             assert!({variant}::INPUT_WORDS == {});\n        assert!({variant}::OUTPUT_WORDS == {});\n    }};\n",
            unit.name,
            build.name,
            unit.model,
            values.join(", "),
            rows.strap_words,
            rows.in_words,
            rows.out_words
        );
    }
    text + "}\n"
}

/// The macro that goes from a build to the type of its model.
fn macro_source() -> String {
    let (mut rules, mut all, mut names) = (String::new(), String::new(), Vec::new());
    for unit in UNITS {
        names.push(unit.name);
        let _ = writeln!(
            rules,
            "    ({}, $build:expr, |$unit:ident| $body:expr) => {{\n        match $build {{",
            unit.name
        );
        for variant in builds(unit).map(|build| variant(unit, build)) {
            let _ = writeln!(
                rules,
                "            $crate::rtl::BuildId::{variant} => {{\n                \
                 type $unit = $crate::rtl::models::{variant};\n                \
                 ::core::option::Option::Some($body)\n            }}"
            );
            let _ = writeln!(
                all,
                "            $crate::rtl::BuildId::{variant} => {{\n                \
                 type $unit = $crate::rtl::models::{variant};\n                $body\n            }}"
            );
        }
        rules.push_str("            _ => ::core::option::Option::None,\n        }\n    };\n");
    }
    format!(
        "/// Evaluates an expression with the type of a build's model: `with_build!(lwp, build, |U| U::new(straps))`.\n\
         ///\n/// `None` if the build is one of another unit. The expression is compiled once for each build of the unit.\n\
         ///\n/// `with_build!(any, build, |U| ...)` is the same for the builds of all units, and always has a value.\n\
         #[macro_export]\nmacro_rules! with_build {{\n    \
         (any, $build:expr, |$unit:ident| $body:expr) => {{\n        match $build {{\n{all}        }}\n    }};\n{rules}}}\n\n\
         /// Invokes a macro with the names of all units: `for_units!(list)` is `list! {{ a b c }}`.\n\
         #[macro_export]\nmacro_rules! for_units {{\n    ($then:ident) => {{ $then! {{ {} }} }};\n}}\n",
        names.join(" ")
    )
}

/// Its name in the enum.
fn variant(unit: &Unit, build: &Build) -> String {
    format!("{}{}", capitalised(unit.name), capitalised(build.name))
}

fn info(unit: &Unit, build: &Build, sizes: &[(&&str, &u32)]) -> String {
    format!(
        "    BuildInfo {{\n        name: \"{}_{}\",\n        unit: \"{}\",\n        parameters: &{sizes:?},\n        \
         file_list: {:?},\n        flat: {},\n        strap_words: {},\n        in_words: {},\n        out_words: {},\n    }},\n",
        unit.name,
        build.name,
        unit.name,
        unit.file_list,
        flat(unit, build),
        build.rows.strap_words,
        build.rows.in_words,
        build.rows.out_words
    )
}

/// The file of the flat image, in Rust: next to the folder of the fast model.
fn flat(unit: &Unit, build: &Build) -> String {
    format!("concat!(env!(\"OUT_DIR\"), \"/{}_{}_fast_flat.sv\")", unit.name, build.name)
}

fn capitalised(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

/// Writes `text` to `path`.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}
