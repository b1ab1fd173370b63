"""The steps that are not unit tests: layers, language, headers, format, examples, installation, scripts, gdb and more."""
import concurrent.futures

import php_steps
from build import JOBS
from check_step import CheckStep, check_example, run_script
from gtest_steps import without_randomization

EXAMPLE_TIMEOUT = 30
FUZZ_SECONDS = 20
SERVERS_TIMEOUT = 1800  # the workload has 100 000 transactions


def _script_step(name, *commands):
    """A step that runs commands, given as (item name, command)."""

    def run(items, builder, report):
        for item, command in commands:
            if item in items:
                run_script(f'{name}/{item}', command, builder, report)

    return CheckStep(name, lambda root: [item for item, _ in commands], run)


def _public_headers(root):
    return [path.relative_to(root / 'include').as_posix() for path in sorted((root / 'include').rglob('*.h*'))]


def _run_headers(items, builder, report):
    run_script('headers', ['python3', '-B', 'scripts/check_headers.py', f'-j{JOBS}', *items], builder, report)


def _driver_tests(root):
    return [path.stem for path in sorted((root / 'tests/checks').glob('*_test.py'))]


def _run_driver_tests(items, builder, report):
    for item in items:
        run_script(f'drivers/{item}', ['python3', '-B', f'tests/checks/{item}.py'], builder, report)


def _examples(root):
    return [path.stem for path in sorted((root / 'examples').glob('*.c*')) if path.suffix in ('.c', '.cpp')]


def _run_example(name, builder, report):
    command = [builder.directory('release') / 'examples' / name]
    expected = builder.root / 'examples/expected' / f'{name}.txt'
    check_example(f'examples/{name}', command, expected, EXAMPLE_TIMEOUT, builder, report)


def _run_examples(items, builder, report):
    built = builder.build('release', [f'example_{name}' for name in items])
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(lambda name: _run_example(name, builder, report),
                      [name for name in items if f'example_{name}' in built]))


def _library_script_step(name, script):
    """A step that runs a script with two arguments: the release build directory and a folder for the script's files."""

    def run(items, builder, report):
        targets = ['trueasync_static', 'trueasync_shared']
        if set(builder.build('release', targets)) == set(targets):
            work = builder.root / 'build' / f'{name}-test'
            run_script(name, ['bash', script, builder.directory('release'), work], builder, report)

    return CheckStep(name, lambda root: [''] if (root / script).is_file() else [], run)


def _run_web(_, builder, report):
    target = 'example_http_server'
    if builder.build('release', [target]):
        server = builder.directory('release') / 'examples/http_server'
        run_script('web', ['python3', '-B', 'tests/web/run.py', server], builder, report)


def _run_servers(items, builder, report):
    """Tests with real servers that are killed during use, in the release build and with the sanitizers."""
    for preset, wrapper in (('release', ()), ('asan-ubsan', without_randomization())):
        target = 'database_client'
        if not builder.build(preset, [target]):
            continue
        directory = builder.directory(preset)
        for item in items:
            extension = directory / 'extensions' / f'trueasync_{item}.so'
            command = [*wrapper, 'python3', '-B', 'tests/servers/run.py', item, directory / 'bin' / target, extension]
            run_script(f'servers/{item}/{preset}', command, builder, report, SERVERS_TIMEOUT)


def _run_blocking(items, builder, report):
    """The examples of blocking client libraries, with the servers they need."""
    for item in items:
        if builder.build('release', [f'example_{item}']):
            command = ['python3', '-B', builder.root / 'scripts/servers/run_with.py',
                       builder.directory('release') / 'examples' / item]
            expected = builder.root / f'examples/expected/{item}_served.txt'
            check_example(f'servers/{item}', command, expected, SERVERS_TIMEOUT, builder, report)


def _fuzzers(root):
    return [path.stem for path in sorted((root / 'tests/fuzz').glob('*.cpp'))]


def _run_fuzzers(items, builder, report):
    """A failing input is kept as a file in build/fuzz; pass it to the same program to reproduce the failure."""
    for target in builder.build('fuzz', [f'fuzz_{item}' for item in items]):
        name = target.removeprefix('fuzz_')
        corpus = builder.directory('fuzz') / 'corpus' / name
        corpus.mkdir(parents=True, exist_ok=True)
        sources = builder.root / 'tests/fuzz'
        words = [f'-dict={path}' for path in sources.glob(f'{name}.dict')]
        words += [corpus, *sources.glob(f'{name}.seeds')]
        command = [builder.directory('fuzz') / 'tests' / target, f'-max_total_time={FUZZ_SECONDS}', '-max_len=4096',
                   '-print_final_stats=1', f'-artifact_prefix={builder.directory("fuzz")}/', *words]
        run_script(f'fuzz/{name}', command, builder, report)


EARLY = (
    _script_step('layers', ('self-test', ['python3', '-B', 'scripts/check_layers.py', '--self-test']),
                 ('tree', ['python3', '-B', 'scripts/check_layers.py'])),
    _script_step('language', ('self-test', ['python3', '-B', 'scripts/check_language.py', '--self-test']),
                 ('tree', ['python3', '-B', 'scripts/check_language.py']),
                 ('commits', ['python3', '-B', 'scripts/check_language.py', '--commits'])),
    _script_step('spec', ('self-test', ['python3', '-B', 'scripts/spec_tables.py', '--self-test']),
                 ('tables', ['python3', '-B', 'scripts/spec_tables.py', '--check'])),
    _script_step('format', ('clang-format', ['scripts/format', '--check'])),
    _script_step('docs', ('self-test', ['python3', '-B', 'scripts/check_docs.py', '--self-test']),
                 ('pages', ['python3', '-B', 'scripts/check_docs.py']), ('site', ['scripts/build-docs'])),
    CheckStep('drivers', _driver_tests, _run_driver_tests),
    CheckStep('headers', _public_headers, _run_headers),
    *php_steps.EARLY,
)
LATE = (
    CheckStep('examples', _examples, _run_examples),
    CheckStep('web', lambda root: ['http_server'], _run_web),
    CheckStep('servers', lambda root: ['redis', 'postgres'], _run_servers),
    CheckStep('blocking', lambda root: ['blocking_postgres'], _run_blocking),
    CheckStep('fuzz', _fuzzers, _run_fuzzers),
    _library_script_step('scripts', 'tests/checks/scripts.sh'),
    _library_script_step('install', 'tests/install/run.sh'),
    _library_script_step('abi', 'tests/abi/run.sh'),
    _library_script_step('gdb', 'tests/gdb/run.sh'),
    *php_steps.LATE,
)
