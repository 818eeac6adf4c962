//! Plans by hand, back and forth, and what is refused.

use super::error::PlanError;
use super::goals::App;
use super::masks::Masks;
use super::planned::{Cdp, Plan, plan};
use super::print;
use super::read_back::{check, parse_writes, read_back};
use lwp_regs::rdt::RdtCaps;
use std::path::Path;

/// 16 ways of L3 in 8 classes, 8 ways of L2 in 4, both with CDP; delays to 90 percent in 8.
fn caps() -> RdtCaps {
    of(&[(0x10, 0, [0, 0xE, 0, 0]), (0x10, 1, [15, 0, 4, 7]), (0x10, 2, [7, 0, 4, 3]), (0x10, 3, [89, 0, 4, 7])])
}

fn of(leaves: &[(u32, u32, [u32; 4])]) -> RdtCaps {
    RdtCaps::enumerate(&|leaf, subleaf| match leaf {
        0 => [0x10, 0x756E_6547, 0x6C65_746E, 0x4965_6E69],
        7 => [0, 1 << 15, 0, 0],
        _ => leaves.iter().find(|known| (known.0, known.1) == (leaf, subleaf)).map_or([0; 4], |known| known.2),
    })
}

fn planned(goals: &[&str], cdp: Cdp) -> Result<Plan, PlanError> {
    let apps: Vec<App> = goals.iter().map(|goal| App::parse(goal).unwrap()).collect();
    let plan = plan(&apps, &caps(), cdp, Some(8))?;
    check(&plan)?;
    Ok(plan)
}

fn refusal(goals: &[&str], cdp: Cdp) -> String {
    planned(goals, cdp).unwrap_err().to_string()
}

const NO_CDP: Cdp = Cdp { l3: false, l2: false };
const L3_CDP: Cdp = Cdp { l3: true, l2: false };

// RDTA-35: shares become classes, masks and delay values
#[test]
fn a_plan_is_what_the_shares_say() {
    let plan = planned(&["a:cache=25%,bandwidth=50%", "b:cache=50%,l2=25%"], NO_CDP).unwrap();
    let masks: Vec<_> =
        plan.classes.iter().map(|class| (class.l3.unwrap().data, class.l2.unwrap().data, class.delay)).collect();
    // a has no goal for the L2 cache: it shares what b leaves with everything else.
    assert_eq!(masks, [(0xF000, 0xFC, Some(0)), (0x000F, 0xFC, Some(50)), (0x0FF0, 0x03, Some(0))]);
    let l3 = [(0xC90, 0xF000), (0xC91, 0x000F), (0xC92, 0x0FF0)];
    let rest = [(0xD10, 0xFC), (0xD11, 0xFC), (0xD12, 0x03), (0xD50, 0), (0xD51, 50), (0xD52, 0)];
    assert_eq!(plan.writes, [&l3[..], &rest].concat());
}

// RDTA-35: with CDP data is at 2n and code at 2n + 1
#[test]
fn code_and_data_have_masks_of_their_own() {
    let plan = planned(&["a:data=50%,code=25%"], L3_CDP).unwrap();
    let last: std::collections::BTreeMap<u32, u64> = plan.writes.iter().copied().collect();
    let masks: Vec<u64> = (0xC90..0xC94).map(|number| last[&number]).collect();
    assert_eq!((last[&0xC81], masks), (1, vec![0xF000, 0xF000, 0x00FF, 0x0F00]));
}

// RDTA-35: a plan read back from its writes gives the shares that were asked for, within a bit or half a step
#[test]
fn what_is_read_back_is_what_was_asked_for() {
    for share in 1..100 {
        let (cache, bandwidth) = (format!("{share}%"), share.max(10));
        let goals =
            [format!("a:cache={cache},bandwidth={bandwidth}"), format!("default:cache={}", (100 - share).min(93))];
        let goals: Vec<&str> = goals.iter().map(String::as_str).collect();
        let plan = planned(&goals, NO_CDP).unwrap();
        let text = print::msr(&plan);
        let has = read_back(&parse_writes(Path::new("w"), &text).unwrap(), &caps()).unwrap();
        let percent = f64::from(has[1].l3.unwrap().data.count_ones()) * 6.25;
        assert!((percent - f64::from(share)).abs() < 6.25, "{share}: {percent}");
        assert_eq!(has[1].delay, Some(100 - bandwidth as u16), "{share}");
        assert_eq!(has[1].l3.unwrap().data & has[0].l3.unwrap().data, 0, "{share}");
    }
}

