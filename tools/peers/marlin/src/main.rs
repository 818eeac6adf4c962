//! RTL by marlin, the Rust model stepped beside it, their rows compared in every cycle.
//!
//! `peer-marlin FOLDER [ROWS CYCLES [--flip-input CYCLE] [--flip-expected CYCLE WORD]]`
//!
//! FOLDER: where marlin builds the RTL; alone, nothing else is done. ROWS: three words of straps, then the words of each cycle's
//! inputs. Exit code: 0 no difference, 1 one, 2 anything else.

mod arguments;

use arguments::{Arguments, CPL, Flip};
use lwp_model::lwp::Lwp;
use lwp_model::lwp::flat::{self, OUT_WORDS, STRAP_WORDS};
use marlin::verilator::{VerilatedModelConfig, VerilatorRuntime, VerilatorRuntimeOptions, VerilatorVersion, WideIn};
use marlin::verilog::prelude::*;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Words of a cycle's inputs: four lanes.
const IN_WORDS: usize = flat::in_words(4);
/// The unit's own ports are arrays of words, which marlin does not read; the bench for cocotb makes plain vectors of them.
const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../sim-harness/c-abi/examples/python/tb.sv");

#[verilog(src = "../../../sim-harness/c-abi/examples/python/tb.sv", name = "tb")]
struct Tb;

type Model = Lwp<4, 8, 31>;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("peer-marlin: {error}");
            // marlin wraps what Verilator and the compiler say.
            let mut cause = error.source();
            while let Some(error) = cause {
                eprintln!("{error}");
                cause = error.source();
            }
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let runtime = runtime(Path::new(&arguments.next().ok_or(arguments::USAGE)?))?;
    let mut rtl = runtime.create_model::<Tb<'_>>(&VerilatedModelConfig::default().verilator_optimization(3))?;
    if arguments.len() == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let given = Arguments::parse(arguments)?;
    let words = arguments::read_words(&given.rows)?;
    let (straps, rows) = words.split_at(STRAP_WORDS);
    let rows = rows.get(..given.cycles * IN_WORDS).ok_or("ROWS has fewer cycles")?;
    let mut model = Model::new(flat::unpack_straps(straps)?)?;
    power_up(&mut rtl, straps.try_into()?);

    let start = Instant::now();
    let differs = compare(&mut rtl, &mut model, rows, &given.flip);
    let seconds = start.elapsed().as_secs_f64();
    if let Some(cycle) = differs {
        tell(&rtl, &model);
        println!("peer: cycle {cycle} differs");
        return Ok(ExitCode::from(1));
    }
    println!("peer: {} cycles in {seconds:.9} s", given.cycles);
    Ok(ExitCode::SUCCESS)
}

fn runtime(folder: &Path) -> Result<VerilatorRuntime, Box<dyn Error>> {
    let rtl = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../rtl"));
    let list = std::fs::read_to_string(rtl.join("lwp/lwp.f"))?;
    let mut sources: Vec<PathBuf> = list.split_whitespace().map(|file| rtl.join(file)).collect();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/flat-image");
    let flat = Command::new(script).arg("lwp_w4").stderr(Stdio::inherit()).output()?;
    if !flat.status.success() {
        return Err(format!("{script}: {}", flat.status).into());
    }
    let flat = PathBuf::from(String::from_utf8(flat.stdout)?.trim());
    sources.extend(["lwp_flat.sv", "lwp_flat_packed.sv"].map(|file| flat.join(file)));
    sources.push(TOP.into());
    // The oldest that marlin promises to work with is 5.025; the wrapper makes up for what the project's lacks.
    let options = VerilatorRuntimeOptions::default()
        .verilator_executable(concat!(env!("CARGO_MANIFEST_DIR"), "/verilator").into())
        .allow_unsupported_verilator(Some(VerilatorVersion { major: 5, minor: 6 }));
    let nothing: [&Path; 0] = [];
    Ok(VerilatorRuntime::new2(folder, &sources, &nothing, [], options)?)
}

/// Straps are set and inputs are 0, which is reset.
fn power_up(rtl: &mut Tb<'_>, straps: [u32; STRAP_WORDS]) {
    rtl.straps_i = WideIn::new(straps);
    for clk in [0, 1] {
        rtl.clk_i = clk;
        rtl.eval();
    }
}

/// The cycle in which RTL and model differ.
fn compare(rtl: &mut Tb<'_>, model: &mut Model, rows: &[u32], flip: &Flip) -> Option<usize> {
    let mut expected = [0; OUT_WORDS];
    let (rows, _) = rows.as_chunks::<IN_WORDS>();
    for (cycle, row) in rows.iter().enumerate() {
        let mut seen = *row;
        if flip.input == Some(cycle) {
            seen[0] ^= CPL;
        }
        rtl.in_i = WideIn::new(seen);
        rtl.clk_i = 0;
        rtl.eval();
        flat::pack_expected(model.state(), model.config(), &mut expected);
        if let Some((at, word)) = flip.expected
            && at == cycle
        {
            expected[word] ^= 1;
        }
        if *rtl.out_o.value() != expected {
            return Some(cycle);
        }
        rtl.clk_i = 1;
        rtl.eval();
        match flat::unpack_inputs(row) {
            (inputs, true) => model.step(&inputs),
            (_, false) => model.reset(),
        }
    }
    None
}

/// The fields that differ, by name.
fn tell(rtl: &Tb<'_>, model: &Model) {
    let mut expected = [0; OUT_WORDS];
    flat::pack_expected(model.state(), model.config(), &mut expected);
    for field in flat::fields::FIELDS {
        let (model, unit) = (field.of(&expected), field.of(rtl.out_o.value()));
        if model != unit {
            eprintln!("{}: model {model:#x}, unit {unit:#x}", field.name);
        }
    }
}
