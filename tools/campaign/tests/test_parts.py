"""Keys, lists of jobs, the store, and what programs print."""

import json
import pathlib
import tempfile
import time
import unittest
from unittest import mock

from helper import result, shard

from engine import Refused, jobs, plan, store
from engine.model import Job, Shard, safe
from engine.readers import READERS, End, NoOutcome
from engine.shard import Worker, age

PLAY = '[[job]]\nname = "play"\nabout = "x"\nreader = "soak"\ncommand = ["soak", "{seed}"]\n'


class Temporary(unittest.TestCase):
    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.home = pathlib.Path(keep.name)


class Keys(unittest.TestCase):
    def test_a_key_is_read_back(self):
        for item in ("lwp", "perf/counter access", "lwp/ring/w1/free#2", "a@1+2"):
            one = Shard("soak", item, 2007, 10, "0123abcd")
            self.assertEqual(Shard.of_key(one.key), one)
        for bad in ("", "soak/lwp", "soak/lwp@1+1", "soak/lwp@1+1.xyz"):
            self.assertRaises(ValueError, Shard.of_key, bad)

    def test_names_of_files_are_safe_and_different(self):
        names = ["a/b", "a b", "a~2f.b", "..", "a", "", "é", "A"]
        self.assertEqual(len({safe(name) for name in names}), len(names))
        for name in names:
            self.assertRegex(safe(name), r"^[A-Za-z0-9._~-]+$")

    def test_what_changes_a_shard_changes_its_key(self):
        one = Job("play", "x", "soak", ("soak", "{seed}"), sizes={"cycles": 10})
        keys = {next(job.cut()).key for job in (
            one, Job("play", "x", "soak", ("soak", "{seed}"), sizes={"cycles": 11}), Job("play", "x", "soak", ("soak", "-q", "{seed}"), sizes={"cycles": 10}),
            Job("play", "x", "soak", ("soak", "{seed}"), sizes={"cycles": 10}, environment={"A": "1"}))}
        self.assertEqual(len(keys), 4)
        # More shards, other words: the same shards.
        more = Job("play", "other words", "soak", ("soak", "{seed}"), sizes={"cycles": 10}, shards=3)
        self.assertEqual(next(more.cut()), next(one.cut()))

    def test_a_directory_has_a_thousand_results(self):
        job = Job("play", "x", "soak", ("soak", "{seed}"), shards=3000, span=5, first=0)
        places = [pathlib.Path(one.file).parent for one in job.cut()]
        self.assertEqual({places.count(place) for place in set(places)}, {1000})


