//! Compiles the program, and makes images with other parameters of it.

use crate::build::{Build, Core, Places};
use crate::failure::Failure;
use crate::variants::Variant;
use ibex::Setup;
use ibex::record::BYTES;
use object::read::elf::ElfFile32;
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, SymbolKind};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const COMPILER: &str = "riscv64-unknown-elf-gcc";
/// CSR instructions belong to the base in version 2.2 of the specification, for which Debian has the libraries.
const FLAGS: &str = "-march=rv32imc -mabi=ilp32 -misa-spec=2.2 -mcmodel=medany --specs=picolibc.specs -nostartfiles -O2 -g -Wall \
                     -Wextra -Werror -Wl,--no-warn-rwx-segments";
/// Where memory begins.
const MEMORY: u32 = 0x0010_0000;
/// The far memory, and the latency of its loads: FarWait of ibex_machine.sv, and the response.
const FAR: std::ops::Range<u32> = 0x0020_0000..0x0030_0000;
const FAR_LATENCY: u32 = 9;
/// Offset of the vector of the external interrupt.
const EXTERNAL: u32 = 4 * 11;

/// The compiled program.
#[derive(Debug)]
pub(crate) struct Program {
    words: Vec<u32>,
    symbols: Vec<(u32, String)>,
    folder: PathBuf,
}

impl Program {
    /// Compiles the program with the kernel of LWP.
    pub(crate) fn compile(places: &Places) -> Result<Self, Failure> {
        Self::compile_with(places, None)
    }

    /// Compiles the program with the kernel of another unit: the files of this folder in place of `kernel.c`.
    pub(crate) fn compile_with(places: &Places, unit: Option<&str>) -> Result<Self, Failure> {
        let sources = places.root.join("verify/ibex/program");
        let elf = places.out.join(format!("program{}.elf", unit.map(|unit| format!("-{unit}")).unwrap_or_default()));
        let listed = |folder: PathBuf| {
            let files = fs::read_dir(&folder).map_err(Failure::at(&folder))?.flatten().map(|file| file.path());
            let source =
                |file: &PathBuf| file.extension().is_some_and(|extension| extension == "c" || extension == "S");
            Ok::<_, Failure>(files.filter(source).collect::<Vec<_>>())
        };
        let mut files = listed(sources.clone())?;
        if let Some(unit) = unit {
            files.retain(|file| !file.ends_with("kernel.c"));
            files.extend(listed(sources.join(unit))?);
        }
        files.sort();
        let mut command = Command::new(COMPILER);
        command.args(FLAGS.split_whitespace()).arg("-I").arg(&sources).arg("-T").arg(sources.join("link.ld"));
        command.args(unit.map(|unit| format!("-D{}_UNIT", unit.to_uppercase())));
        command.args(&files).arg("-o").arg(&elf);
        let output = command
            .output()
            .map_err(|error| Failure::new(format!("{COMPILER}: {error}; run tools/scripts/setup ibex")))?;
        if !output.status.success() {
            return Err(Failure::new(format!("{COMPILER} failed:\n{}", String::from_utf8_lossy(&output.stderr))));
        }
        Self::read(&elf, &places.out)
    }

    fn read(elf: &Path, folder: &Path) -> Result<Self, Failure> {
        let data = fs::read(elf).map_err(Failure::at(elf))?;
        let file: ElfFile32<'_> =
            ElfFile32::parse(&*data).map_err(|error| Failure::new(format!("{}: {error}", elf.display())))?;
        let mut words = Vec::new();
        for segment in file.segments() {
            let place = (segment.address() as u32).wrapping_sub(MEMORY) as usize / 4;
            let bytes = segment.data().map_err(|error| Failure::new(format!("{}: {error}", elf.display())))?;
            let end = place + bytes.len().div_ceil(4);
            if !bytes.is_empty() && words.len() < end {
                words.resize(end, 0);
            }
            for (index, chunk) in bytes.chunks(4).enumerate() {
                let mut word = [0; 4];
                word[..chunk.len()].copy_from_slice(chunk);
                words[place + index] = u32::from_le_bytes(word);
            }
        }
        let code: Vec<_> =
            file.sections().filter(|section| section.name() == Ok(".text")).map(|section| section.index()).collect();
        let named = |symbol: &object::read::elf::ElfSymbol32<'_, '_>| {
            let wanted = symbol.kind() != SymbolKind::Section && symbol.section_index().is_some();
            let name = symbol.name().ok().filter(|name| wanted && !name.is_empty() && !name.starts_with('$'))?;
            let function = symbol.section_index().is_some_and(|index| code.contains(&index));
            Some((symbol.address() as u32, name.to_owned(), function))
        };
        let mut symbols: Vec<_> = file.symbols().filter_map(|symbol| named(&symbol)).collect();
        symbols.sort_by(|a, b| (a.0, b.2).cmp(&(b.0, a.2)).then(b.1.cmp(&a.1)));
        let symbols = symbols.into_iter().map(|(address, name, _)| (address, name)).collect();
        Ok(Self { words, symbols, folder: folder.to_owned() })
    }

    /// Returns the address of a symbol.
    pub(crate) fn address(&self, name: &str) -> Result<u32, Failure> {
        let found = self.symbols.iter().find(|symbol| symbol.1 == name);
        found.map(|symbol| symbol.0).ok_or_else(|| Failure::new(format!("the program has no symbol {name}")))
    }

    /// Returns the function at an address.
    pub(crate) fn function(&self, address: u32) -> &str {
        let end = self.symbols.partition_point(|symbol| symbol.0 <= address);
        self.symbols[..end].last().map_or("?", |symbol| symbol.1.as_str())
    }

    /// Writes the image of a variant, and returns its file.
    pub(crate) fn image(&self, variant: &Variant) -> Result<PathBuf, Failure> {
        let [instructions, branches, misses] = variant.intervals;
        let user_mode = u32::from(variant.build.core != Core::Small);
        let values = [
            instructions,
            branches,
            misses,
            variant.threshold,
            variant.ring,
            variant.rounds,
            variant.parts,
            user_mode,
            u32::from(variant.build.unit),
        ];
        self.image_with(variant.name, &[("parameters", &values)])
    }

    /// Writes an image in which these symbols have these words, and returns its file.
    pub(crate) fn image_with(&self, name: &str, symbols: &[(&str, &[u32])]) -> Result<PathBuf, Failure> {
        let mut words = self.words.clone();
        for (symbol, values) in symbols {
            let place = (self.address(symbol)? - MEMORY) as usize / 4;
            words[place..place + values.len()].copy_from_slice(values);
        }
        let text = words.iter().fold(String::new(), |mut text, word| {
            let _ = writeln!(text, "{word:08x}");
            text
        });
        let file = self.folder.join(format!("{name}.hex"));
        fs::write(&file, text).map_err(Failure::at(&file))?;
        Ok(file)
    }

    /// Returns what the checker needs to know of a variant.
    pub(crate) fn setup(&self, variant: &Variant) -> Result<Setup, Failure> {
        let Build { core, .. } = variant.build;
        Ok(Setup {
            block: self.address("block")?,
            ring: self.address("ring")?,
            ring_bytes: variant.ring * BYTES,
            threshold: variant.threshold * BYTES,
            intervals: variant.intervals,
            far: FAR,
            latency: FAR_LATENCY,
            handler: self.address("vectors")? + EXTERNAL,
            user_mode: core != Core::Small,
        })
    }
}
