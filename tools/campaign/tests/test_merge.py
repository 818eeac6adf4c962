"""Merging is commutative and idempotent, and groups what one bug broke."""

import random
import unittest

from helper import result, shard

from engine import Refused
from engine.merge import Merge, groups
from engine.model import Failure, Job
from engine.store import Broken

JOB = Job("play", "synthetic", "synthetic", ("x", "{seed}"), ("small", "large"), shards=20)
MANIFEST = {"commit": "c", "jobs": [JOB.to_json()]}


def failure(cycle, field="state.head", stage="store"):
    return Failure("lwp", "mismatch", stage, field, f"cycle {cycle}: model and RTL differ in {field}", f"soak --case {cycle}")


def some():
    draw = random.Random(5)
    made = []
    for one in JOB.cut():
        found = [failure(draw.randrange(99), draw.choice(["state.head", "irq"]))] if draw.random() < 0.3 else []
        made.append(result(one, verdict="fail" if found else "pass", failures=found, cycles=draw.randrange(1000), cases=1))
    return made


def merged(results):
    made = Merge(MANIFEST)
    for one in results:
        made.add(one)
    return made.done()


class Merging(unittest.TestCase):
    def test_any_order_and_any_repetition_give_the_same(self):
        results = some()
        whole = merged(results)
        self.assertEqual(whole["missing"], [])
        draw = random.Random(6)
        for _ in range(30):
            again = results + draw.choices(results, k=draw.randrange(20))
            draw.shuffle(again)
            self.assertEqual(merged(again), whole)

    def test_parts_add_up(self):
        results = some()
        whole = merged(results)["outcome"]["jobs"]["play"]
        self.assertEqual(whole["counts"]["cycles"], sum(one["outcome"]["counts"]["cycles"] for one in results))
        self.assertEqual(whole["counts"]["cases"], 40)
        self.assertEqual(whole["items"]["small"]["shards"], 20)
        self.assertEqual(merged(results[:3])["outcome"]["jobs"]["play"]["shards"], 3)
        self.assertEqual(len(merged(results[:3])["missing"]), 37)
        self.assertNotEqual(merged(results[:-1])["digest"], merged(results)["digest"])

    def test_two_outcomes_of_one_shard_are_told_whichever_comes_first(self):
        one = next(JOB.cut())
        pair = [result(one, cycles=1), result(one, cycles=2)]
        ends = [merged(pair), merged(pair[::-1])]
        self.assertEqual(ends[0], ends[1])
        self.assertEqual(ends[0]["outcome"]["differ"], [one.key])
        self.assertEqual(merged(pair[:1])["outcome"]["differ"], [])

    def test_a_name_of_two_items_is_refused(self):
        small, large = (next(one for one in JOB.cut() if one.item == item) for item in ("small", "large"))
        def named(one, name):
            made = result(one)
            return {**made, "outcome": {**made["outcome"], "items": {name: "killed"}}}
        self.assertEqual(merged([named(small, "a"), named(large, "b")])["outcome"]["jobs"]["play"]["named"], {"a": "killed", "b": "killed"})
        for pair in ((small, large), (large, small)):
            with self.assertRaisesRegex(Refused, "play: large and small both have a verdict on a,"):
                merged([named(one, "a") for one in pair])

    def test_seconds_and_hosts_are_no_part_of_the_outcome(self):
        results = some()
        slow = [{**one, "run": {**one["run"], "cpu": 9.0, "host": "other"}} for one in results]
        self.assertEqual(merged(results)["digest"], merged(slow)["digest"])
        self.assertNotEqual(merged(results)["spent"], merged(slow)["spent"])

    def test_what_does_not_belong_here(self):
        one = next(JOB.cut())
        with self.assertRaisesRegex(Broken, "of another commit, d"):
            merged([result(one, commit="d")])
        # Of other sizes: another mark, so no shard of this plan.
        self.assertEqual(merged([result(shard())])["outcome"]["jobs"]["play"]["shards"], 0)

    def test_one_bug_is_one_line(self):
        results = [result(one, verdict="fail", failures=[failure(number, stage="store" if number % 2 else "count")])
                   for number, one in enumerate(JOB.cut())]
        lines = merged(results)["outcome"]["groups"]
        self.assertEqual([(line["stage"], line["field"], line["times"]) for line in lines], [("count", "state.head", 20), ("store", "state.head", 20)])
        self.assertTrue(lines[0]["repeat"].startswith("soak --case "))
        self.assertEqual(groups([]), [])


if __name__ == "__main__":
    unittest.main()
