//! Bugs that are planted in a copy of the RTL, and what must find each of them.

use crate::build::{Build, Core, Places};
use crate::debug;
use crate::failure::Failure;
use crate::image::Program;
use crate::perf;
use crate::run;
use crate::say::say;
use crate::variants::Variant;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What finds a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finder {
    /// The checker, which compares records with RVFI.
    Checker,
    /// The model in lockstep.
    Lockstep,
    /// An assertion of the adapters, with these words.
    Assertion(&'static str),
}

/// A change of one place of the RTL.
#[derive(Debug)]
pub(crate) struct Plant {
    pub(crate) name: &'static str,
    pub(crate) file: &'static str,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) finders: &'static [Finder],
}

/// What a run with a bug came to.
pub(crate) struct Found {
    /// Differences that the checker found.
    pub(crate) differences: u64,
    /// The first of them.
    pub(crate) text: Option<String>,
    /// What the simulation printed, if it was ended by the model or an assertion.
    pub(crate) stopped: Option<String>,
}

const TOP: &str = "verify/ibex/rtl/ibex_machine.sv";
const ADAPTER: &str = "rtl/adapters/lwp_retire_rvfi.sv";

static PLANTS: [Plant; 8] = [
    Plant {
        name: "miss-without-load",
        file: TOP,
        from: "rvfi_valid && load && rvfi_mem_addr[21]",
        to: "rvfi_valid && rvfi_mem_addr[21]",
        finders: &[Finder::Assertion("miss_i without a load on RVFI")],
    },
    Plant {
        name: "mode-not-connected",
        file: TOP,
        from: ".rvfi_mode_i      (rvfi_mode)",
        to: ".rvfi_mode_i      (2'd0)",
        finders: &[Finder::Assertion("connect rvfi_mode"), Finder::Checker],
    },
    Plant { name: "latency", file: TOP, from: "31'(FarWait) + 31'd1", to: "31'(FarWait)", finders: &[Finder::Checker] },
    Plant {
        name: "target",
        file: ADAPTER,
        from: "branch_next:       64'(rvfi_pc_wdata_i[l])",
        to: "branch_next:       64'(rvfi_pc_rdata_i[l])",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "trap-retires",
        file: ADAPTER,
        from: "rvfi_valid_i[l] && !rvfi_trap_i[l]",
        to: "rvfi_valid_i[l]",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "bytes",
        file: "rtl/adapters/lwp_mem_reqgnt.sv",
        from: "high_q ? wdata_q[63:32] : wdata_q[31:0]",
        to: "wdata_q[31:0]",
        finders: &[Finder::Checker],
    },
    Plant {
        name: "interval",
        file: "rtl/lwp/lwp_event.sv",
        from: "counter_d = (interval_q & reload_keep_i) | reload_bits_i;",
        to: "counter_d = ((interval_q & reload_keep_i) | reload_bits_i) + CounterW'(1);",
        finders: &[Finder::Lockstep, Finder::Checker],
    },
    Plant {
        name: "head",
        file: "rtl/lwp/lwp_store.sv",
        from: "wdata = 64'(next_head_i);",
        to: "wdata = 64'(head_i);",
        finders: &[Finder::Lockstep, Finder::Checker],
    },
];

/// Returns the bugs of all machines.
fn all() -> impl Iterator<Item = &'static Plant> {
    PLANTS.iter().chain(&debug::PLANTS).chain(&perf::PLANTS)
}

/// Prints the names of the bugs.
pub(crate) fn print() {
    say!("bugs");
    for plant in all() {
        say!("  {:20} {}", plant.name, plant.file);
    }
}

/// Returns the bugs with this name; `all`: all of them.
pub(crate) fn named(name: &str) -> Result<Vec<&'static Plant>, Failure> {
    let chosen: Vec<_> = all().filter(|plant| name == "all" || plant.name == name).collect();
    if chosen.is_empty() {
        let names = all().map(|plant| plant.name).collect::<Vec<_>>().join(", ");
        return Err(Failure::new(format!("no bug {name}; there are: {names}, all")));
    }
    Ok(chosen)
}

/// Plants bugs, and requires that each is found.
pub(crate) fn check(places: &Places, program: &Program, plants: &[&Plant]) -> Result<ExitCode, Failure> {
    let mut missed = 0;
    for plant in plants {
        for &finder in plant.finders {
            let outcome = if debug::PLANTS.iter().any(|other| other.name == plant.name) {
                debug::plant(plant, places, finder)?
            } else if perf::PLANTS.iter().any(|other| other.name == plant.name) {
                perf::plant(plant, places, finder)?
            } else {
                plant.run(places, program, finder)?
            };
            let found = finder.found(&outcome);
            missed += u32::from(!found);
            let words = outcome.stopped.as_ref().or(outcome.text.as_ref()).map_or("nothing", String::as_str);
            let line = words.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            say!("{:20} {:10} {} {line}", plant.name, finder.name(), if found { "found: " } else { "NOT FOUND: " });
        }
    }
    Ok(ExitCode::from(u8::from(missed != 0)))
}

impl Finder {
    fn name(self) -> &'static str {
        match self {
            Self::Checker => "checker",
            Self::Lockstep => "lockstep",
            Self::Assertion(_) => "assertion",
        }
    }

    fn found(self, outcome: &Found) -> bool {
        let stopped = |words: &str| outcome.stopped.as_ref().is_some_and(|text| text.contains(words));
        match self {
            Self::Checker => outcome.differences != 0,
            Self::Lockstep => stopped("lwp_model_check: the unit differs from the model"),
            Self::Assertion(words) => stopped(words),
        }
    }
}

impl Plant {
    /// Runs the program on a machine with the bug, in which only `finder` can find it.
    fn run(&self, places: &Places, program: &Program, finder: Finder) -> Result<Found, Failure> {
        let copy = self.copy(places, "rtl/lwp")?;
        let checks = finder != Finder::Checker;
        let build = Build { core: Core::Usual, unit: true, checks, copy: Some((self.name.to_owned(), copy)) };
        let variant = Variant { name: "plant", build, intervals: [200, 100, 50], ..Variant::main(1) };
        let machine = variant.build.make(places)?;
        let run::Outcome { totals, stopped, .. } = run::variant(&machine, program, &variant)?;
        Ok(Found { differences: totals.differences, text: totals.texts.into_iter().next(), stopped })
    }

    /// Copies the RTL of a unit, of the adapters and of the machine, changes it, and returns the folder.
    pub(crate) fn copy(&self, places: &Places, unit: &str) -> Result<PathBuf, Failure> {
        let copy = places.out.join("plants").join(self.name);
        if copy.exists() {
            fs::remove_dir_all(&copy).map_err(Failure::at(&copy))?;
        }
        for folder in [unit, "rtl/retire", "rtl/adapters", "verify/ibex/rtl"] {
            copy_files(&places.root.join(folder), &copy.join(folder))?;
        }
        let file = copy.join(self.file);
        let text = fs::read_to_string(&file).map_err(Failure::at(&file))?;
        if text.matches(self.from).count() != 1 {
            return Err(Failure::new(format!("{}: {:?} is not there once: renew src/plants.rs", self.file, self.from)));
        }
        fs::write(&file, text.replace(self.from, self.to)).map_err(Failure::at(&file))?;
        Ok(copy)
    }
}

fn copy_files(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to).map_err(Failure::at(to))?;
    for file in fs::read_dir(from).map_err(Failure::at(from))?.flatten() {
        if file.path().is_file() {
            fs::copy(file.path(), to.join(file.file_name())).map_err(Failure::at(&file.path()))?;
        }
    }
    Ok(())
}
