//! What is written is read, of every unit; the words of a case are its rows.

use lwp_model::tsc::{Config, Inputs, Tsc};
use lwp_model::{Unit, retire};
use recording::{Reader, Recording, Writer};

type Two = Tsc<2>;

/// Six cycles of two counters, the first in reset.
fn run() -> recording::Of<Two> {
    let inputs = (0..6).map(|cycle| {
        let processor = retire::Processor { crystal_tick: cycle % 2 == 0, ..retire::Processor::default() };
        (cycle > 0, Inputs { processor, ..Inputs::default() })
    });
    Recording::of::<Two>(&Config::default(), inputs).unwrap()
}

#[test]
fn rows_come_back() {
    let (straps, rows) = (Config::default(), run().rows::<Two>(&Config::default()));
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes).unwrap();
    writer.run::<Two>(("case", 7), &[2], &straps, &rows).unwrap();
    assert_eq!((writer.cycles(), writer.finish().unwrap()), (6, (1, 6)));
    let path = std::env::temp_dir().join(format!("recording-{}", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    let mut reader = Reader::open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let run = reader.run().unwrap().unwrap();
    assert_eq!((run.name.as_str(), run.seed, run.unit.as_str(), run.sizes.as_slice()), ("case", 7, "tsc", &[2][..]));
    assert_eq!(Two::unpack_straps(&run.straps), Ok(straps));
    let (mut cycle, mut inputs, mut outputs) = (run.power_up(), Vec::new(), Vec::new());
    for _ in 0..run.cycles {
        reader.advance(&mut cycle).unwrap();
        inputs.extend_from_slice(&cycle.input);
        outputs.extend_from_slice(&cycle.output);
    }
    assert_eq!((inputs, outputs), (rows.inputs, rows.outputs));
    assert_eq!(reader.run().unwrap(), None);
}

#[test]
fn a_case_is_its_rows() {
    let (recording, straps) = (run(), Config::default());
    let (words, rows) = (recording.case_words::<Two>(&straps), recording.rows::<Two>(&straps));
    assert_eq!(words[0], 6);
    assert_eq!(Two::unpack_straps(&words[1..][..Two::STRAP_WORDS]), Ok(straps));
    let cycles = words[1 + Two::STRAP_WORDS..].chunks_exact(Two::INPUT_WORDS + Two::OUTPUT_WORDS);
    let (inputs, outputs): (Vec<_>, Vec<_>) = cycles.map(|cycle| cycle.split_at(Two::INPUT_WORDS)).unzip();
    assert_eq!((inputs.concat(), outputs.concat()), (rows.inputs, rows.outputs));
}
