"""The environment of every step. It does not depend on the machine or the shell that starts ./test."""
import os
import pwd
import re
import resource
import signal

# TMPDIR must be accessible to PostgreSQL and MariaDB, which do not run as root, and short: a Unix socket path has at
# most 107 bytes.
SETTINGS = {'LC_ALL': 'C.UTF-8', 'TZ': 'UTC', 'TMPDIR': '/tmp'}
# Variables that change the behavior of tested programs and tools: messages, proxies, servers, certificates, settings.
REMOVED = re.compile(
    r'LANG|LANGUAGE|LC_(?!ALL$).*|.*_proxy|PG[A-Z]+|MYSQL_.*|CURL_.*|SSL_CERT_(FILE|DIR)|OPENSSL_.*|PHPRC'
    r'|PHP_INI_SCAN_DIR|USE_ZEND_ALLOC|TEST_PHP_.*|GTEST_.*|VALGRIND_OPTS|UV_.*|MALLOC_.*|GLIBC_TUNABLES|STRACE_OPTS'
    r'|PYTHON.*|CDPATH|BASH_ENV|POSIXLY_CORRECT', re.IGNORECASE)
SYSTEM_PROGRAMS = ('/usr/sbin', '/sbin')  # not in the PATH of an ordinary user
# Soft limits of a new Debian system. A test that needs more raises the limit up to the hard limit.
LIMITS = {resource.RLIMIT_NOFILE: 1024, resource.RLIMIT_STACK: 8 << 20, resource.RLIMIT_CORE: 0}


def _home():
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:  # the user has no passwd entry, e.g. in a container
        return '/'


def variables(inherited):
    """The variables of the steps, derived from those of the caller."""
    kept = {name: value for name, value in inherited.items() if not REMOVED.fullmatch(name)}
    path = kept.get('PATH', '/usr/bin:/bin').split(':')
    path += [folder for folder in SYSTEM_PROGRAMS if folder not in path]
    return {**kept, 'HOME': kept.get('HOME') or _home(), **SETTINGS, 'PATH': ':'.join(path)}


def _set_limits():
    for limit, wanted in LIMITS.items():
        _, hard = resource.getrlimit(limit)
        resource.setrlimit(limit, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _reset_signals():
    """nohup and shells without job control ignore signals, and tests would inherit this through exec."""
    for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:  # subprocess resets these two
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def prepare():
    """Applies the environment to this process; its children inherit it."""
    wanted = variables(os.environ)
    for name in set(os.environ) - set(wanted):
        del os.environ[name]
    os.environ.update(wanted)
    os.umask(0o022)
    _set_limits()
    _reset_signals()