#[test]
fn a_plan_that_is_changed_is_found() {
    let good = planned(&["a:cache=25%,bandwidth=50%", "b:cache=50%"], NO_CDP).unwrap();
    for (number, value, text) in [
        (0xC91, 0x00FF, "`a` has"),
        (0xC92, 0x07F8, "`b` shares"),
        (0xD51, 52, "`a` has"),
        (0xC91, 0x0101, "WRMSR 0xc91"),
        (0xD51, 91, "WRMSR 0xd51"),
    ] {
        let mut plan = good.clone();
        plan.writes.push((number, value));
        let error = check(&plan).unwrap_err().to_string();
        assert!(error.contains(text), "{number:#x} := {value:#x}: {error}");
    }
}

// RDTA-35: what the limits do not allow is refused with the reason
#[test]
fn what_cannot_be_had_is_refused() {
    for (goals, cdp, text) in [
        (&["a:cache=60", "b:cache=50"][..], NO_CDP, "L3: the shares add up to 110%"),
        (&["a:cache=75", "b:cache=25"], NO_CDP, "and everything else needs one"),
        (&["a:bandwidth=5"], NO_CDP, "5% is less than 10.0%, which the largest delay (90) leaves"),
        (&["a:data=10,code=10"], NO_CDP, "only with CDP"),
        (&["a:bandwidth=50"], L3_CDP, "there is no goal for it"),
        (
            &["a:l2=10", "b:l2=10", "c:l2=10", "d:l2=10"],
            NO_CDP,
            "5 classes are needed, class 0 for everything else included, and there are 4 with L2 masks",
        ),
        (&["a:cache=9", "b:cache=9", "c:cache=9", "d:cache=9"], L3_CDP, "there are 4 with L3 masks"),
    ] {
        let error = refusal(goals, cdp);
        assert!(error.contains(text), "{goals:?}: {error}");
    }
    let apps = [App::parse("a:cache=10,bandwidth=50").unwrap()];
    let refused = |caps: &RdtCaps| plan(&apps, caps, NO_CDP, None).unwrap_err().to_string();
    assert!(refused(&RdtCaps::default()).contains("allocates nothing"));
    assert!(
        refused(&of(&[(0x10, 0, [0, 2, 0, 0]), (0x10, 1, [15, 0, 4, 7])]))
            .contains("no delay values: CPUID.10H:EBX[3]")
    );
    assert!(refused(&of(&[(0x10, 0, [0, 8, 0, 0]), (0x10, 3, [89, 0, 4, 7])])).contains("no masks of the L3 cache"));
    let cycles = of(&[(0x10, 0, [0, 10, 0, 0]), (0x10, 1, [15, 0, 0, 7]), (0x10, 3, [63, 0, 0, 7])]);
    assert!(refused(&cycles).contains("delay values are cycles"));
    let no_cdp = plan(&[App::parse("a:cache=10").unwrap()], &cycles, L3_CDP, None).unwrap_err().to_string();
    assert!(no_cdp.contains("the processor has no CDP of it"), "{no_cdp}");
}

#[test]
fn a_mask_without_a_goal_is_what_is_left() {
    let plan = planned(&["a:cache=25%", "b:bandwidth=50%"], NO_CDP).unwrap();
    assert_eq!(plan.classes[2].l3, Some(Masks { data: 0xFFF0, code: 0xFFF0 }), "b does not disturb a");
    assert_eq!(plan.classes[0].l3, plan.classes[2].l3);
}

#[test]
fn every_form_says_the_same() {
    let plan = planned(&["a:data=50%,code=25%,bandwidth=40%"], L3_CDP).unwrap();
    assert_eq!(
        print::resctrl(&plan).lines().skip(4).collect::<Vec<_>>(),
        ["# /sys/fs/resctrl/a/schemata: a", "L3DATA:0=ff", "L3CODE:0=f00", "MB:0=40",]
    );
    let json = print::to_json(&plan);
    assert_eq!(json["classes"][1]["l3"], serde_json::json!({ "data": "0xff", "code": "0xf00" }));
    assert_eq!(json["classes"][1]["delay"], 60);
    assert!(print::session(&plan).contains("[cdp]\nl3 = true\n"));
    let text = print::text(&plan);
    assert!(text.contains("0xff / 0xf00") && text.contains("data 50%, 50%, within 6.25%"), "{text}");
    assert!(text.contains("read back      3 shares as asked for"), "{text}");
}

#[test]
fn writes_are_read_line_by_line() {
    let parse = |text: &str| parse_writes(Path::new("w"), text);
    assert_eq!(parse("# plan\n\nwrmsr -a 0xc91 0xf # a\n").unwrap(), [(0xC91, 0xF)]);
    for wrong in ["rdmsr 0xc91 0xf", "wrmsr 0xc91", "wrmsr c91 0xf", "wrmsr 0xc91 0xf 0x1", "wrmsr 0x1ffffffff 0x0"] {
        assert!(parse(&format!("\n{wrong}")).unwrap_err().to_string().contains("line 2"), "{wrong}");
    }
}
