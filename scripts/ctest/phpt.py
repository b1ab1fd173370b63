#!/usr/bin/env python3
"""usage: phpt.py CONFIGURATION EXTENSION WORK_DIR [FILTER]
Runs the phpt files of php/tests with PHP's run-tests.php and prints 'ok - …', 'not ok - …' or 'skip - …' per file.

CONFIGURATION: plain, servers (the files that need PostgreSQL, MariaDB, Redis and nginx), jit, valgrind or asan.
EXTENSION: the file true_async.so. WORK_DIR: a copy of the tests, where run-tests.php writes its files.
FILTER: runs only the files whose path in php/tests contains it.
"""
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / 'php/tests'
TEST_SECONDS = 60
SHOWN_FAILURES = 20  # with the difference
SHOWN_LINES = 30
PHP_IS_MISSING = 'php or php-config is missing (Debian: php8.2-cli, php8.2-dev)'
_NAME = re.compile(r'^(.*\.phpt) \(.*\)$', re.DOTALL)

# These folders need the servers that scripts/servers/run_with.py starts; it documents their variables.
WITH_SERVERS = ('pdo', 'hook')
# The folders that depend most on the engine. They run a second time with the JIT and under ASan.
CORE = ('engine', 'coroutine', 'await', 'errors', 'fiber', 'output', 'shutdown', 'gc', 'channel', 'future', 'scope',
        'pool')
JIT = ('-d', 'zend_extension=opcache', '-d', 'opcache.enable=1', '-d', 'opcache.enable_cli=1',
       '-d', 'opcache.jit=tracing', '-d', 'opcache.jit_buffer_size=32M')
# PHP loads extensions with RTLD_DEEPBIND, which ASan rejects.
_WITHOUT_DEEPBIND = ROOT / 'tests/php/without_deepbind.c'
_ASAN_OPTIONS = 'detect_leaks=0:verify_asan_link_order=0'  # the engine does not free all of its memory at exit


class NoPhp(Exception):
    """PHP or its development files are missing; the message names them."""


@dataclasses.dataclass(frozen=True)
class Configuration:
    tests: list  # names: folder/name
    options: tuple = ()  # of run-tests.php
    environment: dict = dataclasses.field(default_factory=dict)
    prefix: tuple = ()  # words before the command


def find_tests(folder=TESTS):
    """Names of all tests: folder/name."""
    return [path.relative_to(folder).with_suffix('').as_posix() for path in sorted(folder.rglob('*.phpt'))]


def has_marker(folder, test, marker):
    """Whether the file of `test` has the line `marker`.

    The section --DESCRIPTION-- of a test may contain these lines:
    - 'also under: valgrind': about two seconds per test, hence a sample. Not possible for fibers: Debian's PHP does not
      register their stacks with valgrind.
    - 'not under: asan': servers that must answer in time, limits of time and memory, stack overflows (ASan installs its
      own handler), very many coroutines.
    - 'not under: jit': the test loads opcache itself.
    """
    return marker in (folder / f'{test}.phpt').read_text(encoding='utf-8', errors='replace').splitlines()


def core_tests(configuration, folder=TESTS):
    """The tests of the core folders without the marker 'not under: <configuration>'."""
    return [test for test in find_tests(folder)
            if test.split('/')[0] in CORE and not has_marker(folder, test, f'not under: {configuration}')]


def valgrind_tests(folder=TESTS):
    return [test for test in find_tests(folder) if has_marker(folder, test, 'also under: valgrind')]


def needs_servers(test):
    return test.split('/')[0] in WITH_SERVERS


def configure(name, work):
    if name == 'plain':
        return Configuration([test for test in find_tests() if not needs_servers(test)])
    if name == 'servers':
        return Configuration([test for test in find_tests() if needs_servers(test)],
                             prefix=(sys.executable, ROOT / 'scripts/servers/run_with.py'))
    if name == 'jit':
        return Configuration(core_tests('jit'), JIT)
    if name == 'valgrind':
        # The JIT of PCRE reads past the end of its subject strings by design.
        return Configuration(valgrind_tests(), ('-m', '-d', 'pcre.jit=0'),
                             {'VALGRIND_OPTS': f'--suppressions={ROOT}/tests/checks/valgrind.supp',
                              'TRUEASYNC_HOOK_COROUTINES': '40'})
    if name == 'asan':
        return Configuration(core_tests('asan'), environment={'TEST_PHP_EXECUTABLE': str(make_php_with_asan(work))})
    sys.exit(f'error: unknown configuration {name}\n{__doc__}')


