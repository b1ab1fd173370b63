"""usage: upstream.py EXTENSION.so [FOLDER ...]

Runs PHP's own phpt files, from Debian's source package, twice – with PHP as it is, and with the extension loaded and its
runtime running, so that every blocking call goes through ours – and tells which end otherwise. FOLDER is one of the
source tree, like ext/sockets/tests; without any, those about streams, processes, sockets, curl and databases. Needs apt
with the Debian archive, and xz (Debian: xz-utils); everything lands in build/php-upstream. The databases' own tests are skipped by themselves
without a server: scripts/servers/run_with.py before the command runs all.
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
    """The one this machine's apt uses."""
    for path in [pathlib.Path('/etc/apt/sources.list'), *pathlib.Path('/etc/apt/sources.list.d').glob('*')]:
        for word in path.read_text(encoding='utf-8').split() if path.is_file() else ():
            if word.startswith('http') and word.rstrip('/').endswith('/debian'):
                return word
    sys.exit('error: no Debian archive among the sources of apt')


def fetch():
    """The source tree; only its tests are unpacked."""
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


def where_servers_are():
    """What PHP's tests want to know, from what ours are told."""
    told = {name: os.environ.get(f'TRUEASYNC_{name}') for name in
            ('PGSQL_DSN', 'PGSQL_USER', 'PGSQL_CONNINFO', 'MYSQL_DSN', 'MYSQL_USER', 'MYSQL_PASSWORD', 'MYSQL_HOST',
             'MYSQL_PORT')}
    wanted = {}
    if told['PGSQL_DSN']:
        wanted.update(PDO_PGSQL_TEST_DSN=f'{told["PGSQL_DSN"]};user={told["PGSQL_USER"]}',
                      PGSQL_TEST_CONNSTR=told['PGSQL_CONNINFO'])
    if told['MYSQL_DSN']:
        wanted.update(PDO_MYSQL_TEST_DSN=told['MYSQL_DSN'], PDO_MYSQL_TEST_USER=told['MYSQL_USER'],
                      PDO_MYSQL_TEST_PASS=told['MYSQL_PASSWORD'], MYSQL_TEST_HOST=told['MYSQL_HOST'],
                      MYSQL_TEST_PORT=told['MYSQL_PORT'], MYSQL_TEST_USER=told['MYSQL_USER'],
                      MYSQL_TEST_PASSWD=told['MYSQL_PASSWORD'], MYSQL_TEST_DB='test')
    return wanted


def run(name, tree, folders, options):
    """{file: (word, seconds, text)} of one run, on a tree of its own: tests leave files behind."""
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
    # Those about databases share one.
    jobs = 1 if 'sql' in folder else 2
    with open(work / f'{folder.replace("/", "-")}.log', 'w', encoding='utf-8') as log:
        subprocess.run(['php', '-n', run_tests_script(), '-q', '--no-color', '--no-progress', '--set-timeout', '60',
                        f'-j{jobs}', *options, folder], cwd=work, stdout=log, stderr=log, check=False,
                       env={**os.environ, **where_servers_are(), 'TEST_PHP_EXECUTABLE': shutil.which('php'),
                            'TEST_PHP_SRCDIR': str(work), 'TEST_PHP_JUNIT': str(result), 'NO_INTERACTION': '1',
                            'SKIP_SLOW_TESTS': '1', 'SKIP_ONLINE_TESTS': '1'})
    return read_results(result)


def main(extension, *folders):
    tree = fetch()
    folders = folders or [folder for folder in FOLDERS if (tree / folder).is_dir()]
    # Plain PHP gets a file before it, too, and an object that lives on, as main's does: tests print the numbers of theirs.
    begins = {'plain': 'final class Kept { public static $object; } Kept::$object = new stdClass();',
              'ours': 'Async\\suspend();'}
    results = {}
    for name, code in begins.items():
        begin = WORK / f'begin_{name}.php'
        begin.write_text(f'<?php {code}\n', encoding='utf-8')
        load = ('-d', f'extension={pathlib.Path(extension).resolve()}') if name == 'ours' else ()
        results[name] = run(name, tree, folders, (*load, '-d', f'auto_prepend_file={begin}'))
    plain, ours = results['plain'], results['ours']
    count = {word: sum(1 for value in plain.values() if value[0] == word) for word in ('passed', 'failed', 'skipped')}
    print(f'plain PHP: {count["passed"]} passed, {count["failed"]} failed, {count["skipped"]} skipped')
    others = [file for file, value in sorted(plain.items()) if ours.get(file, ('missing',))[0] != value[0]]
    for file in others:
        print(f'differs: {file}: {plain[file][0]} becomes {ours.get(file, ("missing",))[0]}')
    same = len(plain) - len(others)
    print(f'{same} passed, {len(others)} failed')
    return 1 if others else 0


if __name__ == '__main__':
    if len(sys.argv) < 2 or not pathlib.Path(sys.argv[1]).is_file():
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
