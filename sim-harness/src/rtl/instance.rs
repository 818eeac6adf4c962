//! Running instance of Verilated RTL.

use super::build_id::{BuildId, Flavour};
use super::ffi::Instance;
use lwp_model::Unit;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Verilated RTL of one unit, from power-up on.
///
/// All registers hold 0 at power-up; the caller's inputs carry the reset. Inputs, outputs and straps are rows of 32-bit
/// words, as the unit's flat image lays them out. The outputs of a cycle are what the registers hold in that cycle, before
/// the clock edge that ends it; a reset that the cycle's inputs carry has already acted.
///
/// Instances are independent of each other and may be moved to other threads.
#[derive(Debug)]
pub struct Rtl {
    build: BuildId,
    flavour: Flavour,
    instance: Instance,
}

/// Cycle in which [`Rtl::replay`] stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Number of the cycle, from 0 at the first row of the call.
    pub cycle_in_batch: usize,
    /// Whether the outputs of this cycle differ from the expected row.
    pub differs: bool,
    /// Whether an assertion in the RTL failed (traced flavour only). A clocked assertion checks the cycle before, since it samples at the
    /// edge that begins this cycle. Only the first failure is reported; assertions are off afterwards.
    pub assertion_failed: bool,
    /// Outputs of the RTL in this cycle.
    pub actual: Vec<u32>,
}

impl Rtl {
    /// Returns an instance at power-up.
    ///
    /// # Panics
    /// If `straps` has another number of words than the unit's flat image.
    #[must_use]
    pub fn new(build: BuildId, flavour: Flavour, straps: &[u32]) -> Self {
        Rtl { build, flavour, instance: Instance::new(build, flavour, straps) }
    }

    /// Returns an instance of a build of the unit `U` at power-up.
    ///
    /// # Panics
    /// If the build is one of another unit or of other sizes.
    #[must_use]
    pub fn of<U: Unit>(build: BuildId, flavour: Flavour, straps: &U::Config) -> Self {
        let info = build.info();
        let sizes = (info.unit, info.in_words, info.out_words);
        assert_eq!(sizes, (U::NAME, U::INPUT_WORDS, U::OUTPUT_WORDS), "the build {}", info.name);
        Self::new(build, flavour, &strap_words::<U>(straps))
    }

    /// Returns the instance to power-up with these straps. This is much cheaper than a new instance.
    ///
    /// # Panics
    /// If `straps` has another number of words than the unit's flat image.
    pub fn power_up(&mut self, straps: &[u32]) {
        self.instance.power_up(straps);
    }

    /// Returns the instance to power-up with these straps, and begins a first cycle in which its registers have the values of `row`, a row of
    /// outputs and registers, and its inputs are `ins`. The next [`step`](Rtl::step) or [`replay`](Rtl::replay) is the second cycle. Returns
    /// whether the RTL then shows `row`: if not, these are no values that its registers can have.
    ///
    /// Assertions are off afterwards: they have registers that no row shows.
    ///
    /// # Panics
    /// If a row has another length than the build's.
    #[must_use]
    pub fn load(&mut self, straps: &[u32], row: &[u32], ins: &[u32]) -> bool {
        let fields = (crate::unit::Unit::of(self.build).capsule.fields)(self.build);
        let mut registers = vec![0; self.out_words()];
        for field in fields.iter().filter(|field| field.name.starts_with("state.")) {
            for bit in field.lsb..field.lsb + field.width {
                registers[field.word + bit as usize / 32] |= 1 << (bit % 32);
            }
        }
        let mut shown = vec![0; self.out_words()];
        self.instance.load(straps, &registers, row, ins, &mut shown);
        shown == row
    }

    /// Returns the build of this instance.
    #[must_use]
    pub fn build(&self) -> BuildId {
        self.build
    }

    /// Returns the flavour of this instance.
    #[must_use]
    pub fn flavour(&self) -> Flavour {
        self.flavour
    }

    /// Returns the number of 32-bit words of a cycle's inputs.
    #[must_use]
    pub fn in_words(&self) -> usize {
        self.build.info().in_words
    }

    /// Returns the number of 32-bit words of a cycle's outputs.
    #[must_use]
    pub fn out_words(&self) -> usize {
        self.build.info().out_words
    }

    /// Runs one cycle with the inputs `ins`; `out` receives the outputs of the cycle.
    ///
    /// # Panics
    /// If `ins` or `out` is not exactly one row.
    pub fn step(&mut self, ins: &[u32], out: &mut [u32]) {
        self.instance.step(ins, out);
    }

