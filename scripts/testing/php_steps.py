"""The steps of the PHP extension: generated files, the phpt suite in several configurations, examples, fuzzer, install."""
import os
import re
import shutil

import process
from check_step import CheckStep, check_example, run_script
from gtest import describe_exit
from php_asan import run_asan
from phpt import PHP_IS_MISSING, NoPhp, find_tests, run_phpt
from report import Outcome

# The folders that depend most on the engine. They run a second time with the JIT and under ASan.
CORE = ('engine', 'coroutine', 'await', 'errors', 'fiber', 'output', 'shutdown', 'gc', 'channel', 'future', 'scope',
        'pool')
# The section --DESCRIPTION-- of a test may contain these lines:
# - 'also under: valgrind': about two seconds per test, hence a sample. Not possible for fibers: Debian's PHP does not
#   register their stacks with valgrind.
# - 'not under: asan': servers that must answer in time, limits of time and memory, stack overflows (ASan installs its own
#   handler), very many coroutines.
# - 'not under: jit': the test loads opcache itself.
VALGRIND_TIMEOUT = 400
JIT = ('-d', 'zend_extension=opcache', '-d', 'opcache.enable=1', '-d', 'opcache.enable_cli=1',
       '-d', 'opcache.jit=tracing', '-d', 'opcache.jit_buffer_size=32M')
# These tests need PostgreSQL, MariaDB and Redis; scripts/servers/run_with.py starts them and documents the variables.
WITH_SERVERS = ('pdo', 'hook')
FUZZ_SECONDS = 10
EXAMPLE_TIMEOUT = 30
INSTALL_TIMEOUT = 900
SERVERS_TIMEOUT = 400


def has_marker(root, test, marker):
    """Whether the file of `test` has the line `marker`."""
    lines = (root / 'php/tests' / f'{test}.phpt').read_text(encoding='utf-8', errors='replace').splitlines()
    return marker in lines


def core_tests(root, step):
    """The tests of the core folders without the marker 'not under: <step>'."""
    return [test for test in find_tests(root)
            if test.split('/')[0] in CORE and not has_marker(root, test, f'not under: {step}')]


def valgrind_tests(root):
    return [test for test in find_tests(root) if has_marker(root, test, 'also under: valgrind')]


def needs_servers(test):
    return test.split('/')[0] in WITH_SERVERS


def _with_extension(name, function):
    """A step that needs PHP and the release build of the extension."""

    def run(items, builder, report):
        if not (builder.root / 'php/src').is_dir():
            return
        if not shutil.which('php') or not shutil.which('php-config'):
            report.add(Outcome(name, 0, 0, len(items), 0, [PHP_IS_MISSING], skip_reasons=[PHP_IS_MISSING] * len(items)))
        elif builder.build('release', ['true_async']):
            try:
                function(items, builder, report)
            except NoPhp as error:
                report.add(Outcome(name, 0, 1, 0, 0, [str(error)]))

    return run


def _phpt_step(name, choose, options=(), env=None, timeout=240):

    def run(items, builder, report):
        run_phpt(name, items, builder, report, options, env, timeout)

    return CheckStep(name, choose, _with_extension(name, run))


def _run_with_servers(items, builder, report):
    prefix = ['python3', builder.root / 'scripts/servers/run_with.py']
    run_phpt('php-servers', items, builder, report, timeout=SERVERS_TIMEOUT, prefix=prefix)


def _php(builder, extensions=()):
    files = [*extensions, builder.directory('release') / 'php/true_async.so']
    return ['php', '-n', *(word for file in files for word in ('-d', f'extension={file}'))]


def _needs(program):
    """The PHP modules that a program lists in a line such as '// needs: pdo pdo_sqlite'."""
    found = re.search(r'^// needs: (.*)$', program.read_text(encoding='utf-8'), re.MULTILINE)
    return found.group(1).split() if found else []


