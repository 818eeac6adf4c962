//! Where the sources, the core and the model are.

use crate::failure::Failure;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of the core that this directory is made for: `IBEX` of tools/scripts/setup.
const CORE_VERSION: &str = "0.0.post2937";

/// Folders.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// The repository.
    pub(crate) root: PathBuf,
    /// Where everything is built.
    pub(crate) out: PathBuf,
    /// The SystemVerilog of the core.
    core: PathBuf,
    /// What `make model-c` fills.
    pub(crate) model: PathBuf,
}

impl Places {
    /// Finds the folders and checks that what is needed is there.
    pub(crate) fn find() -> Result<Self, Failure> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = root.canonicalize().map_err(Failure::at(&root))?;
        let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |target| root.join(target));
        let core = core(&root)?;
        let model = target.join("lwp-model-c");
        if !model.join("lib/liblwp_model.a").exists() {
            return Err(Failure::new(format!("no model in {}: run make model-c", model.display())));
        }
        let out = target.join("ibex");
        fs::create_dir_all(&out).map_err(Failure::at(&out))?;
        Ok(Self { root, out, core, model })
    }

    /// Writes the list of the core's files with their paths, and returns it.
    pub(crate) fn core_list(&self) -> Result<PathBuf, Failure> {
        let list = self.root.join("verify/ibex/rtl/core.f");
        let text = fs::read_to_string(&list).map_err(Failure::at(&list))?;
        let core = self.core.display();
        let lines = text.lines().map(|line| match line.strip_prefix("+incdir+") {
            Some(folder) => format!("+incdir+{core}/{folder}\n"),
            None if line.starts_with('+') => format!("{line}\n"),
            None => format!("{core}/{line}\n"),
        });
        let absolute = self.out.join("core.f");
        fs::write(&absolute, lines.collect::<String>()).map_err(Failure::at(&absolute))?;
        Ok(absolute)
    }

    /// Returns the files of lists below `rtl`: those of a unit and of its adapters.
    pub(crate) fn unit_files(&self, rtl: &Path, lists: [&str; 2]) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for list in lists {
            let list = rtl.join(list);
            let text = fs::read_to_string(&list).map_err(Failure::at(&list))?;
            files.extend(text.lines().map(|file| rtl.join(file)));
        }
        Ok(files)
    }

    /// Lets Verilator's makefile compile through ccache, if it is installed.
    pub(crate) fn cache(&self, command: &mut Command) {
        let path = env::var_os("PATH").unwrap_or_default();
        if env::split_paths(&path).any(|folder| folder.join("ccache").exists()) {
            command.env("OBJCACHE", "ccache").env("CCACHE_DIR", self.root.join("target/ccache"));
        }
    }
}

/// Finds the core in the environment that tools/scripts/setup made, or where IBEX_DIR says, and checks its version.
fn core(root: &Path) -> Result<PathBuf, Failure> {
    let again = "run tools/scripts/setup ibex";
    let package = match env::var_os("IBEX_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => installed(&root.join("target/tools/ibex-venv/lib"))
            .ok_or_else(|| Failure::new(format!("the core is not installed: {again}")))?,
    };
    let described = package.join("__init__.py");
    let text = fs::read_to_string(&described).map_err(|error| {
        Failure::new(format!(
            "{}: {error}; IBEX_DIR must name the folder pythondata_cpu_ibex; {again}",
            described.display()
        ))
    })?;
    let version =
        text.lines().find_map(|line| line.strip_prefix("version_str = ")).unwrap_or("unknown").trim_matches('"');
    if version != CORE_VERSION {
        return Err(Failure::new(format!(
            "{}: version {version} of the core, but file list and checks are made for {CORE_VERSION}: {again}",
            package.display()
        )));
    }
    Ok(package.join("system_verilog"))
}

fn installed(lib: &Path) -> Option<PathBuf> {
    let pythons = fs::read_dir(lib).ok()?;
    let mut packages = pythons.flatten().map(|python| python.path().join("site-packages/pythondata_cpu_ibex"));
    packages.find(|package| package.exists())
}
