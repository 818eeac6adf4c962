"""Nights and pages: what is new, what is known, trends; nothing from elsewhere."""

import html.parser
import json
import pathlib
import re
import tempfile
import unittest
from types import SimpleNamespace

from helper import Checkout, git

from engine import after, draw, nights, plan
from engine.store import Store

VOID = {"meta", "link", "br", "img", "polyline"}


class Tags(html.parser.HTMLParser):
    """Checks that every tag is closed where it has to be."""

    def __init__(self):
        super().__init__()
        self.open, self.links = [], []

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag in VOID, f"<{tag}/>"
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> in {self.open}"


class Pages(Checkout):
    def page(self, name):
        text = (self.home / "pages" / name).read_text()
        tags = Tags()
        tags.feed(text)
        self.assertEqual([tag for tag in tags.open if tag not in ("html", "body")], [])
        for link in tags.links:
            self.assertNotRegex(link, r"^(https?:|//|data:)")
            self.assertTrue((self.home / "pages" / link).exists(), link)
        self.assertNotIn("<script", text)
        return text

    def test_a_failure_is_new_once(self):
        self.run_(folder="first")
        first = self.page("first.html")
        lines = json.loads((self.home / "first/merged.json").read_bytes())["bugs"]
        self.assertTrue(lines)
        self.assertIn(f"<b class=\"bad\">{len(lines)}</b><small>new failures", first)
        self.assertIn(lines[0]["repeat"], first)
        (self.root / "file").write_text("two\n")
        git(self.root, "commit", "--quiet", "-am", "two")
        self.jobs(shards=9)
        self.run_(folder="second")
        second = self.page("second.html")
        known = json.loads((self.home / "second/merged.json").read_bytes())["bugs"]
        self.assertEqual({line["id"] for line in known if not line["new"]}, {line["id"] for line in lines})
        self.assertIn("known since night 1", second)
        self.assertIn("2 nights", second)
        index = self.page("index.html")
        self.assertLess(index.index("second.html"), index.index("first.html"))
        # Merged again, the first night is still the first, and its failures are new in it.
        self.campaign("merge", code=1, folder="first")
        self.assertEqual([night["number"] for night in nights.earlier(self.home / "nights")], [1, 2])
        self.assertNotIn("known since", self.page("first.html"))

    def test_what_is_not_whole_is_named(self):
        self.mood.write_text("crash")
        self.run_(code=4)
        text = self.page("one.html")
        self.assertIn("not whole", text)
        self.assertIn("10 shards without a result", text)

    def test_text_of_programs_is_escaped(self):
        (self.home / "synthetic").write_text(
            '#!/bin/sh\necho \'{"verdict": "fail", "counts": {}, "failures": [{"unit": "<b>", "kind": "k", "stage": "s", "field": "f", '
            '"headline": "<script>", "repeat": "a && b", "capsule": ""}]}\'\n')
        (self.home / "synthetic").chmod(0o755)
        self.list.write_text(self.list.read_text().replace(re.search(r'command = \["([^"]+)', self.list.read_text())[1], str(self.home / "synthetic")))
        self.run_()
        self.assertIn("a &amp;&amp; b", self.page("one.html"))

    def test_capsules_are_shrunk_once_and_grouped_by_stage_and_field(self):
        program = self.home / "synthetic"
        program.write_text('#!/bin/sh\necho capsule >"$2/a.capsule"\necho \'{"verdict": "fail", "counts": {"cycles": 1}, "failures": [{"unit": "lwp", '
                           '"kind": "mismatch", "stage": "-", "field": "irq", "headline": "cycle 9", "repeat": "soak --case \'$1\'", '
                           '"capsule": "a.capsule"}]}\'\n')
        program.chmod(0o755)
        self.list.write_text(f'[[job]]\nname = "play"\nabout = "x"\nreader = "synthetic"\ncommand = ["{program}", "{{seed}}", "{{scratch}}"]\nshards = 3\n')
        # lwp-sim: two of the capsules are one bug of the stage store.
        tool = self.root / "target/release/lwp-sim"
        tool.parent.mkdir(parents=True)
        groups = [{"unit": "lwp", "kind": "mismatch", "stage": stage, "field": field, "headline": f"{stage} is wrong", "cycles": 9, "moved": [],
                   "capsules": [f"x/play~2f.all~40.{seed}~2b.1.MARK-0.capsule" for seed in seeds], "smallest": f"{self.home}/one/triage/small/{stage}"}
                  for stage, field, seeds in (("store", "state.head", (0, 2)), ("count", "irq", (1,)))]
        (self.home / "groups").write_text(json.dumps({"schema": "triage/1", "groups": groups}))
        tool.write_text(f'#!/bin/sh\necho "$1" >>{self.home}/calls\ncase $1 in\n'
                        f'triage) mark=$(ls {self.home}/one/capsules/lwp | sed -n "1s/.*~2b[.]1[.]\\([0-9a-f]*\\)-0.*/\\1/p"); sed "s/MARK/$mark/g" {self.home}/groups\n'
                        f'  echo small >{self.home}/one/triage/small/store; cp {self.home}/one/triage/small/store {self.home}/one/triage/small/count; exit 1;;\n'
                        'report) echo "<p>why" >"$5"; exit 1;;\nesac\n')
        tool.chmod(0o755)
        self.run_()
        lines = self.merged()["bugs"]
        self.assertEqual([(line["stage"], line["field"], line["times"]) for line in lines], [("count", "irq", 1), ("store", "state.head", 2)])
        text = self.page("one.html")
        self.assertIn("store is wrong", text)
        self.assertEqual((self.home / "pages" / lines[1]["report_link"]).read_text(), "<p>why\n")
        self.assertTrue((self.home / "pages" / lines[1]["capsule_link"]).exists())
        self.campaign("merge", code=1)
        self.assertEqual((self.home / "calls").read_text().split(), ["triage", "report", "report"])

    def test_nights_go_by_number_not_by_clock(self):
        folder = self.home / "nights"
        merged = {"outcome": {"commit": "c", "jobs": {}}, "coverage": {}, "spent": {}, "missing": [], "digest": "", "bugs": []}
        for name, clock in (("b", "2031"), ("a", "1970"), ("c", "2001")):
            nights.keep(folder, name, merged, {"began": clock})
        self.assertEqual([night["name"] for night in nights.earlier(folder)], ["b", "a", "c"])
        (folder / "broken.json").write_text("{")
        self.assertEqual(len(nights.earlier(folder)), 3)


