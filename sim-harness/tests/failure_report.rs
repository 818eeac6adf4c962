//! Reports on RTL that does not do what was recorded.

use crate::lockstep_support::{RESET, fresh, inputs, recording};
use lwp_model::lwp::Config;
use sim_harness::lockstep::{Recording, Window};
use sim_harness::lwp::fields::FIELDS;
use sim_harness::lwp::flat::pack_straps;
use sim_harness::report::failure::{Analysis, Cause, Evidence, EvidenceRow, rows_around, wave_file};
use sim_harness::rtl::{BuildId, Flavour};

const CYCLES: usize = 3000;

/// Rows of noise, with one bit of the tail's that the RTL does not show in `cycle`.
fn rows(build: BuildId, cycle: u64, window: Window) -> (Vec<EvidenceRow>, Recording) {
    let mut wrong = recording(build, &inputs(build, 7, CYCLES));
    let tail = FIELDS.iter().find(|field| field.name == "state.tail").unwrap();
    let words = build.info().out_words;
    wrong.expected_mut()[cycle as usize * words + tail.word] ^= 0x40;
    let rows = rows_around(&mut wrong.clone(), &mut fresh(build, Flavour::Fast), cycle, window);
    (rows, wrong)
}

#[test]
fn the_window_holds_what_both_have_shown() {
    let build = BuildId::ALL[0];
    let window = Window { before: 60, after: 20 };
    for (cycle, first, last) in [(1030_u64, 970_u64, 1050_u64), (10, 0, 30), (2995, 2935, 2999)] {
        let (rows, recording) = rows(build, cycle, window);
        let info = build.info();
        assert_eq!((rows[0].cycle, rows.last().unwrap().cycle), (first, last));
        assert_eq!(rows.len() as u64, last - first + 1);
        for row in &rows {
            let at = row.cycle as usize;
            assert_eq!(row.inputs, recording.inputs()[at * info.in_words..][..info.in_words], "cycle {at}");
            assert_eq!(row.model, recording.expected()[at * info.out_words..][..info.out_words], "cycle {at}");
            assert_eq!(row.model != row.rtl, row.cycle == cycle, "cycle {at}");
        }
    }
}

#[test]
fn the_report_names_the_field_on_every_build() {
    for &build in BuildId::ALL.iter().filter(|build| build.info().unit == "lwp") {
        let cycle = RESET as u64 + 1500;
        let (rows, _) = rows(build, cycle, Window { before: 5, after: 2 });
        let evidence = Evidence {
            source: "noise".to_owned(),
            repeat: None,
            build,
            straps: pack_straps(&Config::default()).to_vec(),
            cause: Cause::Mismatch,
            cycle,
            rows,
            idle_from: None,
        };
        let analysis = Analysis::of(&evidence).unwrap();
        let field = analysis.field.as_ref().unwrap();
        assert_eq!((field.name.as_str(), field.model.number ^ field.rtl.number), ("state.tail", 0x40));
        assert!(["store", "control"].contains(&analysis.stage.as_ref().unwrap().name), "{}", analysis.headline);
        assert_eq!(analysis.parameters["RetireLanes"], build.parameter("RetireLanes").unwrap());
        assert!(wave_file(&evidence).unwrap().len() > 1000);
    }
}
