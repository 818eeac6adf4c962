//! An instance that powers up once more is as good as a new one, also if the inputs that follow carry no reset.

use lwp_model::lwp::Config;
use sim_harness::lwp::flat::{OUT_WORDS, in_words, pack_straps};
use sim_harness::rtl::{BuildId, Flavour, Rtl};

/// Rows of noise without a reset, from a seed.
fn noise(cycles: usize, mut seed: u32) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..cycles * in_words(4))
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed.rotate_left(16)
        })
        .collect();
    rows.chunks_mut(in_words(4)).for_each(|row| row[0] |= 1);
    rows
}

fn shown(rtl: &mut Rtl, rows: &[u32]) -> Vec<u32> {
    let mut all = vec![0; rows.len() / in_words(4) * OUT_WORDS];
    for (row, out) in rows.chunks(in_words(4)).zip(all.chunks_mut(OUT_WORDS)) {
        rtl.step(row, out);
    }
    all
}

#[test]
fn what_was_before_is_forgotten() {
    let straps = pack_straps(&Config::default());
    let (before, after) = (noise(2000, 7), noise(500, 8));
    for flavour in [Flavour::Fast, Flavour::Traced] {
        let fresh = shown(&mut Rtl::new(BuildId::LwpW4, flavour, &straps), &after);
        let mut used = Rtl::new(BuildId::LwpW4, flavour, &straps);
        used.mute();
        used.run(&before);
        assert!(shown(&mut used, &after) != fresh, "the noise leaves no trace, so there is nothing to forget");
        used.power_up(&straps);
        assert!(shown(&mut used, &after) == fresh, "{flavour:?}: something is left of what was before");
    }
}
