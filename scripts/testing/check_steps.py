"""The steps that are no unit tests: layers, headers, format, spec tables, examples, installation, scripts, gdb."""
import concurrent.futures
import dataclasses
import re
import typing

import process
from build import JOBS
from gtest import describe_exit
from gtest_steps import without_randomisation
from report import Outcome

_TAP = re.compile(r'^(ok|not ok|skip) - (.*)$', re.MULTILINE)
EXAMPLE_LIMIT = 30
FUZZ_SECONDS = 20
SERVERS_LIMIT = 1800  # with a hundred thousand transactions


@dataclasses.dataclass(frozen=True)
class CheckStep:
    """`items(root)` names what it checks (for the filter); `run(items, builder, report)` does it."""
    name: str
    items: typing.Callable
    run: typing.Callable


def run_script(name, command, builder, report, timeout=300):
    """A script that prints 'ok - …', 'not ok - …' or 'skip - …' per check; without such lines it is one check."""
    report.progress(f'running {name} ...')
    log = builder.log(name)
    code, seconds = process.run(command, log, timeout, cwd=builder.root)
    lines = _TAP.findall(log.read_text(encoding='utf-8', errors='replace'))
    count = {word: sum(1 for w, _ in lines if w == word) for word in ('ok', 'not ok', 'skip')}
    notes = [f'{word}: {text}' for word, text in lines if word != 'ok']
    passed, failed = count['ok'], count['not ok']
    if code != 0:
        notes.append(describe_exit(code, timeout))
        failed = max(failed, 1)
    elif not lines:
        passed = 1
    report.add(Outcome(name, passed, failed, count['skip'], seconds, notes, log))


def _script_step(name, *commands):
    """A step of plain commands: (item name, command)."""

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


def missing_line(expected, output):
    """The first expected text that does not stand in a line of the output, in order, or None."""
    lines = iter(output.splitlines())
    for wanted in (line.rstrip() for line in expected.splitlines() if line.strip()):
        if not any(wanted.strip() in line for line in lines):
            return wanted
    return None


def _run_example(name, builder, report):
    full_name = f'examples/{name}'
    report.progress(f'running {full_name} ...')
    log = builder.log(full_name)
    code, seconds = process.run([builder.directory('release') / 'examples' / name], log, EXAMPLE_LIMIT)
    expected = builder.root / 'examples/expected' / f'{name}.txt'
    notes = []
    if code != 0:
        notes.append(describe_exit(code, EXAMPLE_LIMIT))
    elif expected.is_file():
        output = log.read_text(encoding='utf-8', errors='replace')
        wanted = missing_line(expected.read_text(encoding='utf-8'), output)
        if wanted is not None:
            notes.append(f'this line of {expected.relative_to(builder.root)} is missing, or out of order: {wanted}')
    report.add(Outcome(full_name, 0 if notes else 1, 1 if notes else 0, 0, seconds, notes, log))


def _run_examples(items, builder, report):
    built = builder.build('release', [f'example_{name}' for name in items])
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(lambda name: _run_example(name, builder, report),
                      [name for name in items if f'example_{name}' in built]))


def _library_script_step(name, script):
    """A script that needs the release libraries; it gets the build directory and a folder for its own files."""

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
    """Real servers that are killed while a program uses them; once as it is shipped, once with the sanitizers."""
    for preset, wrapper in (('release', ()), ('asan-ubsan', without_randomisation())):
        target = 'database_client'
        if not builder.build(preset, [target]):
            continue
        directory = builder.directory(preset)
        for item in items:
            extension = directory / 'extensions' / f'trueasync_{item}.so'
            command = [*wrapper, 'python3', '-B', 'tests/servers/run.py', item, directory / 'bin' / target, extension]
            run_script(f'servers/{item}/{preset}', command, builder, report, SERVERS_LIMIT)


def _fuzzers(root):
    return [path.stem for path in sorted((root / 'tests/fuzz').glob('*.cpp'))]


def _run_fuzzers(items, builder, report):
    """What was found stays in build/fuzz as a file that the same program takes as its argument."""
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
    _script_step('spec', ('self-test', ['python3', '-B', 'scripts/spec_tables.py', '--self-test']),
                 ('tables', ['python3', '-B', 'scripts/spec_tables.py', '--check'])),
    _script_step('format', ('clang-format', ['scripts/format', '--check'])),
    CheckStep('drivers', _driver_tests, _run_driver_tests),
    CheckStep('headers', _public_headers, _run_headers),
)
LATE = (
    CheckStep('examples', _examples, _run_examples),
    CheckStep('web', lambda root: ['http_server'], _run_web),
    CheckStep('servers', lambda root: ['redis', 'postgres'], _run_servers),
    CheckStep('fuzz', _fuzzers, _run_fuzzers),
    _library_script_step('scripts', 'tests/checks/scripts.sh'),
    _library_script_step('install', 'tests/install/run.sh'),
    _library_script_step('abi', 'tests/abi/run.sh'),
    _library_script_step('gdb', 'tests/gdb/run.sh'),
)
