//! The model, with straps and inputs at random.

use super::super::plain::{In, L2, L3, Op, Out, Straps};
use super::super::{Coverage, outputs, ports};
use super::random::{Random, SMALL, Shows, Sizes, run, straps};
use lwp_model::Unit;
use lwp_model::rdt::{Config, Inputs, Outputs, Rdt, Scope, Select, Vendor};
use lwp_model::retire::{IntKind, RegOp};

fn config(straps: &Straps) -> Config {
    let [l3, l2] = straps.levels;
    let delays = straps.delays;
    Config {
        line: straps.line as u8,
        l3_sets: l3.sets.ilog2() as u8,
        l3_ways: l3.ways as u8,
        l2: l2.sets > 0,
        l2_sets: l2.sets.max(1).ilog2() as u8,
        l2_ways: l2.ways as u8,
        vendor: if straps.amd { Vendor::Amd } else { Vendor::Intel },
        sparse: straps.sparse,
        events: straps.events as u8,
        max_rmid: straps.max_rmid as u8,
        l3_max_rmid: straps.monitored as u8,
        width: straps.width as u8,
        scale: straps.scale as u8,
        start: straps.start,
        write_backs: straps.write_backs,
        select: if straps.package { Select::Package } else { Select::Thread },
        settle: straps.settle as u8,
        l3_cat: l3.masks,
        l3_cdp: l3.cdp,
        l3_cos: l3.highest as u8,
        l2_cat: l2.masks,
        l2_cdp: l2.cdp,
        l2_cos: l2.highest as u8,
        mba: delays.is_some(),
        mba_cos: delays.map_or(0, |delays| delays.highest as u8),
        mba_max: delays.map_or(0, |delays| delays.most as u16),
        mba_linear: delays.is_some_and(|delays| delays.linear),
        mba_scope: if delays.is_some_and(|delays| delays.core) { Scope::Core } else { Scope::Thread },
        mba_period: delays.map_or(0, |delays| delays.period as u8),
    }
}

fn inputs<const LPS: usize>(input: &In, random: &mut Random) -> Inputs<LPS> {
    let mut inputs = Inputs::<LPS> { show: random.below(4096) as u16, ..Inputs::default() };
    for (to, from) in inputs.lp.iter_mut().zip(&input.lp) {
        (to.req_valid, to.req_write, to.req_code, to.req_addr) = (from.valid, from.write, from.code, from.addr);
        (to.int_valid, to.int_kind) = (input.smi, IntKind::Smi);
    }
    (inputs.mem.mem_gnt, inputs.mem.mem_local, inputs.mem.mem_rvalid) = (input.gnt, input.local, input.rvalid);
    (inputs.power.l3_power, inputs.power.l2_power) = (input.power[L3] as u8, input.power[L2] as u8);
    inputs.qm_unavailable = input.unavailable;
    if let Some(ask) = input.ask {
        inputs.mode.cpl = ask.level;
        inputs.reg.valid = true;
        inputs.reg.lp = ask.lp as u8 + LPS as u8 * random.below(2) as u8;
        inputs.reg.number = ask.number;
        (inputs.reg.op, inputs.reg.wdata) = match ask.op {
            Op::Read => (RegOp::Rdmsr, random.below(u64::MAX)),
            Op::Write(value) => (RegOp::Wrmsr, value),
            Op::Other => (RegOp::Rdpmc, random.below(u64::MAX)),
        };
    }
    inputs
}

/// The build `s8w4`.
pub(super) type Small = Rdt<2, 8, 4, 4, 2, 4, 4>;

/// A model, which is given the inputs that `wires` makes of those that are shown.
pub(super) struct Model<U, const LPS: usize> {
    unit: U,
    random: Random,
    wires: fn(&mut Inputs<LPS>),
}

impl<U, const LPS: usize> Shows for Model<U, LPS>
where
    U: Unit<Config = Config, Inputs = Inputs<LPS>, Outputs = Outputs<LPS>>,
{
    fn out(&self) -> Out {
        let mut row = vec![0; U::OUTPUT_WORDS];
        U::pack_expected(self.unit.state(), self.unit.config(), &mut row);
        assert_eq!(outputs::<U, LPS>(&row), Ok(self.unit.outputs()), "the row shows the same");
        ports::out(&self.unit.outputs())
    }

    fn step(&mut self, input: &In) {
        let mut inputs = inputs::<LPS>(input, &mut self.random);
        assert_eq!(ports::input(&inputs), *input);
        (self.wires)(&mut inputs);
        self.unit.step(&inputs);
    }

    fn reset(&mut self) {
        self.unit.reset();
    }
}

/// Runs a model that has the straps which `wrong` makes of those that the checker is told. `None` if they are not legal.
pub(super) fn play<U, const LPS: usize>(
    sizes: &Sizes,
    (seed, cycles): (u64, u64),
    wrong: fn(&mut Config),
    wires: fn(&mut Inputs<LPS>),
) -> Option<Result<Coverage, String>>
where
    U: Unit<Config = Config, Inputs = Inputs<LPS>, Outputs = Outputs<LPS>>,
{
    let straps = straps(&mut Random::new(seed), sizes);
    let mut config = config(&straps);
    assert_eq!(ports::straps(&config, LPS), straps);
    assert!(U::validate(&config).is_ok(), "{straps:?}");
    wrong(&mut config);
    let unit = U::new(config).ok()?;
    let mut model = Model::<U, LPS> { unit, random: Random::new(seed + 5), wires };
    Some(run(&mut model, seed, &straps, cycles).map_err(|text| format!("{text}\n{straps:?}")))
}

fn many<U, const LPS: usize>(sizes: &Sizes, runs: u64)
where
    U: Unit<Config = Config, Inputs = Inputs<LPS>, Outputs = Outputs<LPS>>,
{
    let mut total = Coverage::default();
    let mut wrong = Vec::new();
    for seed in 0..runs {
        match play::<U, LPS>(sizes, (seed, 4000), |_| (), |_| ()).unwrap() {
            Ok(seen) => total += seen,
            Err(text) => wrong.push(text),
        }
    }
    println!("{total:#?}");
    for (what, count) in total.list() {
        assert!(count > 0 || ["unjudged", "lost"].contains(&what), "no {what}");
    }
    assert!(total.unjudged * 100 < total.fills, "too many states");
    for text in wrong.iter().take(12) {
        println!("seed: {text}");
    }
    assert!(wrong.is_empty(), "{} of {runs} runs", wrong.len());
}

#[test]
fn the_small_model() {
    many::<Small, 2>(&SMALL, 100);
}

#[test]
fn the_large_model() {
    let sizes = Sizes { processors: 4, sets: [64, 16], ways: [16, 8], rmids: 16, classes: 8 };
    many::<Rdt<4, 64, 16, 16, 8, 16, 8>, 4>(&sizes, 20);
}

/// Returns the small model with these straps.
pub(super) fn small(straps: &Straps) -> Model<Small, 2> {
    let unit = <Small as Unit>::new(config(straps)).unwrap();
    Model { unit, random: Random::new(7), wires: |_| () }
}