class Capsules(unittest.TestCase):
    def test_some_of_each_group_are_shrunk_and_the_others_follow_the_first(self):
        failures = [{"unit": "lwp", "kind": "mismatch", "stage": "-", "field": field, "headline": "h", "repeat": "r", "shard": f"s{number}",
                     "capsule": f"capsules/{field}{number:03}.capsule"} for field in ("a", "b") for number in range(after.CAPSULES + 30)]
        chosen = after.sampled(failures)
        self.assertEqual(len(chosen), 2 * after.CAPSULES)
        self.assertEqual(chosen, after.sampled(failures[::-1]))
        groups = [{"unit": "lwp", "kind": "mismatch", "stage": stage, "field": f"state.{field}", "headline": "shrunk", "smallest": "s",
                   "capsules": [name for name in chosen if name.startswith(f"capsules/{field}")]} for field, stage in (("a", "store"), ("b", "count"))]
        lines = after.bugs(Store(pathlib.Path("/nowhere")), {"failures": failures}, {"groups": groups})
        self.assertEqual([(line["stage"], line["field"], line["times"]) for line in lines],
                         [("count", "state.b", after.CAPSULES + 30), ("store", "state.a", after.CAPSULES + 30)])


class Drawing(unittest.TestCase):
    def test_numbers(self):
        self.assertEqual([draw.short(value) for value in (0, 999, 1250, 2_500_000, 1e9, 3e12)], ["0", "999", "1.25k", "2.5M", "1G", "3T"])

    def test_a_gap_is_a_gap(self):
        picture = draw.trend("x", [("a", 1), ("b", 2), ("c", None), ("d", 4)])
        self.assertEqual(picture.count("<polyline"), 2)
        self.assertEqual(draw.trend("x", [("a", None)]), "")
        self.assertEqual(draw.trend("x", [("a", 5.0)]).count("<circle"), 1)

    def test_a_report_of_coverage(self):
        report = {"cycles": 9, "crosses": [{"id": "C1", "share": {"met": 1, "unreachable": 1, "all": 4},
                                            "bins": [{"name": "a", "count": 3}, {"name": "b", "count": 0}, {"name": "c", "count": 0, "unreachable": "why"}]}]}
        found = after.shares(report)
        self.assertEqual((found["met"], found["reachable"], found["holes"]), (1, 3, ["C1: b"]))

    def test_counts_are_added_or_it_is_said_why(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            tool, total = folder / "coverage", folder / "functional.json"

            def added(script):
                tool.write_text("#!/bin/sh\n" + script)
                tool.chmod(0o755)
                total.write_text("earlier")
                return after.added(tool, "tsc", total, [folder / "part"]), total.read_text()

            # merge --unit tsc --out FILE PART
            self.assertEqual(added('printf sum >"$5"'), ("", "sum"))
            self.assertEqual(added('printf sum >"$5"; echo "met 3 times, though out of reach"; exit 1'), ("", "sum"))
            self.assertEqual(added("echo no space >&2; exit 2"), ("no space", "earlier"))
            self.assertEqual(added("exit 1"), ("exit code 1", "earlier"))
            self.assertEqual(added('printf sum >"$5"; exit 3'), ("exit code 3", "earlier"))

    def test_counts_that_are_not_added_have_an_exit_code(self):
        merged = {"outcome": {"differ": [], "jobs": {"play": {"failed": 0}}}, "disagreements": [], "missing": [], "coverage": {"tsc": {"error": "no space"}}}

        def code(reader):
            return plan.code(merged, [SimpleNamespace(name="play", reader=reader, cut=lambda: [])])

        self.assertEqual((code("coverage"), code("soak")), (4, 0))
        merged["coverage"] = {"tsc": {"holes": []}}
        self.assertEqual(code("coverage"), 0)

    def test_a_score_leaves_equivalent_mutants_out(self):
        self.assertEqual(nights.score({"killed": 8, "disproved": 1, "equivalent": 5, "survived": 1}), 90.0)
        self.assertIsNone(nights.score({"equivalent": 1}))


if __name__ == "__main__":
    unittest.main()
