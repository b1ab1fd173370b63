"""Runs phpt files in the installed PHP with an extension built with ASan and UBSan."""
import subprocess

from phpt import run_phpt
from report import Outcome

PRESET = 'asan-ubsan'
TIMEOUT = 600
# PHP loads extensions with RTLD_DEEPBIND, which ASan rejects.
_WITHOUT_DEEPBIND = 'tests/php/without_deepbind.c'
_OPTIONS = 'detect_leaks=0:verify_asan_link_order=0'  # the engine does not free all of its memory at exit


def _library(name):
    return subprocess.run(['gcc', f'-print-file-name={name}'], capture_output=True, text=True, check=True).stdout.strip()


def _make_php(builder):
    """A script that runs PHP with ASan preloaded."""
    folder = builder.root / 'build/php-asan'
    folder.mkdir(parents=True, exist_ok=True)
    shim = folder / 'without_deepbind.so'
    subprocess.run(['gcc', '-shared', '-fPIC', '-o', shim, builder.root / _WITHOUT_DEEPBIND], check=True)
    program = folder / 'php'
    program.write_text(f'#!/bin/sh\nLD_PRELOAD="{shim} {_library("libasan.so")}" USE_ZEND_ALLOC=0 '
                       f'ASAN_OPTIONS={_OPTIONS} exec php "$@"\n', encoding='utf-8')
    program.chmod(0o755)
    return program


def run_asan(items, builder, report):
    if not builder.build(PRESET, ['true_async']):
        return
    try:
        program = _make_php(builder)
    except (OSError, subprocess.CalledProcessError) as error:
        report.add(Outcome('php-asan', 0, 1, 0, 0, [f'cannot prepare PHP with ASan: {error}']))
        return
    run_phpt('php-asan', items, builder, report, env={'TEST_PHP_EXECUTABLE': str(program)}, timeout=TIMEOUT,
             preset=PRESET)
