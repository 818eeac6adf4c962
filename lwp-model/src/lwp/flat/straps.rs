//! Straps.

use crate::Unit;
use crate::flat::{Field, NoValue, Values, flat_table};
use crate::lwp::{Config, ConfigError, Lwp};

flat_table! {
    /// Straps.
    StrapRow(straps: Config): unpack;
    {
        "present": 1 @ (0, 0) = straps.present,
        "avail_ire": 1 @ (0, 1) = straps.avail_ire,
        "avail_bre": 1 @ (0, 2) = straps.avail_bre,
        "avail_dme": 1 @ (0, 3) = straps.avail_dme,
        "avail_int": 1 @ (0, 4) = straps.avail_int,
        "latency_filter": 1 @ (0, 5) = straps.latency_filter,
        "level_filter": 1 @ (0, 6) = straps.level_filter,
        "data_source": 1 @ (0, 7) = straps.data_source,
        "gather_policy": 1 @ (0, 16) = straps.gather_policy,
        "one_per_instr": 1 @ (0, 17) = straps.one_per_instr,
        "gather_select": 2 @ (0, 18) = straps.gather_select,
        "gather_target": 1 @ (0, 20) = straps.gather_target,
        "store_timing": 1 @ (0, 21) = straps.store_timing,
        "collision": 1 @ (0, 22) = straps.collision,
        "leave_policy": 2 @ (0, 23) = straps.leave_policy,
        "fault_policy": 2 @ (0, 25) = straps.fault_policy,
        "address_policy": 2 @ (0, 27) = straps.address_policy,
        "address_gate": 1 @ (0, 29) = straps.address_gate,
        "latency_source": 1 @ (0, 30) = straps.latency_source,
        "latency_step": 1 @ (0, 31) = straps.latency_step,
        "latency_phase": 1 @ (2, 0) = straps.latency_phase,
        "prediction": 2 @ (2, 1) = straps.prediction,
        "head_flush": 1 @ (2, 3) = straps.head_flush,
        "tail_reread": 1 @ (2, 4) = straps.tail_reread,
        "tail_nth": 4 @ (2, 5) = straps.tail_nth,
        "interval_source": 1 @ (2, 9) = straps.interval_source,
        "missed_mode": 1 @ (2, 10) = straps.missed_mode,
        "write_on_full": 1 @ (2, 11) = straps.write_on_full,
        "misaligned": 1 @ (2, 12) = straps.misaligned,
        "flush_outside": 1 @ (2, 13) = straps.flush_outside,
        "v86": 1 @ (2, 14) = straps.v86,
        "entropy": 1 @ (2, 15) = straps.entropy,
        "irq_delay": 8 @ (2, 16) = straps.irq_delay,
        "core_id": 8 @ (0, 8) = straps.core_id,
        "lfsr_seed": 32 @ (1, 0) = straps.lfsr_seed,
    }
}

/// Every strap, in the order of the row.
pub const STRAP_FIELDS: &[Field] = StrapRow::FIELDS;
/// Words of the straps.
pub const STRAP_WORDS: usize = StrapRow::WORDS;

/// Error of words that are not the straps of any unit.
pub type StrapsError = crate::flat::StrapsError<ConfigError>;

/// Returns the words of the straps.
#[must_use]
pub fn pack_straps(straps: &Config) -> [u32; STRAP_WORDS] {
    let mut words = [0; STRAP_WORDS];
    StrapRow::pack(straps, &mut words);
    words
}

/// Returns the straps of a row, or the name of the first one whose code is no choice.
pub(crate) fn read_straps(row: &[u32]) -> Result<Config, &'static str> {
    let mut straps = Config::default();
    StrapRow::unpack(&mut straps, row).map_err(|NoValue(name)| name)?;
    Ok(straps)
}

/// Passes the kind of values of each strap to `visit`, in the order of [`STRAP_FIELDS`].
pub(crate) fn strap_values(visit: &mut dyn FnMut(Values)) {
    StrapRow::values(&Config::default(), visit);
}

/// Returns the straps that the words hold.
///
/// # Errors
///
/// [`StrapsError`] if there are more or fewer words, a choice does not exist, a bit without a name is set, or the combination is illegal.
pub fn unpack_straps(words: &[u32]) -> Result<Config, StrapsError> {
    <Lwp<1, 1, 31> as Unit>::unpack_straps(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::{Entropy, LatencyPhase, LatencyStep};

    // The table's bits by hand: features 0 to 7, one_per_instr 17, address_gate 29, tail_nth 1 at bit 5.
    #[test]
    fn default_straps() {
        assert_eq!(pack_straps(&Config::default()), [0x2002_00FF, 1, 0x20]);
    }

    #[test]
    fn the_ends_of_the_words() {
        let straps = Config {
            latency_step: LatencyStep::Sixteen,
            latency_phase: LatencyPhase::FreeRunning,
            entropy: Entropy::Port,
            irq_delay: 0xA5,
            ..Config::default()
        };
        assert_eq!(pack_straps(&straps), [0xA002_00FF, 1, 0xA5_8021]);
    }

    #[test]
    fn straps_by_name() {
        let straps = Config { irq_delay: 0xA5, core_id: 0x5A, lfsr_seed: 7, ..Config::default() };
        let row = pack_straps(&straps);
        let of = |name| STRAP_FIELDS.iter().find(|field| field.name == name).unwrap().of(&row);
        assert_eq!((of("irq_delay"), of("core_id"), of("lfsr_seed"), of("tail_nth")), (0xA5, 0x5A, 7, 1));
        let bits: u32 = STRAP_FIELDS.iter().map(|field| field.width).sum();
        assert_eq!(bits, 88, "all but the upper byte of the last word");
        let named = |word| STRAP_FIELDS.iter().map(|field| field.mask_in(word).count_ones()).sum::<u32>();
        let joined = |word| STRAP_FIELDS.iter().fold(0, |mask, field| mask | field.mask_in(word)).count_ones();
        assert!((0..STRAP_WORDS).all(|word| named(word) == joined(word)), "no two share a bit");
    }

    #[test]
    fn every_bit_comes_back_or_is_refused() {
        let default = pack_straps(&Config::default());
        assert_eq!(unpack_straps(&default), Ok(Config::default()));
        let mut read = 0;
        for bit in 0..32 * STRAP_WORDS {
            let mut words = default;
            words[bit / 32] ^= 1 << (bit % 32);
            if let Ok(straps) = unpack_straps(&words) {
                assert_eq!(pack_straps(&straps), words, "bit {bit}");
                read += 1;
            }
        }
        // 8 bits have no name; some flips contradict other straps.
        assert!((70..88).contains(&read), "{read}");
        assert_eq!(unpack_straps(&default[..2]), Err(StrapsError::Length(2)));
        assert_eq!(unpack_straps(&[default[0] | 3 << 18, 1, 0x20]), Err(StrapsError::NoSuchChoice("gather_select")));
        assert_eq!(unpack_straps(&[default[0], 0, 0x20]), Err(StrapsError::Illegal(ConfigError::ZeroSeed)));
        assert_eq!(unpack_straps(&[default[0], 1, 0x8000_0020]), Err(StrapsError::Unnamed));
    }
}
