//! Every build of every unit, by its name and in rows of words, is the model.

use lwp_model::Unit;
use lwp_model_c::LwpModel;
use lwp_model_c::api::{self, ABI_VERSION, BuildInfo, FieldInfo, RowKind};
use std::ffi::{CStr, CString};
use std::ptr;

// `for_builds!(run)`: `run!(unit, build, type)` for each build of the list.
include!(concat!(env!("OUT_DIR"), "/for_builds.rs"));

// Miri takes a thousand times as long and looks at every access.
const CYCLES: usize = if cfg!(miri) { 8 } else { 3000 };

fn text() -> String {
    // SAFETY: the text of this thread, before another failure.
    unsafe { CStr::from_ptr(api::lwp_model_last_error()) }.to_str().unwrap().to_owned()
}

/// The text of a name in a struct.
fn name(bytes: &[u8]) -> &str {
    CStr::from_bytes_until_nul(bytes).unwrap().to_str().unwrap()
}

fn listed() -> Vec<BuildInfo> {
    let mut all = Vec::new();
    loop {
        // SAFETY: integers alone; room for a build.
        let (mut info, size) = (unsafe { std::mem::zeroed::<BuildInfo>() }, size_of::<BuildInfo>());
        // SAFETY: room for a build.
        match unsafe { api::lwp_model_build(all.len() as u32, &raw mut info, size) } {
            0 => all.push(info),
            status => {
                assert_eq!(
                    (status, text()),
                    (6, format!("lwp_model_build: there are {} builds, from 0 on", all.len()))
                );
                return all;
            }
        }
    }
}

fn new(unit: &str, build: &str, straps: Option<&[u32]>) -> Result<*mut LwpModel, (i32, String)> {
    let (unit, build) = (CString::new(unit).unwrap(), CString::new(build).unwrap());
    let (pointer, words) = straps.map_or((ptr::null(), 0), |straps| (straps.as_ptr(), straps.len() as u32));
    let mut model = ptr::null_mut();
    // SAFETY: texts, a row of its size, room for a handle.
    let status =
        unsafe { api::lwp_model_new_unit(unit.as_ptr(), build.as_ptr(), pointer, words, ABI_VERSION, &raw mut model) };
    if status == 0 { Ok(model) } else { Err((status, text())) }
}

/// Fields of a row.
fn fields(model: *mut LwpModel, kind: RowKind) -> Vec<(String, usize, u32, u32)> {
    let mut all = Vec::new();
    loop {
        // SAFETY: integers alone.
        let (mut field, size) = (unsafe { std::mem::zeroed::<FieldInfo>() }, size_of::<FieldInfo>());
        // SAFETY: a model, and room for a field.
        match unsafe { api::lwp_model_field(model, kind as u32, all.len() as u32, &raw mut field, size) } {
            0 => all.push((name(&field.name).to_owned(), field.word as usize, field.lsb, field.width)),
            status => {
                assert_eq!(status, 8);
                assert!(text().starts_with("lwp_model_field: index is"), "{}", text());
                return all;
            }
        }
    }
}

struct Random(u64);

impl Random {
    fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }
}

/// Any words are inputs: words carry what wires carry. One cycle in a thousand is a reset.
fn compare<U: Unit>(unit: &str, build: &str) {
    let straps = U::Config::default();
    let mut native = U::new(straps.clone()).unwrap();
    let mut words = vec![0; U::STRAP_WORDS];
    U::pack_straps(&straps, &mut words);
    let models = [new(unit, build, Some(&words)).unwrap(), new(unit, build, None).unwrap()];
    for (kind, own) in
        [(RowKind::Straps, U::STRAP_FIELDS), (RowKind::Inputs, U::INPUT_FIELDS), (RowKind::Shown, U::OUTPUT_FIELDS)]
    {
        let own: Vec<_> = own.iter().map(|field| (field.name.to_owned(), field.word, field.lsb, field.width)).collect();
        assert_eq!(fields(models[0], kind), own);
    }
    let mut random = Random(2007);
    let (mut row, mut shown, mut expected) =
        (vec![0; U::INPUT_WORDS], vec![0; U::OUTPUT_WORDS], vec![0; U::OUTPUT_WORDS]);
    let mut changed = 0;
    for cycle in 0..CYCLES {
        row.fill_with(|| random.word() & random.word());
        row[0] = row[0] & !1 | u32::from(cycle % 1000 != 17);
        match U::unpack_inputs(&row) {
            (inputs, true) => native.step(&inputs),
            (_, false) => Unit::reset(&mut native),
        }
        let before = expected.clone();
        U::pack_expected(native.state(), &straps, &mut expected);
        changed += usize::from(before != expected);
        for model in models {
            // SAFETY: a model, and a row of its size.
            assert_eq!(unsafe { api::lwp_model_step_words(model, row.as_ptr(), row.len() as u32) }, 0, "{}", text());
            // SAFETY: a model, and room for a row.
            let status = unsafe { api::lwp_model_probe(model, shown.as_mut_ptr(), shown.len() as u32) };
            assert_eq!((status, &shown), (0, &expected), "{unit} {build}, cycle {cycle}");
            // SAFETY: a model, and a row of its size.
            assert_eq!(unsafe { api::lwp_model_check(model, expected.as_ptr(), expected.len() as u32) }, 0);
        }
    }
    assert!(changed > CYCLES / 3, "{unit} {build}: {changed} changes of {CYCLES} cycles");
    for model in models {
        // SAFETY: a model, not used any more.
        assert_eq!(unsafe { api::lwp_model_free(model) }, 0);
    }
}

