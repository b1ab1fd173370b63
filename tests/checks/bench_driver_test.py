#!/usr/bin/env python3
"""The driver of ./bench: medians, ratios, targets, failures of peers. Prints 'ok - …' per test."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'benchmarks/driver'))
import building  # noqa: E402
import files  # noqa: E402
import measuring  # noqa: E402
import progress  # noqa: E402
import terminal  # noqa: E402
import targets  # noqa: E402
import workloads  # noqa: E402
import result_lines  # noqa: E402

WORKLOAD = workloads.Workload('w', 'nothing', 'ns', ('go', 'tokio', 'baseline'), count=10, quick_count=1,
                              targets=(workloads.Target(0.5, 'go'), workloads.Target(1, 'tokio', strict=True),
                                       workloads.Target(1.5, 'baseline')))


def prints(text):
    """A command that prints the value of the Python expression `text`, which may use os and sys."""
    return [sys.executable, '-c', f'import os, sys; print({text})']


def measure(go="'RESULT 40'", quick=False):
    commands = {'ours': prints("'RESULT 10'"), 'go': prints(go), 'baseline': prints("'NOTE bare\\nRESULT 4'")}
    failures = {'tokio': 'not built: no compiler'}
    return measuring.Measurer(commands, failures, quick, progress.Progress()).measure(WORKLOAD)


class BenchDriver(unittest.TestCase):
    def test_value_is_the_median(self):
        reading = measuring.Reading(results=[9, 1, 2], notes=['nine', 'one', 'two'])
        self.assertEqual((reading.value, reading.least, reading.most, reading.note), (2, 1, 9, 'two'))

    def test_ratio_is_ours_over_peer(self):
        self.assertEqual(measure().ratio('go'), 0.25)

    def test_targets_are_compared(self):
        self.assertEqual([v.word for v in targets.target_results(measure())], ['ok', 'n/a', 'MISS'])

    def test_strict_target_is_not_reached_by_an_equal_value(self):
        self.assertFalse(workloads.Target(1, 'go', strict=True).reached(1, 'lower'))
        self.assertTrue(workloads.Target(1, 'go').reached(1, 'lower'))
        self.assertTrue(workloads.Target(1, 'go').reached(1.1, 'higher'))

    def test_crash_of_a_peer_does_not_stop_the_run(self):
        measured = measure(go='os.abort()')
        self.assertEqual(measured.readings['go'].failure, 'killed by SIGABRT')
        self.assertEqual(measured.value('ours'), 10)
        self.assertIn('n/a', terminal.block(measured))

    def test_program_without_result_has_failed(self):
        self.assertIsNone(measure(go="'hello'").value('go'))

    def test_quick_runs_use_the_quick_count(self):
        self.assertEqual(measure(go="'RESULT ' + os.environ['N']").value('go'), 10)
        self.assertEqual(measure(go="'RESULT ' + os.environ['N']", quick=True).value('go'), 1)

    def test_json_has_the_documented_fields(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'x.json'
            files.write_json(path, [measure()])
            self.assertEqual(json.loads(path.read_text(encoding='utf-8')),
                             [{'work': 'w', 'unit': 'ns', 'ours': 10, 'peers': {'go': 40}, 'limit': 4}])

    def test_markdown_is_replaced_between_the_markers(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'x.md'
            path.write_text(f'before\n{files.BEGIN}\nold\n{files.END}\nafter\n', encoding='utf-8')
            files.write_markdown(path, [measure()], './bench w')
            text = path.read_text(encoding='utf-8')
            self.assertTrue(text.startswith('before\n') and text.endswith('\nafter\n'))
            self.assertIn('| `w` | ≤ 0.5 × go | 0.25 | ok |', text)
            self.assertNotIn('old', text)

    def test_filter_is_a_name_or_part_of_a_name(self):
        self.assertEqual([w.name for w in workloads.select_workloads(['sleep-100k'])], ['sleep-100k'])
        self.assertEqual([w.name for w in workloads.select_workloads(['growth'])], ['growth-spawn', 'growth-yield', 'growth-timer'])
        self.assertEqual(workloads.select_workloads(['yield', 'nonsense']), [])

    def test_unknown_filter_is_an_error_that_lists_the_workloads(self):
        run = subprocess.run([ROOT / 'bench', 'nonsense'], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn('memory-1m', run.stderr)

    def test_reason_of_a_failed_build_is_its_first_error(self):
        self.assertEqual(building.reason_in('[1/2] error.cpp\na.cpp:1: error: no\nb: error: also'), 'a.cpp:1: error: no')


if __name__ == '__main__':
    result_lines.main()
