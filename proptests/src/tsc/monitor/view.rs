//! Ports and registers by name, from a row of words.

use lwp_model::Unit;
use lwp_model::flat::{Field, Place};
use lwp_model::retire::RegResult;

/// The registers of a logical processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The time-stamp counter.
    pub counter: u64,
    /// `IA32_TSC_ADJUST`.
    pub adjust: u64,
    /// `IA32_TSC_AUX`.
    pub aux: u64,
}

/// The ports and registers of the unit in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Whether a result is valid.
    pub answered: bool,
    /// The result.
    pub result: RegResult,
    /// The value in EDX:EAX.
    pub rdata: u64,
    /// The value in ECX.
    pub aux: u64,
    /// The fraction of a tick that the last ticks left over.
    pub fraction: u64,
    /// The logical processors.
    pub processors: Vec<Registers>,
}

/// The positions of the ports and registers in a row.
#[derive(Clone, Debug)]
pub struct View {
    ports: [Field; 5],
    processors: Vec<[Field; 3]>,
}

impl View {
    /// Returns the view for this size of the unit.
    ///
    /// # Panics
    ///
    /// Panics if the unit has no such ports and registers.
    #[must_use]
    pub fn of<U: Unit>() -> Self {
        let find = |name: &str| U::OUTPUT_FIELDS.iter().find(|field| field.name == name).copied();
        let port = |name: &str| find(name).unwrap_or_else(|| panic!("the unit shows no {name}"));
        let processor = |number: usize| {
            let of = |register: &str| find(&format!("state.processors[{number}].{register}"));
            Some([of("counter")?, of("adjust")?, of("aux")?])
        };
        let ports = ["reg_done", "reg_result", "reg_rdata", "reg_aux", "state.rate.fraction"].map(port);
        let processors: Vec<_> = (0..).map_while(processor).collect();
        assert!(!processors.is_empty(), "the unit shows no processor");
        Self { ports, processors }
    }

    /// Returns the ports and registers in this row.
    ///
    /// # Errors
    ///
    /// Fails if the result has a code that is not used.
    pub fn shown(&self, row: &[u32]) -> Result<Shown, String> {
        let [done, result, rdata, aux, fraction] = self.ports.map(|field| field.of(row));
        let processors = self.processors.iter().map(|fields| {
            let [counter, adjust, aux] = fields.map(|field| field.of(row));
            Registers { counter, adjust, aux }
        });
        Ok(Shown {
            answered: done != 0,
            result: RegResult::from_bits(result).ok_or_else(|| format!("reg_result is {result}, which is not used"))?,
            rdata,
            aux,
            fraction,
            processors: processors.collect(),
        })
    }
}
