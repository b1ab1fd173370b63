#!/usr/bin/env python3
"""usage: main.py [--list] [PRESET...] [WORD...]
Builds and runs the test presets of CMakePresets.json one after another and adds up their results. PRESET runs only these
presets. WORD runs only the tests whose name PRESET/TEST contains every given word, ignoring case. --list prints the names.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / 'scripts/ctest'), str(ROOT / 'scripts/testing')]
import environment  # noqa: E402  pylint: disable=wrong-import-position
from excerpt import excerpt  # noqa: E402  pylint: disable=wrong-import-position
from results import Result, duration, read_results, skip_lines, slowest_line, summary, totals  # noqa: E402

LOGS = ROOT / 'build/logs'
JOBS = os.environ.get('TRUEASYNC_JOBS') or str(os.cpu_count() or 1)
# Test presets of CMakePresets.json, cheapest information first.
PRESETS = ('release', 'asan-ubsan', 'asan-use-after-return', 'tsan', 'clang', 'boost', 'aarch64', 'fuzz')
OUTPUT_SIZE = '100000000'  # bytes of a test's output that CTest keeps
_TEST_LINE = re.compile(r'^ *\d+/\d+ Test +#')
_PROGRESS = re.compile(r'^\[\d+/\d+\]')


def configure_presets():
    """Test preset -> configure preset."""
    presets = json.loads((ROOT / 'CMakePresets.json').read_text(encoding='utf-8'))['testPresets']
    by_name = {preset['name']: preset for preset in presets}

    def find(preset):
        return preset.get('configurePreset') or find(by_name[preset['inherits']])

    return {name: find(by_name[name]) for name in PRESETS}


def run_logged(command, log):
    """The exit code; the output goes to the file `log`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, 'wb') as file:
        return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                              check=False).returncode


def configure(preset):
    """Whether CMake could configure the preset. A directory that was moved or is incomplete is configured again."""
    command = ['cmake', '--preset', preset, '-DTRUEASYNC_BUILD_TESTS=ON']
    if preset in ('release', 'clang'):
        command.append('-DTRUEASYNC_BUILD_EXAMPLES=ON')  # ./run configures release without them
    log = LOGS / f'configure-{preset}.log'
    return run_logged(command, log) == 0 or run_logged([*command, '--fresh'], log) == 0


def select(preset, words):
    """CTest's description of the tests of the preset whose name PRESET/TEST contains every word, ignoring case."""
    command = ['ctest', '--preset', preset, '--show-only=json-v1']
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    tests = json.loads(listed[listed.find('{'):])['tests'] if '{' in listed else []
    return [test for test in tests if all(word in f'{preset}/{test["name"]}'.lower() for word in words)]


def needed_files(tests, directory):
    """The files in the build directory that the tests need, as targets of ninja."""
    files = set()
    for test in tests:
        properties = {item['name']: item['value'] for item in test.get('properties', ())}
        files.update(properties.get('REQUIRED_FILES', ()))
    return sorted(str(pathlib.Path(file).relative_to(directory)) for file in files)


def build(preset, tests):
    """None, or the failed build as a result. Everything that compiles is built, so that the other tests can run."""
    directory = ROOT / 'build' / preset
    targets = needed_files(tests, directory)
    log = LOGS / f'build-{preset}.log'
    started = time.monotonic()
    if not targets or run_logged(['ninja', '-C', directory, '-k', '0', f'-j{JOBS}', *targets], log) == 0:
        return None
    lines = log.read_text(encoding='utf-8', errors='replace').splitlines()
    errors = '\n'.join(line for line in lines if not _PROGRESS.match(line))
    return Result(f'{preset}/build', 0, ['does not build'], [], time.monotonic() - started, errors)


def run_tests(preset, tests, everything):
    """Runs the tests with CTest, which prints a line per test, and returns their results."""
    results = LOGS / f'{preset}.xml'
    results.unlink(missing_ok=True)
    command = ['ctest', '--preset', preset, f'-j{JOBS}', '--output-junit', results,
               '--test-output-size-passed', OUTPUT_SIZE, '--test-output-size-failed', OUTPUT_SIZE]
    if not everything:
        command += ['-R', '^(' + '|'.join(re.escape(test['name']) for test in tests) + ')$']
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, errors='replace') as ctest:
        for line in ctest.stdout:
            if _TEST_LINE.match(line):  # the output of failed tests is shortened below
                print(line, end='', flush=True)
    if not results.is_file():
        return [Result(preset, 0, [f'ctest exited with {ctest.returncode} and wrote no results'])]
    return read_results(preset, results)


def print_failure(result):
    print(f'FAIL  {result.name}')
    for reason in result.failed[:20]:
        print(f'        {reason}')
    log = LOGS / (re.sub(r'[^\w.-]+', '-', result.name) + '.log')
    log.write_text(result.output, encoding='utf-8')
    print(f'        --- from {log.relative_to(ROOT)} ---')
    for line in excerpt(result.output, result.failed):
        print(f'        {line}')


def run_preset(preset, configured, words):
    """The results of the selected tests of one preset."""
    if not configure(configured):
        text = (LOGS / f'configure-{configured}.log').read_text(encoding='utf-8', errors='replace')
        return [Result(f'{preset}/configure', 0, ['CMake could not configure the build'], output=text)]
    tests = select(preset, words)
    if not tests:
        return []
    print(f'--- {preset}: building', flush=True)
    broken = build(configured, tests)
    results = [broken] if broken else []
    print(f'--- {preset}: running {len(tests)} tests', flush=True)
    return results + run_tests(preset, tests, not words)


def list_tests(configured):
    for preset, build_preset in configured.items():
        if configure(build_preset):
            print('\n'.join(f'{preset}/{test["name"]}' for test in select(preset, ())))
    return 0


def running_seconds():
    """Seconds since the process started."""
    fields = pathlib.Path('/proc/self/stat').read_text(encoding='utf-8').rpartition(')')[2].split()
    return time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf('SC_CLK_TCK')


def main(arguments):
    unknown = [word for word in arguments if word.startswith('-') and word != '--list']
    if unknown:
        print(f'error: unknown option {unknown[0]}; see scripts/ctest/main.py', file=sys.stderr)
        return 2
    if not pathlib.Path('/proc/self/fd').is_dir():
        print('error: /proc is not mounted; run mount -t proc proc /proc', file=sys.stderr)
        return 2
    environment.prepare()
    configured = configure_presets()
    if '--list' in arguments:
        return list_tests(configured)
    words = [word.lower() for word in arguments]
    presets = [word for word in words if word in configured] or list(configured)
    words = [word for word in words if word not in configured]
    results = []
    for preset in presets:
        new = run_preset(preset, configured[preset], words)
        for result in new:
            if result.failed:
                print_failure(result)
        results += new
    if not results:
        print(f'error: no test name contains {" and ".join(repr(word) for word in words)}; --list prints the names',
              file=sys.stderr)
        return 2
    lines = [*skip_lines(results), slowest_line(results), f'took {duration(running_seconds())}', summary(*totals(results))]
    print('\n'.join(lines), flush=True)
    return 1 if totals(results)[1] else 0


def stop(*_):
    """Signal handler of an interrupted run: ends every process of this process group."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    print('\ninterrupted', file=sys.stderr)
    os._exit(130)


if __name__ == '__main__':
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    sys.exit(main(sys.argv[1:]))
