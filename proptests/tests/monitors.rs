//! The monitors hold of the model, and of the RTL by itself.

use proptests::bench::play;
use proptests::lockstep::as_rtl;
use proptests::monitor::watch;
use proptests::runner::check;
use proptests::scenario::scenario;
use sim_harness::rtl::BuildId;

#[test]
fn the_model_keeps_the_rules() {
    check("monitors", "the_model_keeps_the_rules", &scenario(150), |scenario| {
        let (recording, _) = play::<4, 8, 31>(scenario);
        watch(&scenario.straps, &recording)
    });
}

#[test]
fn the_model_with_one_lane_keeps_the_rules() {
    check("monitors", "the_model_with_one_lane_keeps_the_rules", &scenario(150), |scenario| {
        let (recording, _) = play::<1, 3, 10>(scenario);
        watch(&scenario.straps, &recording)
    });
}

#[test]
fn the_rtl_keeps_the_rules() {
    check("monitors", "the_rtl_keeps_the_rules", &scenario(150), |scenario| {
        let (recording, _) = play::<4, 8, 31>(scenario);
        watch(&scenario.straps, &as_rtl(BuildId::LwpW4, &scenario.straps, &recording))
    });
}

#[test]
fn the_rtl_with_one_lane_keeps_the_rules() {
    check("monitors", "the_rtl_with_one_lane_keeps_the_rules", &scenario(150), |scenario| {
        let (recording, _) = play::<1, 3, 10>(scenario);
        watch(&scenario.straps, &as_rtl(BuildId::LwpW1, &scenario.straps, &recording))
    });
}