class Lists(Temporary):
    def refused(self, text, words):
        path = self.home / "jobs.toml"
        path.write_text(text)
        with self.assertRaisesRegex(Refused, words):
            jobs.tables(path)

    def test_a_wrong_list_says_what_is_wrong(self):
        self.refused("", r"no \[\[job\]\]")
        self.refused("[[job", "jobs.toml: ")
        self.refused(PLAY + PLAY, "two jobs play")
        self.refused(PLAY + "speed = 1\n", "no key speed; there are")
        self.refused(PLAY.replace('"soak"\ncommand', '"ear"\ncommand'), "no reader ear; there are")
        self.refused(PLAY.replace("{seed}", "{depth}"), "depth in the command or the environment is neither a size nor one of")
        self.refused(PLAY.replace("{seed}", "7") + "shards = 2\n", r"2 shards would all do the same")
        self.refused(PLAY.replace("about", "abut"), "no key abut")
        self.refused(PLAY.replace('about = "x"\n', ""), "the key about is missing")
        self.refused(PLAY.replace('"play"', '"Play!"'), "a job's name is of small letters")
        self.refused('[[job]]\nname = "lint"\nmake = "lint"\n', "make is a list of a target and its variables")
        self.refused('[[job]]\nname = "lint"\nmake = ["lint"]\nalone = false\n', "the only key next to name")
        for key in ('shards = "3"', "shards = 0", "span = 0", "first = -2", "items = [1]", "items = []", 'items = ["a", "a"]', 'items = [".."]',
                    "environment = { A = 3 }", "sizes = [1]", "sizes = { n = 0 }", 'programs = ["/bin/true"]', "limit = -1", "alone = 1"):
            with self.subTest(key):
                path = self.home / "jobs.toml"
                path.write_text(PLAY + key + "\n")
                with self.assertRaisesRegex(Refused, rf"job play: (the command of its )?{key.split()[0]} is "):
                    for table in jobs.tables(path):
                        jobs.items(self.home, table["name"], table["items"])
        self.refused(PLAY.replace('["soak", "{seed}"]', '"soak"'), "command is a list of words, not 'soak'")
        self.refused(PLAY.replace("{seed}", "{ true; }"), "in the command or the environment is neither|braces|brace")
        self.refused("job = 3\n", "is written \\[\\[job\\]\\]")
        self.refused('[[job]]\nmake = ["lint"]\n', "a job's name is of small letters")
        with self.assertRaisesRegex(Refused, "no list of jobs"):
            jobs.tables(self.home / "none")

    def test_a_make_target_uses_the_whole_machine(self):
        path = self.home / "jobs.toml"
        path.write_text('[[job]]\nname = "peers"\nmake = ["peers", "ARGS=--quick"]\n')
        (job,) = jobs.tables(path)
        self.assertEqual(job["command"][-3:], ["make", "peers", "ARGS=--quick"])
        self.assertEqual((job["about"], job["reader"], job["alone"], job["pure"]), ("make peers ARGS=--quick", "exit", True, False))
        self.assertEqual(job["environment"]["LWP_TIER"], "nightly")

    def test_the_projects_own_list(self):
        found = jobs.tables(plan.LIST)
        names = [table["name"] for table in found]
        self.assertLessEqual({"lint", "test", "soak", "formal", "small-world", "coverage", "fuzz", "mutants-rtl", "mutants-model", "bench"}, set(names))
        with self.assertRaisesRegex(Refused, "no job nowhere; there are: lint"):
            jobs.chosen(found, ["nowhere"])
        self.assertEqual([(table["name"], item) for table, item in jobs.chosen(found, ["soak/lwp"])], [("soak", "lwp")])
        self.assertNotIn("mutants-play", [table["name"] for table, _ in jobs.chosen(found, [])])
        soak = jobs.made(plan.ROOT, next(table for table in found if table["name"] == "soak"), "", 2, {"cycles": 5})
        self.assertIn("lwp", soak.items)
        self.assertEqual(len(list(soak.cut())), 2 * len(soak.items))
        self.assertEqual([one.first for one in soak.cut()][0], 2007)
        wide = jobs.made(plan.ROOT, next(table for table in found if table["name"] == "soak"), "lwp", 2, {"span": 10})
        self.assertEqual([one.first for one in wide.cut()], [2007, 2017])
        with self.assertRaisesRegex(Refused, r"job soak has no item nowhere; it has: debug, "):
            jobs.made(plan.ROOT, next(table for table in found if table["name"] == "soak"), "nowhere", None, {})
        many = {"name": "prove", "about": "x", "reader": "proofs", "command": ["x", "{item}"], "items": [f"tsc/rate/lp{n}/free" for n in range(99)], "seeded": False}
        with self.assertRaisesRegex(Refused, "job prove has no item tsc/rate/n1/free; the nearest of its 99: tsc/rate/lp1/free, [^,]*(, [^,]*){0,10}$"):
            jobs.made(plan.ROOT, many, "tsc/rate/n1/free", None, {})
        # Before anything is built, unless a program that is built lists the items.
        with mock.patch("engine.plan.prepare", side_effect=AssertionError), self.assertRaisesRegex(Refused, "job soak has no item nowhere"):
            plan.jobs(plan.LIST, ["small-world", "soak/nowhere"], [], plan.ROOT, True)
        jobs.early(plan.ROOT, next(table for table in found if table["name"] == "small-world"), "tsc/nowhere")
        with self.assertRaisesRegex(Refused, "job soak has no size depth; it has: cycles"):
            jobs.made(plan.ROOT, next(table for table in found if table["name"] == "soak"), "", None, {"depth": 1})
        with self.assertRaisesRegex(Refused, "job lint has no seeds, so one shard"):
            jobs.made(plan.ROOT, next(table for table in found if table["name"] == "lint"), "", 2, {})

    def test_sizes(self):
        self.assertEqual(plan.sizes(["soak=10", "soak.cycles=1e6", "soak.cases=2_000"]), ({"soak": 10}, {"soak": {"cycles": 1_000_000, "cases": 2000}}))
        for bad in ("soak", "soak=", "soak=0", "soak=-1", "soak.cycles=many", "soak=1e999", "soak=1.9e0"):
            with self.assertRaisesRegex(Refused, "is wanted"):
                plan.sizes([bad])


