//! `lwp-sim rdt plan`.

use super::Bench;

/// Leaf 10H of a processor with 11 ways, 16 classes, CDP and delays to 90 percent; devices use the two upper ways.
const LEAVES: &str = "CPU 0:
   0x00000007 0x00: eax=0x00000000 ebx=0x00009000 ecx=0x00000000 edx=0x00000000
   0x0000000f 0x00: eax=0x00000000 ebx=0x0000008f ecx=0x00000000 edx=0x00000002
   0x00000010 0x00: eax=0x00000000 ebx=0x0000000a ecx=0x00000000 edx=0x00000000
   0x00000010 0x01: eax=0x0000000a ebx=0x00000600 ecx=0x00000004 edx=0x0000000f
   0x00000010 0x03: eax=0x00000059 ebx=0x00000000 ecx=0x00000004 edx=0x00000007
";

fn planned(args: &[&str]) -> String {
    let bench = Bench::new(&[]);
    bench.write("leaves", LEAVES);
    let done = bench.run(&[&["plan", "--cpuid", "leaves"], args].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    done.stdout
}

// RDTA-35: shares of applications as masks and delay values within the limits that CPUID enumerates. 25 percent of 11 ways are 2.75: 3.
#[test]
fn a_plan_for_a_processor() {
    let text = planned(&["--app", "noisy:cache=25%,bandwidth=50%"]);
    assert!(
        text.starts_with("limits         L3 masks of 11 bits, 16 classes, 8 with CDP; devices use 0x600\n"),
        "{text}"
    );
    assert!(text.contains("devices use the bits 0x600 of the L3 cache too: default"), "{text}");
    assert!(text.contains("cache 25%, 27.27%, within 9.09%; bandwidth 50%, 50%, within 0.5%"), "{text}");
    assert!(text.contains("wrmsr 0xc90 0x7f8\nwrmsr 0xc91 0x7\nwrmsr 0xd50 0x0\nwrmsr 0xd51 0x32\n"), "{text}");
    assert!(text.ends_with("read back      2 shares as asked for, within the rounding\n"), "{text}");
}

// RDTA-35: with CDP code and data get masks of their own, at 2n + 1 and 2n; as lines for Linux
#[test]
fn a_plan_with_code_and_data_apart() {
    let text = planned(&["--cdp", "l3", "--app", "db:data=45%,code=18%", "--format", "resctrl"]);
    // 45 percent are 4.95 ways and 18 are 1.98: together 6.93, so that both are rounded up.
    assert_eq!(
        text,
        "# /sys/fs/resctrl/schemata: default\nL3DATA:0=780\nL3CODE:0=780\n# /sys/fs/resctrl/db/schemata: db\nL3DATA:0=1f\nL3CODE:0=60\n"
    );
}

// RDTA-35: what was planned is what the writes give when they are read back by themselves
#[test]
fn a_plan_is_read_back_from_its_writes() {
    let bench = Bench::new(&[]);
    bench.write("leaves", LEAVES);
    let args = ["plan", "--cpuid", "leaves", "--app", "a:cache=25%,bandwidth=40%", "--app", "b:cache=50%"];
    let plan = bench.run(&[&args[..], &["--format", "msr", "-o", "writes"]].concat());
    assert_eq!((plan.code, plan.stdout.as_str()), (0, ""), "{}", plan.stderr);
    let back = bench.run(&["plan", "--cpuid", "leaves", "--read", "writes"]);
    let row = |class: usize| {
        let line = back.stdout.lines().find(|line| line.trim_start().starts_with(&format!("{class}  "))).unwrap();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row(0), ["0", "0x700", "(27.27%)", "-", "0", "(100%)"]);
    assert_eq!(row(1), ["1", "0x7", "(27.27%)", "-", "60", "(40%)"]);
    assert_eq!(row(2), ["2", "0xf8", "(45.45%)", "-", "0", "(100%)"]);
    assert_eq!(row(3)[1], "0x7ff", "a class that is not planned has everything");
    bench.write("writes", "wrmsr 0xc91 0x5\n");
    let refused = bench.run(&["plan", "--cpuid", "leaves", "--read", "writes"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("the processor refuses `wrmsr 0xc91 0x5`"), "{}", refused.stderr);
}

// RDTA-35: what the limits do not allow is refused with the reason, and nothing is planned
#[test]
fn what_cannot_be_had_is_refused() {
    let bench = Bench::new(&[]);
    bench.write("leaves", LEAVES);
    bench.write("goals.toml", "[[app]]\nname = \"a\"\ncache = 120\n");
    for (args, text) in [
        (&["--app", "a:cache=60", "--app", "b:cache=50"][..], "the shares add up to 110%"),
        (&["--app", "a:bandwidth=5"], "5% is less than 10.0%"),
        (&["--app", "a:l2=20"], "the processor has no masks of the L2 cache"),
        (&["--app", "a:data=20,code=20"], "only with CDP"),
        (&["--app", "a:cash=20"], "there is no `cash`"),
        (&["--goals", "goals.toml"], "goals.toml, line 3"),
        (&[], "there is no application to plan for"),
    ] {
        let done = bench.run(&[&["plan", "--cpuid", "leaves"], args].concat());
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{args:?}");
        assert!(done.stderr.contains(text), "{args:?}: {}", done.stderr);
    }
    let done = bench.run(&["plan", "--session", "none.toml", "--app", "a:cache=25"]);
    assert_eq!(done.code, 2);
    bench.write("s.toml", "[cache]\nways = 0\n");
    let done = bench.run(&["plan", "--session", "s.toml", "--app", "a:cache=25"]);
    assert!(done.code == 2 && done.stderr.contains("line 2"), "{}", done.stderr);
}

#[test]
fn json_has_the_plan() {
    let bench = Bench::new(&[]);
    let done = bench.run(&["plan", "--app", "a:cache=25%,bandwidth=30%", "--format", "json"]);
    let plan: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(plan["classes"][1]["l3"]["data"], "0x1");
    assert_eq!(plan["classes"][1]["delay"], 70);
    assert_eq!(plan["writes"][0], serde_json::json!({ "msr": "0xc90", "value": "0xe" }));
    assert_eq!(
        plan["classes"][1]["shares"][1],
        serde_json::json!({ "of": "bandwidth", "asked": 30.0, "planned": 30.0, "within": 0.5 })
    );
}
