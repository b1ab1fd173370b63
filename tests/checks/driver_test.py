#!/usr/bin/env python3
"""The test driver: counting of complete and incomplete results, filters, timeouts. Prints 'ok - …' per test."""
import io
import pathlib
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'scripts/testing'))
import check_step  # noqa: E402
import excerpt  # noqa: E402
import gtest  # noqa: E402
import names  # noqa: E402
import phpt  # noqa: E402
import php_steps  # noqa: E402
import process  # noqa: E402
import report  # noqa: E402
import result_lines  # noqa: E402

XML = '''<?xml version="1.0"?><testsuites><testsuite>
<testcase name="Good" status="run" result="completed" classname="A"/>
<testcase name="Bad" status="run" result="completed" classname="A"><failure message="x"/></testcase>
<testcase name="Not" status="run" result="skipped" classname="A"><skipped message="/w/a_test.cpp:7&#x0A;no IPv6 here&#x0A;"/></testcase>
<testcase name="DISABLED_Off" status="notrun" result="suppressed" classname="A"/>
</testsuite></testsuites>'''
PHPT = '''<?xml version="1.0"?><testsuites><testsuite>
<testcase name='/w/a/good.phpt (It works)' time='0.5'>
</testcase><testcase name='/w/a/bad.phpt (It (really) works)' time='0.25'>
<failure type='FAILED' message=''>001- yes
001+ no</failure></testcase><testcase name='/w/b/not.phpt (No)' time='0'><skipped>no curl</skipped></testcase>
<testcase name='/w/b/broken.phpt (X)' time='0'><error type='BORKED' message='no expectation'/></testcase>
</testsuite></testsuites>'''
CRASH = '''[ RUN      ] A.Good
[       OK ] A.Good (0 ms)
[ RUN      ] A.Bad/1
[  FAILED  ] A.Bad/1, where GetParam() = 7 (3 ms)
[ RUN      ] A.Crashes
Segmentation fault
'''
SKIP = '''[ RUN      ] A.Not
/w/a_test.cpp:7: Skipped
no IPv6 here

[  SKIPPED ] A.Not (0 ms)
[ RUN      ] A.Good
[       OK ] A.Good (0 ms)
'''


