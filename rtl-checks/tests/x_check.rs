//! What the registers hold at power-on does not matter: unknown under Icarus Verilog, random under Verilator.

use rtl_checks::{Bench, Built, Netlist, Sizes, Sources, Verilator, passed, word};
use tempfile::TempDir;

/// The sizes of the check in both simulators.
const SIZES: Sizes = Sizes { lanes: 2, slots: 4, latency: 20 };
/// Each seed has its own straps. Both values of the two bits that choose the manner of the reset.
const SEEDS: [u32; 4] = [1, 2, 3, 4];
const CYCLES: &str = "+cycles=700";

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

/// The unit itself under Verilator, beside one whose registers are spoilt before the reset.
fn verilated(folder: &TempDir, verilator: Verilator) -> Built {
    let sources = Sources::new().files(&["rtl-checks/x/registers.vlt"]).lists(&["lwp/lwp.f"]).unwrap().files(&[
        "sim-harness/rtl/lwp_flat.sv",
        "rtl-checks/x/x_tb.sv",
        "rtl-checks/x/x_stimulus.sv",
        "rtl-checks/x/x_scramble.cpp",
    ]);
    let options = ["--vpi", "-DSYNTHESIS", "--x-assign", "fast", "--x-initial", "fast"];
    let parameters = [("Lanes", SIZES.lanes), ("Slots", SIZES.slots), ("Latency", SIZES.latency)];
    let parameters = parameters.map(|(name, value)| format!("{name}={value}"));
    let bench =
        Bench { top: "x_tb", sources, parameters: &parameters.each_ref().map(String::as_str), options: &options };
    bench.build(verilator, folder.path()).unwrap()
}

/// Runs all seeds with unknown inputs before the reset and unknown payload after it; returns the hashes.
fn all_seeds_know_everything(sizes: Sizes) -> Vec<String> {
    let folder = folder();
    let netlist = Netlist::convert(sizes, folder.path()).unwrap();
    assert_eq!(netlist.without_reset(), 0, "a register without asynchronous reset");
    let bench = netlist.bench(None, folder.path()).unwrap();
    let mut heads = 0;
    let hashes = SEEDS.map(|seed| {
        let known = bench.run(&[&format!("+seed={seed}"), CYCLES]).unwrap();
        let unknown = bench.run(&[&format!("+seed={seed}"), CYCLES, "+xpayload"]).unwrap();
        assert_eq!(known, unknown, "what the contract calls ignored has an effect");
        heads += word(&known, "heads").unwrap().parse::<u32>().unwrap();
        word(&known, "hash").unwrap().to_owned()
    });
    assert!(heads > 20, "the stimulus publishes hardly a record");
    hashes.into()
}

#[test]
fn nothing_is_unknown_after_reset_in_the_smallest_unit() {
    all_seeds_know_everything(Sizes { lanes: 1, slots: 3, latency: 10 });
}

/// Also: RTL and netlist, Icarus and Verilator agree about every output and register in every cycle.
#[test]
fn nothing_is_unknown_after_reset_and_nothing_remembered() {
    let hashes = all_seeds_know_everything(SIZES);
    let folder = folder();
    let bench = verilated(&folder, Verilator::Oldest);
    for (seed, hash) in SEEDS.iter().zip(&hashes) {
        let output = bench.run(&[&format!("+seed={seed}"), CYCLES]).unwrap();
        assert_eq!(word(passed(&output).unwrap(), "hash").unwrap(), hash, "simulators differ: seed {seed}");
    }
    for seed in 100..120 {
        bench.run(&[&format!("+seed={seed}"), CYCLES]).unwrap();
    }
    // The check can fail, and every bit of every register is spoilt.
    let output = bench.must_fail(&["+seed=1", CYCLES, "+late"]).unwrap();
    assert!(output.contains("FAIL memory: seed 1, run 0, cycle 0"), "{output}");
    let netlist = Netlist::convert(SIZES, folder.path()).unwrap();
    let spoilt = output.lines().find_map(|line| line.split_once(" bits of registers")).unwrap().0;
    assert_eq!(spoilt.parse::<usize>().unwrap(), netlist.register_bits());
}

/// Takes the reset of one register after another away; RTL_CHECKS_EVERY=1 does so for every register.
#[test]
fn a_missing_reset_is_seen() {
    let every = std::env::var("RTL_CHECKS_EVERY").map_or(4, |text| text.parse().unwrap());
    let folder = folder();
    let netlist = Netlist::convert(SIZES, folder.path()).unwrap();
    for index in (0..netlist.registers()).step_by(every) {
        let bench = netlist.bench(Some(index), folder.path()).unwrap();
        let seen = bench.run(&["+seed=2", "+cycles=2", "+xpayload", "+cold"]);
        let message = seen.expect_err(&format!("register {index} has no reset and nobody sees it")).to_string();
        assert!(message.contains("FAIL X: seed 2"), "{message}");
    }
}
