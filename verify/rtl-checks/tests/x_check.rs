//! What the registers hold at power-on does not matter: unknown under Icarus Verilog, random under Verilator.

use rtl_checks::{Bench, Built, Netlist, Sizes, Sources, Verilator, every, passed, seeds, with_seed, word};
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
fn verilated(sources: Sources, folder: &TempDir) -> Built {
    let options = ["--vpi", "-DSYNTHESIS", "--x-assign", "fast", "--x-initial", "fast"];
    let parameters = [("Lanes", SIZES.lanes), ("Slots", SIZES.slots), ("Latency", SIZES.latency)];
    let parameters = parameters.map(|(name, value)| format!("{name}={value}"));
    let bench =
        Bench { top: "x_tb", sources, parameters: &parameters.each_ref().map(String::as_str), options: &options };
    bench.build(Verilator::Oldest, folder.path()).unwrap()
}

fn sources(folder: &TempDir) -> Sources {
    let unit = Sources::new().files(&["verify/rtl-checks/x/registers.vlt"]).lists(&["lwp/lwp.f"]).unwrap();
    unit.flat("lwp_w2", folder.path()).unwrap().files(&[
        "verify/rtl-checks/x/x_tb.sv",
        "verify/rtl-checks/x/x_stimulus.sv",
        "verify/rtl-checks/x/x_scramble.cpp",
    ])
}

/// Runs all seeds with unknown inputs before the reset and unknown payload after it; returns the hashes.
fn all_seeds_know_everything(netlist: &Netlist, folder: &TempDir) -> Vec<(u32, String)> {
    assert_eq!(netlist.without_reset(), 0, "a register without asynchronous reset");
    let bench = netlist.bench(None, folder.path()).unwrap();
    let mut heads = 0;
    let tried = seeds(SEEDS);
    let hashes = tried.iter().map(|&seed| {
        let known = with_seed(&bench, seed, &[CYCLES]).unwrap();
        let unknown = with_seed(&bench, seed, &[CYCLES, "+xpayload"]).unwrap();
        assert_eq!(known, unknown, "what the contract calls ignored has an effect");
        heads += word(&known, "heads").unwrap().parse::<u32>().unwrap();
        (seed, word(&known, "hash").unwrap().to_owned())
    });
    let hashes = hashes.collect();
    assert!(heads > 20 || tried.len() == 1, "the stimulus publishes hardly a record");
    hashes
}

#[test]
fn nothing_is_unknown_after_reset_in_the_smallest_unit() {
    let folder = folder();
    let netlist = Netlist::convert(Sizes { lanes: 1, slots: 3, latency: 10 }, folder.path()).unwrap();
    all_seeds_know_everything(&netlist, &folder);
}

/// What `make test` leaves out.
mod ci {
    use super::*;

    /// Takes the reset of one register after another away; RTL_CHECKS_EVERY=1 does so for every register.
    #[test]
    fn a_missing_reset_is_seen() {
        let folder = folder();
        let netlist = Netlist::convert(SIZES, folder.path()).unwrap();
        for index in (0..netlist.registers()).step_by(every(4)) {
            let bench = netlist.bench(Some(index), folder.path()).unwrap();
            let seen = bench.run(&["+seed=2", "+cycles=2", "+xpayload", "+cold"]);
            let what = netlist.register(index);
            let message = seen.expect_err(&format!("nobody sees that this has no reset: {what}")).to_string();
            assert!(message.contains("FAIL X: seed 2, run 0, cycle 0"), "{what}: {message}");
        }
    }
}

/// What only `make nightly` runs.
mod nightly {
    use super::*;

    /// Also: RTL and netlist, Icarus and Verilator agree about every output and register in every cycle.
    #[test]
    fn nothing_is_unknown_after_reset_and_nothing_remembered() {
        let folder = folder();
        let netlist = Netlist::convert(SIZES, folder.path()).unwrap();
        let hashes = all_seeds_know_everything(&netlist, &folder);
        let bench = verilated(sources(&folder), &folder);
        for (seed, hash) in hashes {
            let output = with_seed(&bench, seed, &[CYCLES]).unwrap();
            assert_eq!(word(passed(&output).unwrap(), "hash").unwrap(), hash, "simulators differ: seed {seed}");
        }
        for seed in seeds(100..120) {
            with_seed(&bench, seed, &[CYCLES]).unwrap();
        }
        // The check can fail, and every bit of every register is spoilt.
        let output = bench.must_fail(&["+seed=1", CYCLES, "+late"]).unwrap();
        assert!(output.contains("FAIL memory: seed 1, run 0, cycle 0"), "{output}");
        let spoilt = output.lines().find_map(|line| line.split_once(" bits of registers")).unwrap().0;
        assert_eq!(spoilt.parse::<usize>().unwrap(), netlist.register_bits());
    }

    /// A register that the reset forgets keeps its random power-on value, and the two units differ from the first cycle on.
    #[test]
    fn a_register_that_remembers_is_seen() {
        let (text, other) = (
            "always_ff @(posedge clk_i or negedge rst_ni) begin\n    if (!rst_ni) begin\n      lfsr_q <= '0;\n    end else begin",
            "always_ff @(posedge clk_i) begin\n    if (rst_ni) begin",
        );
        let folder = folder();
        let broken = sources(&folder).broken("lwp_lfsr.sv", text, other, folder.path()).unwrap();
        let output = verilated(broken, &folder).must_fail(&["+seed=1", CYCLES]).unwrap();
        assert!(
            output.contains("FAIL memory: seed 1, run 0, cycle 0") && output.contains("word 30 of the outputs"),
            "{output}"
        );
    }
}