def _needs_servers(program):
    return re.search('^// servers: ', program.read_text(encoding='utf-8'), re.MULTILINE)


def _examples(root):
    return [path.stem for path in sorted((root / 'examples/php').glob('*.php'))]


def _run_examples(items, builder, report):
    folder = builder.root / 'examples/php'
    for item in items:
        program, expected = folder / f'{item}.php', folder / 'expected' / f'{item}.txt'
        servers = ['python3', builder.root / 'scripts/servers/run_with.py'] if _needs_servers(program) else []
        command = [*servers, *_php(builder, _needs(program)), program]
        check_example(f'php-examples/{item}', command, expected, EXAMPLE_TIMEOUT, builder, report)


def _run_docs(_, builder, report):
    # The PHP programs of the documentation; the step docs checks everything else there.
    php = ' '.join(map(str, _php(builder)))
    run_script('php-docs', ['python3', '-B', 'scripts/check_docs.py', '--php', php], builder, report)


def _run_fuzz(items, builder, report):
    seconds = int(os.environ.get('TRUEASYNC_FUZZ_SECONDS') or FUZZ_SECONDS)
    for item in items:
        name = f'php-fuzz/{item}'
        log = builder.log(name)
        command = [*_php(builder), builder.root / 'php/tests/fuzz' / f'{item}.php']
        timeout = seconds * 4 + 60
        code, took = process.run(command, log, timeout, env={'TRUEASYNC_FUZZ_SECONDS': str(seconds)})
        notes = [] if code == 0 else [f'{describe_exit(code, timeout)}; the log contains the seed']
        report.add(Outcome(name, int(code == 0), int(code != 0), 0, took, notes, log))


def _run_install(_, builder, report):
    run_script('php-install', ['bash', 'tests/php/install.sh', builder.root / 'build/php-install'], builder, report,
               INSTALL_TIMEOUT)


def _run_signatures(_, builder, report):
    run_script('php-signatures', [*_php(builder), 'php/tools/signatures.php'], builder, report)


def _run_generated(_, builder, report):
    if shutil.which('php'):
        run_script('php-generated', ['php', '-n', 'php/tools/generate.php', '--check'], builder, report)
    else:
        report.add(Outcome('php-generated', 0, 0, 1, 0, [PHP_IS_MISSING], skip_reasons=[PHP_IS_MISSING]))


EARLY = (CheckStep('php-generated', lambda root: [''], _run_generated),)
LATE = (
    _phpt_step('php', lambda root: [test for test in find_tests(root) if not needs_servers(test)]),
    CheckStep('php-servers', lambda root: [test for test in find_tests(root) if needs_servers(test)],
              _with_extension('php-servers', _run_with_servers)),
    _phpt_step('php-jit', lambda root: core_tests(root, 'jit'), JIT),
    # The JIT of PCRE reads past the end of its subject strings by design.
    _phpt_step('php-valgrind', valgrind_tests, ('-m', '-d', 'pcre.jit=0'),
               {'VALGRIND_OPTS': '--suppressions={root}/tests/checks/valgrind.supp', 'TRUEASYNC_HOOK_COROUTINES': '40'},
               VALGRIND_TIMEOUT),
    CheckStep('php-asan', lambda root: core_tests(root, 'asan'),
              _with_extension('php-asan', run_asan)),
    CheckStep('php-signatures', lambda root: [''], _with_extension('php-signatures', _run_signatures)),
    CheckStep('php-examples', _examples, _with_extension('php-examples', _run_examples)),
    CheckStep('php-docs', lambda root: ['programs'], _with_extension('php-docs', _run_docs)),
    CheckStep('php-fuzz', lambda root: [path.stem for path in sorted((root / 'php/tests/fuzz').glob('*.php'))],
              _with_extension('php-fuzz', _run_fuzz)),
    CheckStep('php-install', lambda root: ['phpize'], _run_install),
)
