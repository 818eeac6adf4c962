//! Names the shared library as programs look for it when they start: with the version of the ABI. Lists the builds of all units.

#[path = "../build/units.rs"]
#[allow(dead_code, reason = "the harness reads more of the list")]
mod units;

/// What the list asks of each build, and this library does not need.
mod flat {
    #[derive(Clone, Copy)]
    pub(crate) struct Rows;

    impl Rows {
        pub(crate) const fn of<U: lwp_model::Unit>() -> Self {
            let _ = U::INPUT_WORDS;
            Self
        }
    }
}

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../build/units.rs");
    println!("cargo::rerun-if-changed=src");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        // The number is `abi::ABI_VERSION`; a test compares them.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,liblwp_model.so.1");
    }
    let out = env::var("OUT_DIR").expect("cargo sets it");
    let write = |name, text| fs::write(Path::new(&out).join(name), text).expect("the output folder can be written");
    write("builds.rs", list());
    write("for_builds.rs", for_builds());
}

/// Every build of every unit. A unit with a folder here has structs, and makes its models itself.
fn list() -> String {
    let mut text = String::from(
        "/// Every build of every unit, in the order of the list.\npub(crate) const BUILDS: &[Build] = &[\n",
    );
    for unit in units::UNITS {
        let folder = if Path::new("src").join(unit.name).is_dir() { unit.name } else { "unit" };
        for build in unit.builds {
            let sizes: Vec<String> = build.values.iter().map(u32::to_string).collect();
            let model = format!("{}<{}>", unit.model, sizes.join(", "));
            let parameters: Vec<_> = unit.parameters.iter().zip(build.values).collect();
            let _ = writeln!(
                text,
                "    Build {{\n        unit: {:?},\n        name: {:?},\n        values: &{:?},\n        parameters: &{parameters:?},\n        \
                 words: words::<{model}>(),\n        make: crate::{folder}::make::<{model}>,\n    }},",
                unit.name, build.name, build.values
            );
        }
    }
    text + "];\n"
}

/// A macro for tests: invokes another one with each build and its type.
fn for_builds() -> String {
    let mut text = String::from("macro_rules! for_builds {\n    ($run:ident) => {\n");
    for unit in units::UNITS {
        for build in unit.builds {
            let sizes: Vec<String> = build.values.iter().map(u32::to_string).collect();
            let _ = writeln!(
                text,
                "        $run!({:?}, {:?}, {}<{}>);",
                unit.name,
                build.name,
                unit.model,
                sizes.join(", ")
            );
        }
    }
    text + "    };\n}\n"
}
