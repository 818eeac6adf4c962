//! Compiles C++ into static libraries: one for each model, one for Verilator's runtime, one for the registry.

use crate::failure::Failure;
use crate::registry;
use crate::sources::Sources;
use crate::stamp::{Stamp, cpp_files, words};
use crate::units::{Flavour, Model};
use crate::verilator::Verilator;
use std::path::{Path, PathBuf};

/// Everything the compiler runs have in common.
pub(crate) struct Compiler<'a> {
    pub out: &'a Path,
    pub sources: &'a Sources,
    pub verilator: &'a Verilator,
}

impl Compiler<'_> {
    /// Translates and compiles one model into `lib<name>.a`.
    pub(crate) fn model(&self, model: &Model) -> Result<(), Failure> {
        let name = model.name();
        let folder = self.out.join(&name);
        self.verilator.translate(model, self.sources, &folder)?;
        registry::write(&folder.join("exports.cpp"), &registry::model_source(model))?;
        let files = cpp_files(&folder, &["cpp"])?;
        // Verilator puts what runs once (constructors, first evaluation, trace declarations) into files of their own.
        let (cold, hot): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| is_cold(file));
        let (hot, cold) = (bundle(&folder, "hot", &hot)?, bundle(&folder, "cold", &cold)?);
        let (hot_level, cold_level) = match model.flavour {
            Flavour::Fast => ("3", "0"),
            Flavour::Traced => ("1", "0"),
        };
        let files = [(hot_level, vec![hot]), (cold_level, vec![cold])];
        self.library(&name, &files, Some(&folder), Some(model.flavour))
    }

    /// Compiles Verilator's runtime, the FST writer included.
    pub(crate) fn runtime(&self) -> Result<(), Failure> {
        let file = |name: &str| self.verilator.include.join(name);
        let hot = vec![file("verilated.cpp"), file("verilated_threads.cpp")];
        let waves = vec![file("verilated_fst_c.cpp"), file("verilated_save.cpp")];
        self.library("verilated", &[("2", hot), ("1", waves)], None, None)
    }

    /// Compiles the list of all models.
    pub(crate) fn registry(&self, models: &[Model]) -> Result<(), Failure> {
        let folder = self.out.join("registry");
        std::fs::create_dir_all(&folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
        let file = folder.join("registry.cpp");
        registry::write(&file, &registry::registry_source(models))?;
        self.library("sim_registry", &[("1", vec![file])], Some(&folder), None)
    }

    /// One static library from files with their optimisation levels, unless it is up to date.
    fn library(
        &self,
        name: &str,
        files: &[(&str, Vec<PathBuf>)],
        folder: Option<&Path>,
        flavour: Option<Flavour>,
    ) -> Result<(), Failure> {
        let failed = |error: cc::Error| Failure::new(format!("The C++ of {name} does not compile:\n{error}"));
        let shim = self.sources.cpp();
        let folders: Vec<&Path> = folder.into_iter().chain([shim.as_path()]).collect();
        let mut archive = self.settings("1", &folders, flavour);
        let compilers: Vec<_> = files.iter().map(|(level, _)| self.settings(level, &folders, flavour)).collect();
        let mut settings = vec![format!("{:?}", self.verilator.version)];
        for compiler in &compilers {
            settings.extend(words(&compiler.try_get_compiler().map_err(failed)?.to_command()));
        }
        let stamp = Stamp::of(&self.out.join(format!("lib{name}.a")), &folders, &settings)?;
        if stamp.is_current()? {
            return Ok(());
        }
        for (mut compiler, (_, files)) in compilers.into_iter().zip(files) {
            archive.objects(compiler.files(files).try_compile_intermediates().map_err(failed)?);
        }
        archive.try_compile(name).map_err(failed)?;
        stamp.write()
    }

    /// No `-march`: the libraries run on every x86-64, and it gained nothing measurable.
    fn settings(&self, level: &str, folders: &[&Path], flavour: Option<Flavour>) -> cc::Build {
        let traced = if flavour == Some(Flavour::Fast) { "0" } else { "1" };
        let mut build = cc::Build::new();
        build
            .cpp(true)
            .std("gnu++17")
            .opt_level_str(level)
            .debug(false)
            .warnings(false)
            .cargo_metadata(false)
            .out_dir(self.out)
            .include(&self.verilator.include)
            .include(self.verilator.include.join("vltstd"))
            .includes(folders)
            .define("VM_COVERAGE", "0")
            .define("VM_SC", "0")
            .define("VM_TRACE", traced)
            .define("VM_TRACE_FST", traced)
            .define("VM_TRACE_VCD", "0")
            // Time comes from the context of each instance, not from a global function.
            .define("VL_TIME_CONTEXT", None)
            .define("NDEBUG", None);
        build.flag("-include").flag(self.sources.cpp().join("messages.h"));
        build
    }
}

/// Writes a file that includes these files of a model: a dozen small ones take twice as long, since each reads Verilator's headers anew.
fn bundle(folder: &Path, name: &str, files: &[PathBuf]) -> Result<PathBuf, Failure> {
    let bundles = folder.join("bundles");
    std::fs::create_dir_all(&bundles).map_err(|error| Failure::new(format!("{}: {error}", bundles.display())))?;
    let names = files.iter().filter_map(|file| file.file_name()?.to_str());
    let text: String = names.map(|name| format!("#include \"../{name}\"\n")).collect();
    let file = bundles.join(format!("{name}.cpp"));
    registry::write(&file, &text)?;
    Ok(file)
}

fn is_cold(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    ["__Slow", "__Syms", "__ConstPool"].iter().any(|part| name.contains(part))
}

/// Tells cargo what to link, users before what they use.
pub(crate) fn link(out: &Path, models: &[Model], verilator: &Verilator) {
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-lib=static=sim_registry");
    for model in models {
        println!("cargo::rustc-link-lib=static={}", model.name());
    }
    println!("cargo::rustc-link-lib=static=verilated");
    // Newer versions bring an FST writer that takes its LZ4 from the system.
    if verilator.include.join("fstcpp").is_dir() {
        println!("cargo::rustc-link-lib=lz4");
    }
    for library in ["z", "stdc++", "pthread"] {
        println!("cargo::rustc-link-lib={library}");
    }
}
