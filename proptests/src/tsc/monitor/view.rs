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

/// What the unit shows in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// There is an answer.
    pub answered: bool,
    /// The result.
    pub result: RegResult,
    /// EDX:EAX.
    pub rdata: u64,
    /// ECX.
    pub aux: u64,
    /// What the last ticks left over.
    pub fraction: u64,
    /// The logical processors.
    pub processors: Vec<Registers>,
}

/// Where a row holds what is shown.
#[derive(Clone, Debug)]
pub struct View {
    ports: [Field; 5],
    processors: Vec<[Field; 3]>,
}

impl View {
    /// Of this size of the unit.
    ///
    /// # Panics
    ///
    /// If the unit has no such ports and registers.
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

    /// What this row shows.
    ///
    /// # Errors
    ///
    /// If the result has a code that is not used.
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
