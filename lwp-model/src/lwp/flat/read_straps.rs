//! Straps, read back.

use super::{STRAP_WORDS, pack_straps};
use crate::lwp::{
    AddressPolicy, Collision, Config, ConfigError, Entropy, FaultPolicy, FlushOutside, GatherPolicy, GatherSelect,
    GatherTarget, HeadFlush, IntervalSource, LatencyPhase, LatencySource, LatencyStep, LeavePolicy, Misaligned,
    MissedMode, Prediction, StoreTiming, TailReread, WriteOnFull,
};

/// Words that are not the straps of any unit. A field with the code of no choice is named by its type.
pub type StrapsError = crate::flat::StrapsError<ConfigError>;

/// Reads the straps from their words.
///
/// # Errors
///
/// [`StrapsError`]: a choice that does not exist, bits that have no name, or a combination that no hardware may have.
pub fn unpack_straps(words: &[u32]) -> Result<Config, StrapsError> {
    let words: &[u32; STRAP_WORDS] = words.try_into().map_err(|_| StrapsError::Length(words.len()))?;
    let straps = read(words)?;
    straps.validate().map_err(StrapsError::Illegal)?;
    if pack_straps(&straps) == *words { Ok(straps) } else { Err(StrapsError::Unnamed) }
}

fn read(words: &[u32; STRAP_WORDS]) -> Result<Config, StrapsError> {
    let flag = |word: usize, bit: u32| words[word] >> bit & 1 == 1;
    let byte = |word: usize, bit: u32| (words[word] >> bit) as u8;
    macro_rules! choice {
        ($type:ident, $word:literal, $bit:literal, $width:literal) => {
            *$type::ALL
                .get((words[$word] >> $bit & ((1 << $width) - 1)) as usize)
                .ok_or(StrapsError::NoSuchChoice(stringify!($type)))?
        };
    }
    Ok(Config {
        present: flag(0, 0),
        avail_ire: flag(0, 1),
        avail_bre: flag(0, 2),
        avail_dme: flag(0, 3),
        avail_int: flag(0, 4),
        latency_filter: flag(0, 5),
        level_filter: flag(0, 6),
        data_source: flag(0, 7),
        core_id: byte(0, 8),
        gather_policy: choice!(GatherPolicy, 0, 16, 1),
        one_per_instr: flag(0, 17),
        gather_select: choice!(GatherSelect, 0, 18, 2),
        gather_target: choice!(GatherTarget, 0, 20, 1),
        store_timing: choice!(StoreTiming, 0, 21, 1),
        collision: choice!(Collision, 0, 22, 1),
        leave_policy: choice!(LeavePolicy, 0, 23, 2),
        fault_policy: choice!(FaultPolicy, 0, 25, 2),
        address_policy: choice!(AddressPolicy, 0, 27, 2),
        address_gate: flag(0, 29),
        latency_source: choice!(LatencySource, 0, 30, 1),
        latency_step: choice!(LatencyStep, 0, 31, 1),
        lfsr_seed: words[1],
        latency_phase: choice!(LatencyPhase, 2, 0, 1),
        prediction: choice!(Prediction, 2, 1, 2),
        head_flush: choice!(HeadFlush, 2, 3, 1),
        tail_reread: choice!(TailReread, 2, 4, 1),
        tail_nth: byte(2, 5) & 15,
        interval_source: choice!(IntervalSource, 2, 9, 1),
        missed_mode: choice!(MissedMode, 2, 10, 1),
        write_on_full: choice!(WriteOnFull, 2, 11, 1),
        misaligned: choice!(Misaligned, 2, 12, 1),
        flush_outside: choice!(FlushOutside, 2, 13, 1),
        v86: flag(2, 14),
        entropy: choice!(Entropy, 2, 15, 1),
        irq_delay: byte(2, 16),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(unpack_straps(&[default[0] | 3 << 18, 1, 0x20]), Err(StrapsError::NoSuchChoice("GatherSelect")));
        assert_eq!(unpack_straps(&[default[0], 0, 0x20]), Err(StrapsError::Illegal(ConfigError::ZeroSeed)));
        assert_eq!(unpack_straps(&[default[0], 1, 0x8000_0020]), Err(StrapsError::Unnamed));
    }
}
