//! Straps that no hardware may have, by the table of the page `docs/src/tsc/ports.md`.

use lwp_model::flat::StrapsError;
use lwp_model::tsc::{Config, ConfigError, DeepSleep, Tsc};
use lwp_model::{Choice, Unit};
use lwp_regs::tsc::{RateStepError, TscRate};

/// Each row of the table, as straps.
fn illegal() -> Vec<(Config, ConfigError)> {
    let all = Config::default();
    let absent = Config { present: false, adjust: false, aux: false, ..all };
    vec![
        (Config { adjust: true, ..absent }, ConfigError::AdjustNeedsPresent),
        (Config { aux: true, ..absent }, ConfigError::AuxNeedsPresent),
        (Config { deep_sleep: DeepSleep::Stop, ..all }, ConfigError::InvariantNeedsCount),
        (Config { max_ratio: 0, ..all }, ConfigError::MaxRatioZero),
        (Config { art_denominator: 0, ..all }, ConfigError::Art(RateStepError::DenominatorZero)),
        (Config { art_rest: 3, ..all }, ConfigError::Art(RateStepError::RestTooLarge { rest: 3, denominator: 3 })),
        (Config { art_whole: 0, art_rest: 0, ..all }, ConfigError::Art(RateStepError::Zero)),
    ]
}

// TSC-13, TSC-19
#[test]
fn illegal_straps_are_refused() {
    for (straps, error) in illegal() {
        assert_eq!(Tsc::<1>::new(straps).unwrap_err(), error);
        let mut words = [0; Tsc::<1>::STRAP_WORDS];
        Tsc::<1>::pack_straps(&straps, &mut words);
        assert_eq!(Tsc::<1>::unpack_straps(&words), Err(StrapsError::Illegal(error)));
        assert!(error.to_string().contains(':'), "{error}");
    }
}

// The ratios and the crystal are checked for every rate; only deep sleep depends on it.
#[test]
fn the_checks_do_not_depend_on_the_rate() {
    for &rate in TscRate::ALL {
        for (straps, error) in illegal() {
            let expected = match (error, rate) {
                (ConfigError::InvariantNeedsCount, TscRate::Invariant) | (ConfigError::AdjustNeedsPresent, _) => {
                    Err(error)
                }
                (ConfigError::InvariantNeedsCount, _) => Ok(()),
                _ => Err(error),
            };
            assert_eq!(Config { rate, ..straps }.validate(), expected);
        }
        assert_eq!(Config { rate, ..Config::default() }.validate(), Ok(()));
    }
}
