#!/usr/bin/env python3
"""The environment of the steps of ./test does not depend on the shell. Prints 'ok - …' per test."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'scripts/testing'))
import environment  # noqa: E402
import result_lines  # noqa: E402

PREPARED = '''
import json, os, resource, signal, sys
sys.path.insert(0, sys.argv[1])
import environment
environment.prepare()
print(json.dumps({'umask': os.umask(0), 'files': resource.getrlimit(resource.RLIMIT_NOFILE)[0],
                  'quit': signal.getsignal(signal.SIGQUIT) == signal.SIG_DFL,
                  'blocked': len(signal.pthread_sigmask(signal.SIG_BLOCK, ())), 'environment': dict(os.environ)}))
'''


def prepared_from(shell_commands, variables):
    """The state of a process after prepare(), started by a shell that ran the given commands."""
    command = f'{shell_commands}; exec "$0" -B -c "$1" "$2"'
    done = subprocess.run(['sh', '-c', command, sys.executable, PREPARED, ROOT / 'scripts/testing'], env=variables,
                          stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


class Environment(unittest.TestCase):
    def test_locale_time_zone_and_folder_are_fixed(self):
        found = environment.variables({'LANG': 'de_DE.UTF-8', 'LANGUAGE': 'de', 'LC_ALL': 'tr_TR', 'LC_TIME': 'fr_FR',
                                       'TZ': 'Asia/Tokyo', 'TMPDIR': '/root/tmp', 'HOME': '/h', 'PATH': '/bin'})
        self.assertEqual(found, {'LC_ALL': 'C.UTF-8', 'TZ': 'UTC', 'TMPDIR': '/tmp', 'HOME': '/h',
                                 'PATH': '/bin:/usr/sbin:/sbin'})

    def test_proxies_servers_certificates_and_settings_are_removed(self):
        inherited = ('http_proxy', 'HTTPS_PROXY', 'no_proxy', 'PGHOST', 'MYSQL_HOST', 'CURL_CA_BUNDLE', 'SSL_CERT_FILE',
                 'OPENSSL_CONF', 'PHPRC', 'GTEST_FILTER', 'UV_THREADPOOL_SIZE', 'MALLOC_PERTURB_', 'PYTHONUNBUFFERED', 'CDPATH')
        found = environment.variables({name: 'x' for name in inherited})
        self.assertEqual(set(found) & set(inherited), set())

    def test_project_and_compiler_variables_are_kept(self):
        inherited = {'TRUEASYNC_JOBS': '1', 'CXXFLAGS': '-O1', 'LD_LIBRARY_PATH': '/x', 'CCACHE_DIR': '/c', 'PAGER': 'less'}
        self.assertEqual({**environment.variables(inherited), **inherited}, environment.variables(inherited))

    def test_home_and_path_have_defaults(self):
        found = environment.variables({})
        self.assertTrue(os.path.isabs(found['HOME']))
        self.assertEqual(found['PATH'], '/usr/bin:/bin:/usr/sbin:/sbin')

    def test_process_state_is_that_of_a_new_login(self):
        found = prepared_from('umask 077; trap "" QUIT; ulimit -S -n 300', {'PATH': os.environ['PATH'], 'LANG': 'xx'})
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        files = 1024 if hard == resource.RLIM_INFINITY else min(1024, hard)
        self.assertEqual((found['umask'], found['files'], found['quit'], found['blocked']), (0o022, files, True, 0))
        self.assertEqual(found['environment']['TZ'], 'UTC')
        self.assertNotIn('LANG', found['environment'])


if __name__ == '__main__':
    result_lines.main()