class Driver(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.log = pathlib.Path(self._folder.name) / 'x.log'

    def program(self, script):
        command = [sys.executable, '-c', script]
        return gtest.run_program('x', command, self.log, 5, {}, '*')

    def test_counts_a_result_file(self):
        self.log.write_text(XML, encoding='utf-8')
        self.assertEqual(gtest.count_xml(self.log), (1, ['A.Bad'], {'A.Not': 'no IPv6 here'}))

    def test_counts_the_output_of_a_crash(self):
        self.assertEqual(gtest.count_text(CRASH), (1, ['A.Bad/1', 'A.Crashes'], {}))

    def test_finds_skip_reasons_in_output(self):
        self.assertEqual(gtest.count_text(SKIP), (1, [], {'A.Not': 'no IPv6 here'}))

    def test_counts_phpt_files_by_folder(self):
        self.log.write_text(PHPT, encoding='utf-8')
        results = {name[3:-5]: value for name, value in phpt.read_results(self.log).items()}
        outcomes = list(phpt.by_folder('php', results, self.log.parent, self.log))
        self.assertEqual([(o.name, o.passed, o.failed, o.skipped) for o in outcomes],
                         [('php/a', 1, 1, 0), ('php/b', 0, 1, 1)])
        self.assertIn('    001+ no', outcomes[0].notes)
        self.assertIn('    no expectation', outcomes[1].notes)
        self.assertIn('skipped: b/not: no curl', outcomes[1].notes)
        self.assertEqual(outcomes[1].skip_reasons, ['no curl'])

    def test_incomplete_result_file_has_no_results(self):
        self.log.write_text(PHPT[:200], encoding='utf-8')
        self.assertEqual(phpt.read_results(self.log), {})

    def test_markers_select_phpt_files(self):
        folder = self.log.parent / 'php/tests/engine'
        folder.mkdir(parents=True)
        for name, marker in (('plain', ''), ('slow', 'not under: asan\n'), ('sampled', 'also under: valgrind\n')):
            (folder / f'{name}.phpt').write_text(f'--TEST--\nx\n--DESCRIPTION--\n{marker}--FILE--\n', encoding='utf-8')
        root = self.log.parent
        self.assertEqual(php_steps.core_tests(root, 'asan'), ['engine/plain', 'engine/sampled'])
        self.assertEqual(php_steps.core_tests(root, 'jit'), ['engine/plain', 'engine/sampled', 'engine/slow'])
        self.assertEqual(php_steps.valgrind_tests(root), ['engine/sampled'])

    def test_crash_is_a_failure(self):
        self.assertEqual(self.program('import os; os.abort()').failed, 1)

    def test_nonzero_exit_code_is_a_failure(self):
        self.assertEqual(self.program('raise SystemExit(66)').failed, 1)

    def test_timeout_kills_the_process_group(self):
        code, seconds = process.run(['sh', '-c', 'sleep 60 & sleep 60'], self.log, 0.2)
        self.assertIsNone(code)
        self.assertLess(seconds, 30)

    def test_filter_ignores_case_and_needs_every_word(self):
        program = names.Program('unit_event', ('Waker.StaleWakeDoesNothing', 'Event.Closes'))
        self.assertEqual(names.Selection(['waker.stale']).gtest_filter('tsan', program),
                         '*Waker*.StaleWakeDoesNothing*')
        self.assertEqual(names.Selection(['tsan', 'event']).gtest_filter('tsan', program), '*')
        self.assertIsNone(names.Selection(['tsan', 'event']).gtest_filter('release', program))

    def test_expected_lines_must_be_in_order(self):
        self.assertIsNone(check_step.missing_line('a\nc\n', 'a\nb\nc\n'))
        self.assertEqual(check_step.missing_line('c\na\n', 'a\nb\nc\n'), 'a')

    def test_excerpt_shows_output_of_failed_test(self):
        self.assertEqual(excerpt.excerpt(CRASH, ['A.Crashes']), ['[ RUN      ] A.Crashes', 'Segmentation fault'])
        self.assertEqual(excerpt.excerpt('fine\n==7== Invalid read\n==7== at f\n'), ['==7== Invalid read', '==7== at f'])

    def test_summary_counts_skips_only_if_any(self):
        self.assertEqual(report.summary(3, 0, 0), '3 passed, 0 failed')
        self.assertEqual(report.summary(3, 1, 2), '3 passed, 1 failed, 2 skipped')

    def test_script_skips_have_reasons(self):
        results = report.Report(self.log.parent, io.StringIO())
        builder = types.SimpleNamespace(log=lambda name: self.log, root=self.log.parent)
        check_step.run_script('gdb', ['echo', 'ok - a\nskip - core: no core file'], builder, results)
        self.assertEqual((results.totals(), results.outcomes[0].skip_reasons), ((1, 0, 1), ['core: no core file']))

    def test_skips_are_grouped_by_reason(self):
        outcomes = [report.Outcome('release/unit_io', 4, 0, 1, skip_reasons=['no IPv6 here']),
                    report.Outcome('tsan/unit_io', 3, 0, 3, skip_reasons=['no  fork\n', 'no IPv6 here']),
                    report.Outcome('tsan/unit_sync', 1, 0, 1, skip_reasons=['no IPv6 here'])]
        self.assertEqual(report.skip_lines(outcomes), ['skipped 3: no IPv6 here (release, tsan)',
                                                       'skipped 1: no fork (tsan)',
                                                       'skipped 1: no reason given (tsan)'])

    def test_last_lines_are_skips_duration_and_totals(self):
        stream = io.StringIO()
        results = report.Report(self.log.parent, stream)
        results.add(report.Outcome('gdb', 2, 0, 1, skip_reasons=['no core files']))
        results.close(125.4)
        self.assertEqual(stream.getvalue().splitlines()[-3:],
                         ['skipped 1: no core files (gdb)', 'took 2 min 5 s', '2 passed, 0 failed, 1 skipped'])

    def test_last_lines_without_skips(self):
        stream = io.StringIO()
        results = report.Report(self.log.parent, stream)
        results.add(report.Outcome('layers/tree', 1))
        results.close(59.4)
        self.assertEqual(stream.getvalue().splitlines()[-2:], ['took 59 s', '1 passed, 0 failed'])


if __name__ == '__main__':
    result_lines.main()