class Storing(Temporary):
    def setUp(self):
        super().setUp()
        self.store = store.Store(self.home)

    def test_twice_is_once(self):
        self.assertEqual(self.store.put(shard(), result(shard()), replace=False), "stored")
        self.assertEqual(self.store.put(shard(), {**result(shard()), "run": {"host": "other"}}, replace=False), "agrees")
        self.assertEqual(self.store.put(shard(), result(shard(), cycles=11), replace=False), "differs")
        self.assertEqual(self.store.done(shard(), "c")["outcome"]["counts"], {"cycles": 10})
        self.assertEqual(len(self.store.disagreements()), 1)
        self.assertEqual(len(list(self.store.files())), 1)

    def test_another_commit_or_shard_is_not_taken(self):
        self.store.put(shard(), result(shard()), replace=False)
        self.assertIsNone(self.store.done(shard(1), "c"))
        with self.assertRaisesRegex(store.Broken, "of another commit, c"):
            self.store.read(self.store.place(shard()), "d")
        with self.assertRaisesRegex(store.Broken, "of another shard"):
            self.store.read(self.store.place(shard()), "c", shard(1))

    def test_every_truncation_is_noticed(self):
        self.store.put(shard(), result(shard()), replace=False)
        path = self.store.place(shard())
        whole = path.read_bytes()
        for length in range(0, len(whole) - 1, 7):
            path.write_bytes(whole[:length])
            with self.assertRaises(store.Broken):
                self.store.read(path, "c")

    def test_a_full_disk_leaves_nothing(self):
        for call in ("os.fsync", "os.link"):
            with mock.patch(f"engine.store.{call}", side_effect=OSError(28, "No space left on device")), self.assertRaises(OSError):
                self.store.put(shard(), result(shard()), replace=False)
            self.assertEqual([path for path in self.home.rglob("*") if path.is_file()], [])


