//! Where the sources are, and what makes cargo build again.

use crate::failure::Failure;
use crate::units::{UNITS, Unit};
use std::env;
use std::path::{Path, PathBuf};

/// Names another copy of the folder `rtl/`: seeded bugs, another core's integration.
const RTL_FOLDER: &str = "LWP_RTL_DIR";

/// The folders that hold SystemVerilog and C++.
pub(crate) struct Sources {
    krate: PathBuf,
    rtl: PathBuf,
}

impl Sources {
    /// Checks that every file of the table exists, and registers all of them with cargo.
    pub(crate) fn find(krate: &Path) -> Result<Self, Failure> {
        println!("cargo::rerun-if-env-changed={RTL_FOLDER}");
        let rtl = match env::var_os(RTL_FOLDER) {
            // cargo runs build scripts in the package's folder; a relative path means the caller's, which is unknown.
            Some(folder) if Path::new(&folder).is_relative() => {
                return Err(Failure::new(format!("{RTL_FOLDER} must be an absolute path.")));
            }
            Some(folder) => PathBuf::from(folder),
            None => krate.join("../rtl"),
        };
        let sources = Sources { krate: krate.to_owned(), rtl };
        for unit in UNITS {
            let file = sources.file_list(unit);
            if !file.is_file() {
                return Err(Failure::new(format!(
                    "The RTL of unit `{}` is incomplete: {} is missing.\n\
                     The environment variable {RTL_FOLDER} may name another copy of the folder `rtl`.",
                    unit.name,
                    file.display()
                )));
            }
        }
        sources.watch();
        Ok(sources)
    }

    pub(crate) fn krate(&self) -> &Path {
        &self.krate
    }

    pub(crate) fn rtl(&self) -> &Path {
        &self.rtl
    }

    /// The list of the unit's files.
    pub(crate) fn file_list(&self, unit: &Unit) -> PathBuf {
        self.rtl.join(unit.file_list)
    }

    pub(crate) fn replay_top(&self) -> PathBuf {
        self.cpp().join("replay_top.sv")
    }

    /// The folder of the shim.
    pub(crate) fn cpp(&self) -> PathBuf {
        self.krate.join("cpp")
    }

    /// Folders are watched with everything in them, so that a new file is seen too.
    fn watch(&self) {
        let own = ["build.rs", "build", "cpp"].map(|name| self.krate.join(name));
        for path in own.iter().chain([&self.rtl]) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
}
