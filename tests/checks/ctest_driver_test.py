#!/usr/bin/env python3
"""The CTest driver: counting of complete and incomplete results, selection, excerpts. Prints 'ok - …' per test."""
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'scripts/testing'))
sys.path.insert(0, str(ROOT / 'scripts/ctest'))
import check_output  # noqa: E402
import excerpt  # noqa: E402
import main as driver  # noqa: E402
import phpt  # noqa: E402
import result_lines  # noqa: E402
import results  # noqa: E402

PHPT = '''<?xml version="1.0"?><testsuites><testsuite>
<testcase name='/w/a/good.phpt (It works)' time='0.5'>
</testcase><testcase name='/w/a/bad.phpt (It (really) works)' time='0.25'>
<failure type='FAILED' message=''>001- yes
001+ no</failure></testcase><testcase name='/w/b/not.phpt (No)' time='0'><skipped>no curl</skipped></testcase>
<testcase name='/w/b/broken.phpt (X)' time='0'><error type='BORKED' message='no expectation'/></testcase>
</testsuite></testsuites>'''
CRASH = '''[==========] Running 3 tests
[ RUN      ] A.Good
[       OK ] A.Good (0 ms)
[ RUN      ] A.Bad/1
[  FAILED  ] A.Bad/1, where GetParam() = 7 (3 ms)
[ RUN      ] A.Crashes
Segmentation fault
'''
SKIP = '''[==========] Running 2 tests
[ RUN      ] A.Not
/w/a_test.cpp:7: Skipped
no IPv6 here

[  SKIPPED ] A.Not (0 ms)
[ RUN      ] A.Good
[       OK ] A.Good (0 ms)
'''


def case(output, status='run', child=''):
    """Result of a test with this output."""
    element = ElementTree.fromstring(f'<testcase name="x" time="1.5" status="{status}">{child}<system-out/></testcase>')
    element.find('system-out').text = output
    return results.read_case('release', element)


class Driver(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def test_test_that_did_not_finish_has_failed(self):
        found = case(CRASH, 'fail', '<failure message="SEGFAULT"/>')
        self.assertEqual((found.passed, found.failed, found.skipped), (1, ['A.Bad/1', 'A.Crashes'], []))

    def test_finds_skip_reasons_in_output(self):
        found = case(SKIP)
        self.assertEqual((found.passed, found.failed, found.skipped), (1, [], ['no IPv6 here']))

    def test_counts_lines_of_a_script(self):
        found = case('ok - a\nnot ok - b: why\nskip - core: no core file\n', 'fail', '<failure message="Failed"/>')
        self.assertEqual((found.passed, found.failed, found.skipped), (1, ['b: why'], ['core: no core file']))

    def test_command_without_lines_is_one_check(self):
        self.assertEqual(results.totals([case('hello\n')]), (1, 0, 0))

    def test_nonzero_exit_code_is_a_failure(self):
        self.assertEqual(case('ok - a\n', 'fail', '<failure message="Failed"/>').failed, ['Failed'])

    def test_timeout_is_a_failure(self):
        self.assertEqual(case('', 'fail', '<failure message="Timeout"/>').failed, ['Timeout'])

    def test_program_that_is_missing_is_a_failure(self):
        found = case('', 'notrun', '<skipped message="Required Files Missing"/>')
        self.assertEqual(found.failed, ['could not run: Required Files Missing'])

    def test_skip_return_code_is_a_skip(self):
        found = case('no docker\n', 'notrun', '<skipped message="SKIP_RETURN_CODE=77"/>')
        self.assertEqual((found.failed, found.skipped), ([], ['no docker']))

    def test_phpt_results_are_lines(self):
        path = self.folder / 'results.xml'
        path.write_text(PHPT, encoding='utf-8')
        found = {name[3:-5]: value for name, value in phpt.read_results(path).items()}
        lines = list(phpt.result_lines(['a/good', 'a/bad', 'b/not', 'b/broken', 'b/lost'], found, self.folder))
        self.assertEqual(lines, ['ok - a/good', 'not ok - a/bad', '    001- yes', '    001+ no', 'skip - b/not: no curl',
                                 'not ok - b/broken', '    no expectation', 'not ok - b/lost',
                                 '    no result: run-tests.php ended early'])

    def test_incomplete_result_file_has_no_results(self):
        path = self.folder / 'results.xml'
        path.write_text(PHPT[:200], encoding='utf-8')
        self.assertEqual(phpt.read_results(path), {})

    def test_markers_select_phpt_files(self):
        folder = self.folder / 'engine'
        folder.mkdir(parents=True)
        for name, marker in (('plain', ''), ('slow', 'not under: asan\n'), ('sampled', 'also under: valgrind\n')):
            (folder / f'{name}.phpt').write_text(f'--TEST--\nx\n--DESCRIPTION--\n{marker}--FILE--\n', encoding='utf-8')
        self.assertEqual(phpt.core_tests('asan', self.folder), ['engine/plain', 'engine/sampled'])
        self.assertEqual(phpt.core_tests('jit', self.folder), ['engine/plain', 'engine/sampled', 'engine/slow'])
        self.assertEqual(phpt.valgrind_tests(self.folder), ['engine/sampled'])

    def test_needed_files_are_targets_of_the_build(self):
        tests = [{'name': 'a', 'properties': [{'name': 'REQUIRED_FILES', 'value': ['/b/bin/a', '/b/php/x.so']}]},
                 {'name': 'b', 'properties': [{'name': 'LABELS', 'value': ['check']}]}]
        self.assertEqual(driver.needed_files(tests, pathlib.Path('/b')), ['bin/a', 'php/x.so'])

    def test_expected_lines_must_be_in_order(self):
        self.assertIsNone(check_output.missing_line('a\nc\n', 'a\nb\nc\n'))
        self.assertEqual(check_output.missing_line('c\na\n', 'a\nb\nc\n'), 'a')

    def test_excerpt_shows_output_of_failed_test(self):
        self.assertEqual(excerpt.excerpt(CRASH, ['A.Crashes']), ['[ RUN      ] A.Crashes', 'Segmentation fault'])
        self.assertEqual(excerpt.excerpt('fine\n==7== Invalid read\n==7== at f\n'), ['==7== Invalid read', '==7== at f'])

    def test_summary_counts_skips_only_if_any(self):
        self.assertEqual(results.summary(3, 0, 0), '3 passed, 0 failed')
        self.assertEqual(results.summary(3, 1, 2), '3 passed, 1 failed, 2 skipped')

    def test_skips_are_grouped_by_reason(self):
        found = [results.Result('release/unit_io', 4, skipped=['no IPv6 here']),
                 results.Result('tsan/unit_io', 3, skipped=['no  fork\n', 'no IPv6 here', '']),
                 results.Result('tsan/unit_sync', 1, skipped=['no IPv6 here'])]
        self.assertEqual(results.skip_lines(found), ['skipped 3: no IPv6 here (release, tsan)', 'skipped 1: no fork (tsan)',
                                                     'skipped 1: no reason given (tsan)'])

    def test_duration_has_minutes_and_seconds(self):
        self.assertEqual((results.duration(59.4), results.duration(125.4)), ('59 s', '2 min 5 s'))


if __name__ == '__main__':
    result_lines.main()
