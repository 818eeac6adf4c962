//! Straps that no hardware may have, by the table of the page `docs/src/debug/ports.md`.

use crate::unit::Debug;
use lwp_model::Unit;
use lwp_model::debug::{Config, ConfigError};
use lwp_model::flat::StrapsError;

#[test]
fn illegal_straps_are_refused() {
    let pentium = Config { fault_rf: false, long_mode: false, rtm: false, ..Config::default() };
    assert_eq!(pentium.validate(), Ok(()));
    for (straps, error) in [
        (Config { long_mode: true, ..pentium }, ConfigError::FaultRfWithLongMode),
        (Config { rtm: true, ..pentium }, ConfigError::FaultRfWithRtm),
        (Config { string_group: 64, ..pentium }, ConfigError::StringGroup(64)),
    ] {
        assert_eq!(Debug::<1, 1>::new(straps).unwrap_err(), error);
        assert!(error.to_string().contains(':') && !error.straps().is_empty(), "{error}");
        if straps.string_group < 64 {
            let mut words = [0];
            Debug::<1, 1>::pack_straps(&straps, &mut words);
            assert_eq!(Debug::<1, 1>::unpack_straps(&words), Err(StrapsError::Illegal(error)));
        }
    }
}