def make_php_with_asan(work):
    """A script that runs PHP with ASan preloaded."""
    shim, program = work / 'without_deepbind.so', work / 'php'
    subprocess.run(['gcc', '-shared', '-fPIC', '-o', shim, _WITHOUT_DEEPBIND], check=True)
    library = _output(['gcc', '-print-file-name=libasan.so'])
    program.write_text(f'#!/bin/sh\nLD_PRELOAD="{shim} {library}" USE_ZEND_ALLOC=0 ASAN_OPTIONS={_ASAN_OPTIONS} '
                       'exec php "$@"\n', encoding='utf-8')
    program.chmod(0o755)
    return program


def _output(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def run_tests_script():
    """run-tests.php of the PHP that php-config belongs to."""
    if not shutil.which('php') or not shutil.which('php-config'):
        raise NoPhp(PHP_IS_MISSING)
    # Debian's folder, and the default of PHP's own installation.
    folders = (f'{_output(["php-config", "--extension-dir"])}/build',
               f'{_output(["php-config", "--prefix"])}/lib/php/build')
    for folder in folders:
        script = pathlib.Path(folder) / 'run-tests.php'
        if script.is_file():
            return script
    raise NoPhp(f'run-tests.php not found in {" or ".join(folders)} (Debian: php8.2-dev)')


def read_results(path):
    """{phpt file: (passed, failed or skipped; failure text or skip reason)} of a result file. Empty if the file is missing
    or incomplete."""
    try:
        cases = list(ElementTree.parse(path).getroot().iter('testcase'))
    except (OSError, ElementTree.ParseError):
        return {}
    results = {}
    for case in cases:
        word, text = 'passed', ''
        for child in case:
            word = 'skipped' if child.tag == 'skipped' else 'failed'
            text = (child.text or '') or child.get('message') or ''
        results[_NAME.sub(r'\1', case.get('name'))] = (word, text)
    return results


def result_lines(tests, results, work):
    """One line per test, followed by the differences of the first failures. A test without a result has failed."""
    shown = 0
    for test in tests:
        word, text = results.get(test, ('failed', 'no result: run-tests.php ended early'))
        if word == 'passed':
            yield f'ok - {test}'
        elif word == 'skipped':
            yield f'skip - {test}: {" ".join(text.split())}'
        else:
            yield f'not ok - {test}'
            if shown < SHOWN_FAILURES:
                yield from (f'    {line}' for line in _details(work, test, text))
            shown += 1


def _details(work, test, text):
    """Valgrind's report, or the difference from the expected output."""
    memory = work / f'{test}.mem'
    if memory.is_file() and memory.stat().st_size > 0:
        text = memory.read_text(encoding='utf-8', errors='replace')
    lines = text.strip().splitlines()
    return lines[:SHOWN_LINES] + ([f'({len(lines) - SHOWN_LINES} more lines)'] if len(lines) > SHOWN_LINES else [])


def run(configuration, extension, work):
    """{test: result} of the tests of the configuration."""
    result = work / 'results.xml'
    jobs = os.environ.get('TRUEASYNC_JOBS') or os.cpu_count() or 1
    command = [*configuration.prefix, 'php', '-n', run_tests_script(), '-n', '-q', '--no-color', '--no-progress',
               '--set-timeout', TEST_SECONDS, f'-j{jobs}', *configuration.options, '-d', f'extension={extension}',
               *(work / f'{test}.phpt' for test in configuration.tests)]
    environment = {**os.environ, 'TEST_PHP_EXECUTABLE': shutil.which('php'), 'TEST_PHP_JUNIT': str(result),
                   'NO_INTERACTION': '1', **configuration.environment}
    with open(work / 'output.log', 'wb') as output:
        subprocess.run([str(word) for word in command], cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                       stderr=subprocess.STDOUT, check=False)
    return {_test_name(file, work): value for file, value in read_results(result).items()}


def _test_name(file, work):
    path = (work / file).resolve()
    return path.relative_to(work).with_suffix('').as_posix() if path.is_relative_to(work) else file


def main():
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    name, extension, work = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(TESTS, work)
    try:
        configuration = configure(name, work)
        if len(sys.argv) > 4:
            tests = [test for test in configuration.tests if sys.argv[4] in test]
            configuration = dataclasses.replace(configuration, tests=tests)
        results = run(configuration, extension, work)
    except NoPhp as error:
        print(f'skip - {error}')
        return 0
    failed = False
    for line in result_lines(configuration.tests, results, work):
        failed = failed or line.startswith('not ok')
        print(line)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