class Reading(Temporary):
    def end(self, reader, text, code=0, item="lwp"):
        return READERS[reader](End("job", item, 1, 1, code, text, self.home, "command"))

    def test_soak(self):
        (self.home / "state.json").write_text('{"cycles": 2000, "cases": 16}')
        self.assertEqual(self.end("soak", "").counts, {"cycles": 2000, "cases": 16})
        (self.home / "seed5-case9.capsule").write_text("")
        found = self.end("soak", "case 9 of seed 5 does not agree: cycle 72: model and RTL differ in state.irq: 1, 0\nshrink", 1).failures[0]
        self.assertEqual((found.unit, found.field, found.capsule), ("lwp", "state.irq", "seed5-case9.capsule"))
        self.assertEqual(found.repeat, "target/release/soak --unit lwp --seed 5 --case 9")
        for code in (2, -9, 130):
            with self.assertRaises(NoOutcome):
                self.end("soak", "case 9 of seed 5 does not agree: x", code)
        (self.home / "state.json").unlink()
        with self.assertRaises(NoOutcome):
            self.end("soak", "")

    def test_small_world(self):
        table = ("world        states       edges   depth  letters  closure          cycles  resets     seconds  verdict\n"
                 "tiny            630        2584      92      4-8  closed            77364       2  0.0+0.0+0.1  agrees on every edge\n")
        found = self.end("small-world", table, item="lwp/tiny")
        self.assertEqual((found.verdict, found.counts), ("pass", {"states": 630, "edges": 2584, "cycles": 77364}))
        for closure, said, code, verdict in (("closed", "DISAGREES", 1, "disagrees"), ("closed", "DRIFTS", 1, "drifts"),
                                             ("OPEN 17", "not closed: a limit was met", 4, "open")):
            found = self.end("small-world", table.replace("agrees on every edge", said).replace("closed ", closure + " ", 1), code, "lwp/tiny")
            self.assertEqual((found.failures[0].stage, found.items, found.counts["cycles"]), ("tiny", {"lwp/tiny": verdict}, 77364))
        for other, code in ((table, 1), (table.replace("agrees on every edge", "not played"), 0), (table.replace("closed ", "OPEN 17 "), 0)):
            with self.assertRaisesRegex(NoOutcome, f"exit code {code}, though the world is"):
                self.end("small-world", other, code, "lwp/tiny")
        with self.assertRaises(NoOutcome):
            self.end("small-world", table, item="lwp/ring")

    def test_proofs(self):
        text = ("[ 1/2] tsc/covers/n1/free                  cover            16 s (15 s of processor)  PASS (7 reached)\n"
                "[ 2/2] tsc/covers/n1/free#1                control, cover   16 s (15 s of processor)  found\n")
        found = self.end("proofs", text, item="tsc/covers/n1/free")
        self.assertEqual((found.verdict, found.counts), ("pass", {"proofs": 2}))
        self.assertEqual(self.end("proofs", text.replace("found", "NOT FOUND (PASS)"), 1).failures[0].field, "NOT FOUND (PASS)")
        with self.assertRaisesRegex(NoOutcome, "out of time: tsc/covers/n1/free"):
            self.end("proofs", text.replace("PASS (7 reached)", "TIMEOUT"), 1)
        with self.assertRaises(NoOutcome):
            self.end("proofs", "")

    def test_tests(self):
        text = ("test lockstep::it_agrees ... FAILED\n\nit_agrees: cycle 7 differs\n\nrepeat with: LWP_SEED=9 LWP_CASES=1 cargo test --release -p "
                "proptests --test suite -- --exact lockstep::it_agrees\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored")
        found = self.end("tests", text, 101)
        self.assertEqual((found.verdict, found.counts, len(found.failures)), ("fail", {"tests": 4}, 1))
        self.assertIn("LWP_SEED=9", found.failures[0].repeat)
        self.assertEqual(self.end("tests", "test result: ok. 4 passed; 0 failed; 0 ignored").verdict, "pass")
        self.assertEqual(self.end("tests", "test a ... [12] %Error FAILED\ntest result: FAILED. 3 passed; 1 failed; 0 ignored", 101).failures[0].headline, "1 tests failed")
        with self.assertRaisesRegex(NoOutcome, "no test was run, 3 were ignored"):
            self.end("tests", "test result: ok. 0 passed; 0 failed; 3 ignored")
        with self.assertRaises(NoOutcome):
            self.end("tests", "", 101)

    def test_mutants(self):
        (self.home / "rtl.jsonl").write_text('{"id": "a", "verdict": "killed", "cycles": 7}\n{"id": "b", "verdict": "survived", "cycles": 9}\n')
        found = self.end("rtl-mutants", "", 1, "rdt/rdt_answer")
        self.assertEqual((found.counts, found.items["a"], found.failures[0].field), ({"mutants": 2, "cycles": 16}, "killed", "b"))
        with self.assertRaisesRegex(NoOutcome, "exit code 0, though 1 of the mutants failed"):
            self.end("rtl-mutants", "", 0, "rdt/rdt_answer")
        (self.home / "rtl.jsonl").write_text('{"id": "a", "verdict": "killed", "cycles": 7}\n')
        self.assertEqual(self.end("rtl-mutants", "", 0, "rdt/rdt_answer").verdict, "pass")
        with self.assertRaisesRegex(NoOutcome, "exit code 1, though none of the mutants failed"):
            self.end("rtl-mutants", "", 1, "rdt/rdt_answer")

    def test_a_killed_mutant_that_a_list_names_as_equivalent(self):
        (self.home / "rtl.jsonl").write_text('{"id": "a", "verdict": "killed", "class": "change", "cycles": 7}\n')
        said = "rtl-mutants: a is listed as equivalent and case 3 of noise_agrees kills it\n"
        for reader, code in (("rtl-mutants", 1), ("rtl-unit", 0)):
            (self.home / "equivalent.csv").write_text("id,method,seconds,code\n")
            found = self.end(reader, said, code, "tsc")
            self.assertEqual((found.verdict, [failure.field for failure in found.failures]), ("fail", ["a"]))
        # The list that the run itself has made.
        (self.home / "equivalent.csv").write_text("id,method,seconds,code\na,cycles,2,0\n")
        self.assertEqual([failure.field for failure in self.end("rtl-unit", "", 0, "tsc").failures], ["a"])

    def test_a_mutant_with_two_verdicts(self):
        twice = '{"id": "a", "verdict": "killed", "cycles": 7}\n{"id": "a", "verdict": "survived", "cycles": 9}\n'
        for reader, file in (("rtl-mutants", "rtl.jsonl"), ("rtl-unit", "rtl.jsonl"), ("model-mutants", "model.jsonl")):
            (self.home / file).write_text(twice)
            with self.assertRaisesRegex(NoOutcome, "more than one verdict on a mutant: a"):
                self.end(reader, "", 0, "tsc")

    def test_mutants_of_a_unit(self):
        killed, others = ("killed", "change", 7), [("equivalent", "change", None), ("disproved", "fault", None), ("survived", "fault", None)]
        lines = [{"id": name, "verdict": verdict, "class": kind, "cycles": cycles} for name, (verdict, kind, cycles) in zip("abcd", [killed, *others])]
        (self.home / "rtl.jsonl").write_text("\n".join(map(json.dumps, lines)))
        (self.home / "equivalent.csv").write_text("id,method,seconds,code\nb,cycles,2,0\n")
        said = "[  1/1] tsc/rate/n1/free             c                     1 s  killed at Adds\n"
        found = self.end("rtl-unit", said, 0, "tsc")
        self.assertEqual(found.items, {"a": "killed", "b": "equivalent", "c": "disproved", "d": "survived"})
        kept = [json.loads(line) for line in (self.home / found.artefacts["verdicts"]).read_text().splitlines()]
        self.assertEqual([(mutant["verdict"], mutant.get("proof")) for mutant in kept],
                         [("killed", None), ("equivalent", "cycles"), ("disproved", "tsc/rate/n1/free"), ("survived", None)])
        self.assertEqual([failure.field for failure in found.failures], ["d"])
        self.assertEqual({name: count for name, count in found.counts.items() if count},
                         {"mutants": 4, "cycles": 7, "change killed": 1, "change equivalent": 1, "fault disproved": 1, "fault survived": 1})
        # What the lists say counts only if this run has shown it again.
        (self.home / "equivalent.csv").write_text("id,method,seconds,code\n")
        found = self.end("rtl-unit", said.replace("Adds", "Adds, recorded: killed at Holds"), 0, "tsc")
        self.assertEqual([failure.field for failure in found.failures], ["b", "c", "d"])
        with self.assertRaises(NoOutcome):
            self.end("rtl-unit", said, 2, "tsc")

    def test_toggles(self):
        text = "w4: 90 of 100 ways seen, 8 left to a longer wait, 5 out of reach\nw1: 50 of 50 ways seen, 0 left to a longer wait, 1 out of reach\n"
        found = self.end("toggles", text)
        self.assertEqual((found.verdict, found.counts), ("pass", {"ways": 140, "reachable ways": 150, "ways left to a longer wait": 8, "ways out of reach": 6}))
        found = self.end("toggles", text + "  w4: state.rate[9] never rises\n", 1)
        self.assertEqual((found.failures[0].stage, found.failures[0].field), ("w4", "state.rate[9] never rises"))
        for said, code in (("", 0), (text, 1), (text + "  w4: state.rate[9] never rises\n", 0)):
            with self.assertRaises(NoOutcome):
                self.end("toggles", said, code)
        differs = "w4, scenario of seed 3: model (expected) and RTL differ in cycle 7: state.rate"
        found = self.end("toggles", f"lwp: {differs}\n", 1, "lwp")
        self.assertEqual((found.verdict, found.failures[0].headline), ("fail", differs))

    def test_rows(self):
        text = "LWP-STO-01   must      shown   test:a.rs::b\nDCTL-05      behaviour missing -\nDCTL-06      behaviour shown   test:a.rs::b\n"
        found = self.end("rows", text)
        self.assertEqual(found.counts, {"LWP-STO rows": 1, "LWP-STO shown": 1, "DCTL rows": 2, "DCTL missing": 1, "DCTL shown": 1})
        self.assertEqual([failure.headline for failure in found.failures], ["rows of DCTL are missing"])
        with self.assertRaises(NoOutcome):
            self.end("rows", "")

    def test_mutants_of_a_model(self):
        (self.home / "model.jsonl").write_text('{"id": "a", "verdict": "killed", "cycles": null}\n{"id": "b", "verdict": "equivalent", "cycles": 9}\n')
        found = self.end("model-mutants", "", 0, "rdt/1of2")
        self.assertEqual((found.verdict, found.items["b"], found.artefacts), ("pass", "equivalent", {"verdicts": "model.jsonl", "reach": "model-reach.json"}))
        with self.assertRaisesRegex(NoOutcome, "exit code 1, though none of the mutants failed"):
            self.end("model-mutants", "", 1, "rdt/1of2")
        wrong = "model.rs:3:5: replace + with - is listed as equivalent and is killed by replay"
        found = self.end("model-mutants", f"{wrong}\nverdicts: x\n", 1, "rdt/1of2")
        self.assertEqual((found.verdict, found.failures[0].field, found.failures[0].headline), ("fail", wrong.partition(" is listed")[0], wrong))
        found = self.end("model-mutants", "proven: a\nFALSE: model.rs: x | y = x ^ y\n", 1, "rdt/1of2")
        self.assertEqual((found.verdict, found.failures[0].stage), ("fail", "equivalent"))
        (self.home / "model.jsonl").unlink()
        with self.assertRaises(NoOutcome):
            self.end("model-mutants", "", 1, "rdt")

    def test_fuzz(self):
        text = "stat::number_of_executed_units: 100007\nstat::average_exec_per_sec:     2000\n"
        self.assertEqual(self.end("fuzz", text, 0, "elf").counts, {"executions": 100007})
        with self.assertRaises(NoOutcome):
            self.end("fuzz", "", 0, "elf")
        said = "thread '<unnamed>' panicked at src/elf.rs:7:5:\nindex 9 of 8\n==12== ERROR: libFuzzer: deadly signal\n"
        with self.assertRaisesRegex(NoOutcome, "exit code 77"):
            self.end("fuzz", said, 77, "elf")
        (self.home / "found").mkdir()
        (self.home / "found/crash-1").write_text("x")
        found = self.end("fuzz", said, 77, "elf")
        self.assertEqual((found.failures[0].stage, found.artefacts), ("elf", {"input": "found/crash-1"}))
        self.assertEqual(found.failures[0].headline, "elf: panicked at src/elf.rs:7:5: index 9 of 8")
        with self.assertRaises(NoOutcome):
            self.end("fuzz", said, -9, "elf")
        with self.assertRaisesRegex(NoOutcome, "exit code 0, though libFuzzer kept crash-1"):
            self.end("fuzz", text, 0, "elf")

    def test_a_module_without_mutants(self):
        self.assertEqual(self.end("rtl-mutants", "rtl-mutants: no mutant is left to play", 2).counts, {"mutants": 0})
        with self.assertRaises(NoOutcome):
            self.end("rtl-mutants", "rtl-mutants: no Verilator", 2)

    def test_any_program(self):
        self.assertEqual(self.end("exit", "").verdict, "pass")
        self.assertEqual(self.end("exit", "a\nlast\n", 2).failures[0].headline, "last")
        for code in (-15, 127, 130):
            with self.assertRaises(NoOutcome):
                self.end("exit", "", code)


class Ages(unittest.TestCase):
    def test_the_age_of_a_process_grows(self):
        first = age()
        self.assertTrue(0 < first < 3600, first)
        time.sleep(0.05)
        self.assertGreater(age(), first + 0.04)


class Commits(Temporary):
    def test_a_job_that_reads_the_sources_wants_those_of_the_commit(self):
        worker = object.__new__(Worker)
        worker.root, worker.commit = self.home, "abc"
        job = Job("formal", "x", "proofs", ("x",), tree=True)
        with mock.patch("engine.source.commit", return_value="abd"), self.assertRaisesRegex(NoOutcome, "sources are those of abd"):
            worker.of_commit(job)
        with mock.patch("engine.source.commit", return_value="abc"):
            worker.of_commit(job)


if __name__ == "__main__":
    unittest.main()
