"""usage: upstream.py EXTENSION.so [FOLDER ...]

Runs the phpt files of PHP's Debian source package twice: with plain PHP, and with the extension loaded and its runtime
started, so that every blocking call is interposed. Prints the tests with different results. FOLDER is a folder of the
source tree, such as ext/sockets/tests; the default is the tests of streams, processes, sockets, curl and databases.
Needs apt with the Debian archive and xz (package xz-utils); all files are in build/php-upstream. Database tests are
skipped without a server; put scripts/servers/run_with.py before the command to run them.
"""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'scripts/testing'))
from phpt import read_results, run_tests_script  # noqa: E402

WORK = ROOT / 'build/php-upstream'
FOLDERS = ('ext/standard/tests/streams', 'ext/standard/tests/network', 'ext/standard/tests/http',
           'ext/standard/tests/general_functions', 'ext/standard/tests/file', 'ext/sockets/tests', 'ext/openssl/tests',
           'ext/curl/tests', 'ext/pdo/tests', 'ext/pdo_sqlite/tests', 'ext/pdo_pgsql/tests', 'ext/pdo_mysql/tests',
           'ext/mysqli/tests', 'ext/pgsql/tests', 'ext/session/tests')
SOURCES = '''Types: deb-src
URIs: {uri}
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
'''


def archive_uri():
    """The Debian archive that apt is configured to use."""
    for path in [pathlib.Path('/etc/apt/sources.list'), *pathlib.Path('/etc/apt/sources.list.d').glob('*')]:
        for word in path.read_text(encoding='utf-8').split() if path.is_file() else ():
            if word.startswith('http') and word.rstrip('/').endswith('/debian'):
                return word
    sys.exit('error: apt has no Debian archive among its sources')


def fetch():
    """Downloads the source package if needed and returns the tree; only its tests are unpacked."""
    found = sorted(WORK.glob('php-8*'))
    if found:
        return found[0]
    for name in ('parts', 'lists'):
        (WORK / name).mkdir(parents=True, exist_ok=True)
    (WORK / 'parts/source.sources').write_text(SOURCES.format(uri=archive_uri()), encoding='utf-8')
    apt = ['apt-get', '-qq', '-o', 'Dir::Etc::sourcelist=/dev/null', '-o', f'Dir::Etc::sourceparts={WORK}/parts',
           '-o', f'Dir::State::lists={WORK}/lists', '-o', 'APT::Sandbox::User=root']
    subprocess.run([*apt, 'update'], check=True)
    subprocess.run([*apt, '--download-only', 'source', 'php8.2'], check=True, cwd=WORK)
    archive = next(WORK.glob('php8.2_*.orig.tar.xz'))
    subprocess.run(['tar', 'xf', archive, '--wildcards', '*/tests/*', '*/run-tests.php'], check=True, cwd=WORK)
    return next(WORK.glob('php-8*'))


def server_environment():
    """The environment variables of PHP's tests, derived from those of run_with.py."""
    servers = {name: os.environ.get(f'TRUEASYNC_{name}') for name in
               ('PGSQL_DSN', 'PGSQL_USER', 'PGSQL_CONNINFO', 'MYSQL_DSN', 'MYSQL_USER', 'MYSQL_PASSWORD', 'MYSQL_HOST',
                'MYSQL_PORT')}
    variables = {}
    if servers['PGSQL_DSN']:
        variables.update(PDO_PGSQL_TEST_DSN=f'{servers["PGSQL_DSN"]};user={servers["PGSQL_USER"]}',
                         PGSQL_TEST_CONNSTR=servers['PGSQL_CONNINFO'])
    if servers['MYSQL_DSN']:
        variables.update(PDO_MYSQL_TEST_DSN=servers['MYSQL_DSN'], PDO_MYSQL_TEST_USER=servers['MYSQL_USER'],
                         PDO_MYSQL_TEST_PASS=servers['MYSQL_PASSWORD'], MYSQL_TEST_HOST=servers['MYSQL_HOST'],
                         MYSQL_TEST_PORT=servers['MYSQL_PORT'], MYSQL_TEST_USER=servers['MYSQL_USER'],
                         MYSQL_TEST_PASSWD=servers['MYSQL_PASSWORD'], MYSQL_TEST_DB='test')
    return variables


def run(name, tree, folders, options):
    """{file: (word, seconds, text)} of one run, on a separate copy of the tree because tests leave files behind."""
    work = WORK / name
    shutil.rmtree(work, ignore_errors=True)
    for folder in folders:
        shutil.copytree(tree / folder, work / folder)
    for helper in tree.glob('ext/*/tests/*.inc'):
        (work / helper.relative_to(tree)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(helper, work / helper.relative_to(tree))
    results = {}
    for folder in folders:
        print(f'{name}: {folder} ...', flush=True)
        results.update(run_folder(work, folder, options))
    return results


def run_folder(work, folder, options):
    result = work / 'results.xml'
    result.unlink(missing_ok=True)
    # Database tests share one database.
    jobs = 1 if 'sql' in folder else 2
    with open(work / f'{folder.replace("/", "-")}.log', 'w', encoding='utf-8') as log:
        subprocess.run(['php', '-n', run_tests_script(), '-q', '--no-color', '--no-progress', '--set-timeout', '60',
                        f'-j{jobs}', *options, folder], cwd=work, stdout=log, stderr=log, check=False,
                       env={**os.environ, **server_environment(), 'TEST_PHP_EXECUTABLE': shutil.which('php'),
                            'TEST_PHP_SRCDIR': str(work), 'TEST_PHP_JUNIT': str(result), 'NO_INTERACTION': '1',
                            'SKIP_SLOW_TESTS': '1', 'SKIP_ONLINE_TESTS': '1'})
    return read_results(result)


def main(extension, *folders):
    tree = fetch()
    folders = folders or [folder for folder in FOLDERS if (tree / folder).is_dir()]
    # Plain PHP also gets a prepended file and a live object, like the main coroutine: tests print object ids.
    prepends = {'plain': 'final class Kept { public static $object; } Kept::$object = new stdClass();',
                'ours': 'Async\\suspend();'}
    results = {}
    for name, code in prepends.items():
        prepended = WORK / f'prepend_{name}.php'
        prepended.write_text(f'<?php {code}\n', encoding='utf-8')
        load = ('-d', f'extension={pathlib.Path(extension).resolve()}') if name == 'ours' else ()
        results[name] = run(name, tree, folders, (*load, '-d', f'auto_prepend_file={prepended}'))
    plain, ours = results['plain'], results['ours']
    count = {word: sum(1 for value in plain.values() if value[0] == word) for word in ('passed', 'failed', 'skipped')}
    print(f'plain PHP: {count["passed"]} passed, {count["failed"]} failed, {count["skipped"]} skipped')
    differing = [file for file, value in sorted(plain.items()) if ours.get(file, ('missing',))[0] != value[0]]
    for file in differing:
        print(f'differs: {file}: plain {plain[file][0]}, with the extension {ours.get(file, ("missing",))[0]}')
    equal = len(plain) - len(differing)
    print(f'{equal} passed, {len(differing)} failed')
    return 1 if differing else 0


if __name__ == '__main__':
    if len(sys.argv) < 2 or not pathlib.Path(sys.argv[1]).is_file():
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
