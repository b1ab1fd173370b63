"""Runs phpt files with PHP's own run-tests.php and counts them by folder."""
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import process
from build import JOBS
from gtest import describe_exit
from report import Outcome

_NAME = re.compile(r'^(.*\.phpt) \(.*\)$', re.DOTALL)
TEST_SECONDS = 60
SHOWN_FAILURES = 5  # per folder, with the difference
SHOWN_LINES = 30
PHP_IS_MISSING = 'php or php-config is missing (Debian: php8.2-cli, php8.2-dev)'


class NoPhp(Exception):
    """PHP or its development files are missing; the message names them."""


def run_tests_script():
    """run-tests.php of the PHP that php-config belongs to."""
    if not shutil.which('php') or not shutil.which('php-config'):
        raise NoPhp(PHP_IS_MISSING)
    # Debian's folder, and the default of PHP's own installation.
    folders = (f'{_php_config("--extension-dir")}/build', f'{_php_config("--prefix")}/lib/php/build')
    for folder in folders:
        script = pathlib.Path(folder) / 'run-tests.php'
        if script.is_file():
            return script
    raise NoPhp(f'run-tests.php not found in {" or ".join(folders)} (Debian: php8.2-dev)')


def _php_config(option):
    return subprocess.run(['php-config', option], capture_output=True, text=True, check=True).stdout.strip()


def find_tests(root):
    """Names of all tests: folder/name."""
    folder = root / 'php/tests'
    return [path.relative_to(folder).with_suffix('').as_posix() for path in sorted(folder.rglob('*.phpt'))]


def read_results(path):
    """{phpt file: (passed, failed or skipped; seconds; failure text or skip reason)} of a result file. Empty if the file is
    missing or incomplete."""
    try:
        cases = list(ElementTree.parse(path).getroot().iter('testcase'))
    except (OSError, ElementTree.ParseError):
        return {}
    results = {}
    for case in cases:
        file = _NAME.sub(r'\1', case.get('name'))
        word, text = 'passed', ''
        for child in case:
            word = 'skipped' if child.tag == 'skipped' else 'failed'
            text = (child.text or '') or child.get('message') or ''
        results[file] = (word, float(case.get('time') or 0), text)
    return results


def run_phpt(step, tests, builder, report, options=(), env=None, timeout=240, prefix=(), preset='release'):
    """Runs `tests` (names from find_tests) on a copy of their folder and reports one outcome per subfolder.
    `prefix`: arguments before the command; `preset`: the build of the extension."""
    report.progress(f'running {step}: {len(tests)} phpt files ...')
    work = builder.root / 'build/php-tests' / step
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(builder.root / 'php/tests', work)  # run-tests.php writes files next to the tests
    result, log = work / 'results.xml', builder.log(step)
    extension = builder.directory(preset) / 'php/true_async.so'
    command = [*prefix, 'php', '-n', run_tests_script(), '-n', '-q', '--no-color', '--no-progress', '--set-timeout',
               TEST_SECONDS, f'-j{JOBS}', *options, '-d', f'extension={extension}',
               *(work / f'{test}.phpt' for test in tests)]
    code, seconds = process.run(command, log, timeout, cwd=work, env={
        'TEST_PHP_EXECUTABLE': shutil.which('php'), 'TEST_PHP_JUNIT': str(result), 'NO_INTERACTION': '1',
        **{name: value.replace('{root}', str(builder.root)) for name, value in (env or {}).items()}})
    results = {_test_name(file, work): value for file, value in read_results(result).items()}
    missing = [test for test in tests if test not in results]
    for outcome in by_folder(step, {test: results[test] for test in tests if test in results}, work, log):
        report.add(outcome)
    if missing:
        notes = [f'{len(missing)} phpt files have no result: {" ".join(missing[:5])} …', describe_exit(code, timeout)]
        report.add(Outcome(f'{step}/unfinished', 0, len(missing), 0, seconds, notes, log))


def _test_name(file, work):
    path = (work / file).resolve()
    return path.relative_to(work).with_suffix('').as_posix() if path.is_relative_to(work) else file


def by_folder(step, results, work, log):
    """One outcome per folder, with the differences of the first failures."""
    folders = {}
    for test, value in results.items():
        folders.setdefault(test.rpartition('/')[0], {})[test] = value
    for folder, tests in sorted(folders.items()):
        words = [word for word, _, _ in tests.values()]
        skips = {test: text.strip() for test, (word, _, text) in tests.items() if word == 'skipped'}
        notes = [f'skipped: {test}: {reason}' for test, reason in skips.items()]
        failed = [(test, text) for test, (word, _, text) in tests.items() if word == 'failed']
        for number, (test, text) in enumerate(failed):
            notes.append(f'failed: {test}')
            if number < SHOWN_FAILURES:
                notes += [f'    {line}' for line in _details(work, test, text)]
        seconds = sum(time for _, time, _ in tests.values())
        whole_log = log if len(failed) > SHOWN_FAILURES else None
        yield Outcome(f'{step}/{folder}', words.count('passed'), len(failed), words.count('skipped'), seconds, notes,
                      whole_log, skip_reasons=list(skips.values()))


def _details(work, test, text):
    """Valgrind's report, or the difference from the expected output."""
    memory = work / f'{test}.mem'
    if memory.is_file() and memory.stat().st_size > 0:
        text = memory.read_text(encoding='utf-8', errors='replace')
    lines = text.strip().splitlines()
    return lines[:SHOWN_LINES] + ([f'({len(lines) - SHOWN_LINES} more lines)'] if len(lines) > SHOWN_LINES else [])
