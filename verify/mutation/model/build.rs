//! Lists the builds of all units, from the harness's table. A unit with short ways has a folder here.

#[path = "../../../sim-harness/build/units.rs"]
#[allow(dead_code, reason = "the harness reads more of the list")]
mod units;

/// What the list asks of each build, and this program does not need.
mod flat {
    #[derive(Clone, Copy)]
    pub(crate) struct Rows;

    impl Rows {
        #[allow(clippy::extra_unused_type_parameters, reason = "the list names them")]
        pub(crate) const fn of<U>() -> Self {
            Self
        }
    }
}

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../../sim-harness/build/units.rs");
    println!("cargo::rerun-if-changed=src");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("builds.rs"), list()).expect("the output folder can be written");
}

/// The builds that are recorded: all but those of the feature `all-sizes`.
fn list() -> String {
    let mut text = String::from("/// Every build that is recorded.\nconst BUILDS: &[Build] = &[\n");
    for unit in units::UNITS {
        let has_short_ways = Path::new("src").join(unit.name).is_dir();
        for build in unit.builds.iter().filter(|build| !build.extra) {
            let sizes = build.values.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            let short =
                if has_short_ways { format!("crate::{}::ShortWays<{sizes}>", unit.name) } else { "NoShortWays".into() };
            let _ = writeln!(
                text,
                "    Build {{ unit: {:?}, sizes: &[{sizes}], play: play::<{}<{sizes}>, {short}> }},",
                unit.name, unit.model
            );
        }
    }
    text + "];\n"
}