    /// Begins a cycle: the registers take their next values, and `out` receives the outputs of the new cycle. [`present`](Rtl::present)
    /// then sets its inputs. Both together are one [`step`](Rtl::step), for an environment whose inputs depend on the outputs of the same
    /// cycle.
    ///
    /// # Panics
    /// If `out` is not exactly one row.
    pub fn advance(&mut self, out: &mut [u32]) {
        self.instance.advance(out);
    }

    /// Sets the inputs of the cycle that [`advance`](Rtl::advance) has begun.
    ///
    /// # Panics
    /// If `ins` is not exactly one row.
    pub fn present(&mut self, ins: &[u32]) {
        self.instance.present(ins);
    }

    /// Replays rows of inputs, and discards the outputs.
    ///
    /// # Panics
    /// If `ins` is not a whole number of rows.
    pub fn run(&mut self, ins: &[u32]) {
        self.instance.run(ins);
    }

    /// Replays rows of inputs, and compares the outputs with the rows of `expected`.
    ///
    /// # Errors
    /// The first cycle whose outputs differ, or in which an assertion failed. That cycle has been run; the next row to replay is the one
    /// after it.
    ///
    /// # Panics
    /// If `ins` and `expected` are not the same whole number of rows.
    pub fn replay(&mut self, ins: &[u32], expected: &[u32]) -> Result<(), Divergence> {
        let row = self.out_words();
        // Once a batch, not once a cycle.
        let mut actual = vec![0; row];
        let Some(cycle) = self.instance.replay(ins, expected, &mut actual) else {
            return Ok(());
        };
        let differs = expected[cycle * row..][..row] != actual[..];
        let assertion_failed = self.instance.take_assertion();
        Err(Divergence { cycle_in_batch: cycle, differs, assertion_failed, actual })
    }

    /// Whether an assertion in the RTL failed in [`step`](Rtl::step) or [`run`](Rtl::run) (traced flavour only). Only the first failure is
    /// reported; assertions are off afterwards.
    #[must_use]
    pub fn take_assertion(&mut self) -> bool {
        self.instance.take_assertion()
    }

    /// Returns the name of the first assertion that failed since power-up. It ends with the label in the source, for example
    /// `u_assert.gen_records[0].gen_frozen[1].Frozen`.
    #[must_use]
    pub fn assertion_label(&mut self) -> Option<String> {
        assertion_label(&self.instance.messages())
    }

    /// Keeps what the RTL prints off the standard error output from now on. [`assertion_label`](Rtl::assertion_label) still reports failed
    /// assertions.
    pub fn mute(&mut self) {
        self.instance.mute(true);
    }

    /// Writes waves in the FST format from the next cycle on, to a new file. Time / 10 is the number of the cycle since
    /// power-up.
    ///
    /// # Errors
    /// If the file cannot be created, and always in the fast flavour.
    pub fn open_waves(&mut self, path: &Path) -> io::Result<()> {
        if self.flavour == Flavour::Fast {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "the fast flavour has no waves"));
        }
        // Verilator's own error handling is an assertion; ask the system first.
        File::create(path)?;
        let text = CString::new(path.as_os_str().as_bytes())?;
        if self.instance.open_waves(&text) {
            Ok(())
        } else {
            Err(io::Error::other(format!("{}: the wave file cannot be opened", path.display())))
        }
    }

    /// Completes the wave file. Dropping the instance does the same.
    pub fn close_waves(&mut self) {
        self.instance.close_waves();
    }
}

/// Returns the words of a unit's straps, as [`Rtl::new`] takes them.
#[must_use]
pub fn strap_words<U: Unit>(straps: &U::Config) -> Vec<u32> {
    let mut words = vec![0; U::STRAP_WORDS];
    U::pack_straps(straps, &mut words);
    words
}

/// Verilator says `[40] %Error: FILE:LINE: Assertion failed in TOP.replay_top.….gen_frozen__BRA__1__KET__.Frozen: …`.
fn assertion_label(messages: &str) -> Option<String> {
    let (_, rest) = messages.split_once("Assertion failed in ")?;
    let path = rest.split([':', '\n']).next()?.trim();
    let path = path.replace("__BRA__", "[").replace("__KET__", "]");
    // The top of the harness says nothing about the unit.
    let below = path.split('.').skip_while(|part| *part != "u_flat").skip(2).collect::<Vec<_>>().join(".");
    Some(if below.is_empty() { path } else { below })
}