#[test]
fn every_build_of_every_unit_is_the_model() {
    let mut compared = Vec::new();
    macro_rules! run {
        ($unit:literal, $build:literal, $type:ty) => {{
            // Builds of a unit differ in numbers alone: under Miri the first of each is the sample, and all are in `make nightly`.
            let sampled = cfg!(miri) && option_env!("LWP_TIER") != Some("nightly");
            if !sampled || compared.iter().all(|(unit, ..): &(String, String, [u32; 3])| unit != $unit) {
                compare::<$type>($unit, $build);
            }
            let words = [<$type>::STRAP_WORDS, <$type>::INPUT_WORDS, <$type>::OUTPUT_WORDS];
            compared.push(($unit.to_owned(), $build.to_owned(), words.map(|words| words as u32)));
        }};
    }
    for_builds!(run);
    let listed: Vec<_> = listed()
        .iter()
        .map(|one| {
            let words = [one.strap_words, one.input_words, one.row_words];
            (name(&one.unit).to_owned(), name(&one.build).to_owned(), words)
        })
        .collect();
    assert_eq!(listed, compared);
    assert!(listed.iter().any(|(unit, ..)| *unit != listed[0].0), "more than one unit");
}

#[test]
fn what_no_unit_is_is_refused() {
    let (status, said) = new("tsc", "lp3", None).unwrap_err();
    assert_eq!(status, 6);
    assert!(said.starts_with("lwp_model_new_unit: no build lp3 of a unit tsc is built in; there are: "), "{said}");
    assert!(said.contains("tsc lp1, tsc lp2"), "{said}");
    assert_eq!(new("", "", None).unwrap_err().0, 6);
    let (status, said) = new("tsc", "lp1", Some(&[0])).unwrap_err();
    assert_eq!((status, said.as_str()), (2, "lwp_model_new_unit: straps has 1 words, this library expects 2"));
    // No ratio, and no denominator.
    let (status, said) = new("tsc", "lp1", Some(&[1, 0])).unwrap_err();
    assert_eq!(status, 7, "{said}");
    let (status, said) = new("tsc", "lp1", Some(&[u32::MAX; 2])).unwrap_err();
    assert_eq!(status, 7, "{said}");
    // Lines of a byte.
    let (status, said) = new("rdt", "s8w4", Some(&[0; 6])).unwrap_err();
    assert_eq!(status, 7, "{said}");
}

/// What a run leaves in the memories of a unit does not outlive a reset, nor do the recorded inputs miss it.
#[test]
fn a_unit_that_was_reset_is_a_new_one() {
    for info in listed() {
        let (unit, build) = (name(&info.unit), name(&info.build));
        let models = [new(unit, build, None).unwrap(), new(unit, build, None).unwrap()];
        let mut random = Random(2008);
        let (mut row, mut shown) = (vec![0; info.input_words as usize], [vec![0; info.row_words as usize], vec![]]);
        shown[1] = shown[0].clone();
        let mut step = |models: &[*mut LwpModel]| {
            row.fill_with(|| random.word() & random.word());
            row[0] |= 1;
            for model in models {
                // SAFETY: a model, and a row of its size.
                assert_eq!(unsafe { api::lwp_model_step_words(*model, row.as_ptr(), row.len() as u32) }, 0);
            }
        };
        (0..CYCLES / 2).for_each(|_| step(&models[..1]));
        // SAFETY: a model.
        assert_eq!(unsafe { api::lwp_model_record(models[0]) }, 11, "{unit} {build} has run");
        // SAFETY: a model.
        assert_eq!(unsafe { api::lwp_model_reset(models[0]) }, 0);
        // SAFETY: a model.
        assert_eq!(unsafe { api::lwp_model_record(models[0]) }, 0, "{unit} {build}: {}", text());
        for cycle in 0..CYCLES / 2 {
            step(&models);
            for (model, shown) in models.iter().zip(&mut shown) {
                // SAFETY: a model, and room for a row.
                assert_eq!(unsafe { api::lwp_model_probe(*model, shown.as_mut_ptr(), shown.len() as u32) }, 0);
            }
            assert_eq!(shown[0], shown[1], "{unit} {build}, cycle {cycle}");
        }
        for model in models {
            // SAFETY: a model, not used any more.
            assert_eq!(unsafe { api::lwp_model_free(model) }, 0);
        }
    }
}

/// A unit without structs of named fields refuses those of another.
#[test]
fn structs_of_another_unit_are_refused() {
    let model = new("tsc", "lp1", None).unwrap();
    let (inputs, mut outputs) = (api::LwpInputs::default(), api::LwpOutputs::default());
    // SAFETY: a model, and inputs of their size.
    assert_eq!(unsafe { api::lwp_model_step(model, &raw const inputs, size_of_val(&inputs)) }, 5);
    // SAFETY: a model, and room for outputs.
    assert_eq!(unsafe { api::lwp_model_outputs(model, &raw mut outputs, size_of_val(&outputs)) }, 5);
    let (mut row, size) = ([0; 4], size_of_val(&inputs));
    // SAFETY: a model, inputs of their size, and room for a row.
    assert_eq!(unsafe { api::lwp_model_pack_inputs(model, &raw const inputs, size, row.as_mut_ptr(), 4) }, 5);
    assert!(text().contains("model is one of the unit tsc, which has no such struct"), "{}", text());
    // SAFETY: a model, not used any more.
    assert_eq!(unsafe { api::lwp_model_free(model) }, 0);

    // A model by name of the unit that has structs takes them.
    let model = new("lwp", "w4", None).unwrap();
    // SAFETY: as above.
    assert_eq!(unsafe { api::lwp_model_step(model, &raw const inputs, size_of_val(&inputs)) }, 0);
    // SAFETY: as above.
    assert_eq!(unsafe { api::lwp_model_free(model) }, 0);
}
