#!/usr/bin/env python3
"""The test driver counts right: whole and broken results, filters, time limits. Prints 'ok - …' per test."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'scripts/testing'))
import check_steps  # noqa: E402
import excerpt  # noqa: E402
import gtest  # noqa: E402
import names  # noqa: E402
import process  # noqa: E402
import report  # noqa: E402
import result_lines  # noqa: E402

XML = '''<?xml version="1.0"?><testsuites><testsuite>
<testcase name="Good" status="run" result="completed" classname="A"/>
<testcase name="Bad" status="run" result="completed" classname="A"><failure message="x"/></testcase>
<testcase name="Not" status="run" result="skipped" classname="A"><skipped message="y"/></testcase>
<testcase name="DISABLED_Off" status="notrun" result="suppressed" classname="A"/>
</testsuite></testsuites>'''
CRASH = '''[ RUN      ] A.Good
[       OK ] A.Good (0 ms)
[ RUN      ] A.Bad/1
[  FAILED  ] A.Bad/1, where GetParam() = 7 (3 ms)
[ RUN      ] A.Crashes
Segmentation fault
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
        self.assertEqual(gtest.count_xml(self.log), (1, ['A.Bad'], ['A.Not']))

    def test_counts_the_output_of_a_crash(self):
        self.assertEqual(gtest.count_text(CRASH), (1, ['A.Bad/1', 'A.Crashes'], []))

    def test_a_crash_is_a_failure(self):
        self.assertEqual(self.program('import os; os.abort()').failed, 1)

    def test_a_bad_exit_code_is_a_failure(self):
        self.assertEqual(self.program('raise SystemExit(66)').failed, 1)

    def test_the_time_limit_ends_the_whole_group(self):
        code, seconds = process.run(['sh', '-c', 'sleep 60 & sleep 60'], self.log, 0.2)
        self.assertIsNone(code)
        self.assertLess(seconds, 30)

    def test_a_filter_is_case_blind_and_needs_every_word(self):
        program = names.Program('unit_event', ('Waker.StaleWakeDoesNothing', 'Event.Closes'))
        self.assertEqual(names.Selection(['waker.stale']).gtest_filter('tsan', program),
                         '*Waker*.StaleWakeDoesNothing*')
        self.assertEqual(names.Selection(['tsan', 'event']).gtest_filter('tsan', program), '*')
        self.assertIsNone(names.Selection(['tsan', 'event']).gtest_filter('release', program))

    def test_expected_lines_must_come_in_order(self):
        self.assertIsNone(check_steps.missing_line('a\nc\n', 'a\nb\nc\n'))
        self.assertEqual(check_steps.missing_line('c\na\n', 'a\nb\nc\n'), 'a')

    def test_an_excerpt_shows_what_the_failed_test_printed(self):
        self.assertEqual(excerpt.excerpt(CRASH, ['A.Crashes']), ['[ RUN      ] A.Crashes', 'Segmentation fault'])
        self.assertEqual(excerpt.excerpt('fine\n==7== Invalid read\n==7== at f\n'), ['==7== Invalid read', '==7== at f'])

    def test_skips_are_told_only_when_there_are_any(self):
        self.assertEqual(report.summary(3, 0, 0), '3 passed, 0 failed')
        self.assertEqual(report.summary(3, 1, 2), '3 passed, 1 failed, 2 skipped')


if __name__ == '__main__':
    result_lines.main()
