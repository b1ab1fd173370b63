#!/usr/bin/env python3
"""Checks every #include in src/ and include/ against the table of allowed dependencies between modules below.

usage: check_layers.py [--root DIR] [--self-test]
Prints FILE:LINE and the broken rule for each violation. The exit code is 1 if there is a violation.
"""
import argparse
import pathlib
import re
import sys
import tempfile

# Module (folder of src/) -> modules it may include besides itself. Every module must be listed here.
ALLOWED_INCLUDES = {
    'base': set(),
    'context': {'base'},
    'event': {'base'},
    'reactor': {'base', 'event'},
    # The epoll reactor runs libuv's loop for signals, lookups and work, so these two modules include each other.
    'reactor/epoll': {'base', 'event', 'reactor', 'reactor/uv'},
    'reactor/uv': {'base', 'event', 'reactor', 'reactor/epoll'},
    'reactor/sim': {'base', 'event', 'reactor'},
    'scheduler': {'base', 'context', 'event', 'reactor'},
    'sync': {'base', 'event', 'reactor', 'scheduler'},
    'scope': {'base', 'event', 'reactor', 'scheduler', 'sync'},
    'pool': {'base', 'event', 'reactor', 'scheduler', 'sync'},
    'io': {'base', 'event', 'reactor', 'scheduler', 'sync'},
    'threads': {'base', 'event', 'reactor', 'scheduler', 'sync'},
    'tls': {'base', 'event', 'reactor', 'scheduler', 'io'},
    'runtime': {'base', 'context', 'event', 'reactor', 'reactor/epoll', 'reactor/uv', 'reactor/sim', 'scheduler', 'sync', 'scope',
                'pool', 'io', 'threads', 'tls', 'interpose'},
    'interpose': {'base', 'event', 'reactor', 'scheduler', 'threads'},
    'capi': {'base', 'event', 'reactor', 'scheduler', 'sync', 'scope', 'pool', 'io', 'threads', 'runtime'},
}

# Folder of include/trueasync/ -> module of its headers. Headers of one module may include each other.
PUBLIC_FOLDERS = {'c': 'capi', 'io': 'io', 'sync': 'sync', 'scope': 'scope', 'pool': 'pool', 'threads': 'threads'}
# The public headers (relative to include/) that are not in such a folder, and the exceptions of a folder.
PUBLIC_HEADERS = {
    'trueasync.h': 'capi',
    'trueasync/detail/access.hpp': 'base',
    'trueasync/detail/intrusive_list.hpp': 'base',
    'trueasync/detail/ref.hpp': 'base',
    'trueasync/error.hpp': 'base',
    'trueasync/export.hpp': 'base',
    'trueasync/histogram.hpp': 'base',
    'trueasync/source_location.hpp': 'base',
    'trueasync/detail/deadlock_handler.hpp': 'event',
    'trueasync/event.hpp': 'event',
    'trueasync/wait_options.hpp': 'event',
    'trueasync/cancel.hpp': 'scheduler',
    'trueasync/coroutine.hpp': 'scheduler',
    'trueasync/detail/coroutine_entry.hpp': 'scheduler',
    'trueasync/detail/current_coroutine.hpp': 'scheduler',
    'trueasync/host.hpp': 'scheduler',
    'trueasync/runtime.hpp': 'scheduler',
    'trueasync/task.hpp': 'scheduler',
    'trueasync/detail/channel_base.hpp': 'sync',
    'trueasync/detail/channel_iterator.hpp': 'sync',
    'trueasync/detail/channel_receive.hpp': 'sync',
    'trueasync/detail/channel_state.hpp': 'sync',
    'trueasync/detail/fixed_ring.hpp': 'sync',
    'trueasync/detail/future_chain.hpp': 'sync',
    'trueasync/detail/future_state.hpp': 'sync',
    'trueasync/detail/thread_channel_base.hpp': 'sync',
    'trueasync/detail/wait_queue.hpp': 'sync',
    'trueasync/threads/channel.hpp': 'sync',
    'trueasync/detail/await_collector.hpp': 'scope',
    'trueasync/detail/await_tuple.hpp': 'scope',
    'trueasync/detail/awaitable.hpp': 'scope',
    'trueasync/detail/iteration.hpp': 'scope',
    'trueasync/detail/task_group_base.hpp': 'scope',
    'trueasync/detail/task_group_core.hpp': 'scope',
    'trueasync/detail/pool_base.hpp': 'pool',
    'trueasync/io/tls.hpp': 'tls',
    'trueasync/detail/remote_call.hpp': 'threads',
    'trueasync/blocking.hpp': 'interpose',
    'trueasync/testing.hpp': 'runtime',
    'trueasync/time.hpp': 'runtime',
    'trueasync/trueasync.hpp': 'runtime',
}


def module_of_public(name):
    """The module of a public header, or None if it has none."""
    parts = name.split('/')
    folder = PUBLIC_FOLDERS.get(parts[1]) if len(parts) == 3 else None
    return PUBLIC_HEADERS.get(name, folder)


INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {'.cpp', '.hpp', '.h', '.c', '.S'}


def module_of_source(path):
    """The module of a path relative to src/ (the longest listed prefix), or None if no module contains it."""
    parts = pathlib.PurePosixPath(path).parts[:-1]
    for length in (2, 1):
        module = '/'.join(parts[:length])
        if len(parts) >= length and module in ALLOWED_INCLUDES:
            return module
    return None


def module_of_include(name, root):
    """The module of an included project header, or None for a system header."""
    if (root / 'include' / name).is_file() or module_of_public(name):
        return module_of_public(name)
    return module_of_source(name)


def check_line(module, is_public, bracket, name, root):
    """The rule that this #include breaks, or None."""
    if name in ('uv.h',) or name.startswith('uv/'):
        return None if module in ('reactor/epoll', 'reactor/uv') else 'only src/reactor/epoll and src/reactor/uv may include <uv.h>'
    if is_public and (root / 'src' / name).is_file():
        return f'public header includes internal header "{name}"'
    if name.startswith('.'):
        return f'"{name}": include paths must be relative to src/ or include/'
    target = module_of_include(name, root)
    if target is None:
        if bracket == '"' and not (root / 'include' / name).is_file():
            return f'"{name}" not found in src/ or include/'
        return None
    if target == module or target in ALLOWED_INCLUDES[module]:
        return None
    return f'{module} may not include {target} ("{name}")'


def check_file(path, module, is_public, root):
    for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
        match = INCLUDE.match(line)
        problem = match and check_line(module, is_public, match.group(1), match.group(2), root)
        if problem:
            yield f'{path.relative_to(root)}:{number}: {problem}'


def check_tree(root):
    """(number of checked files, list of violations) of the project at `root`."""
    problems, count = [], 0
    for top, module_of in (('src', module_of_source), ('include', module_of_public)):
        for path in sorted((root / top).rglob('*')):
            if path.suffix not in SOURCES:
                continue
            count += 1
            module = module_of(path.relative_to(root / top).as_posix())
            if module is None:
                problems.append(f'{path.relative_to(root)}:1: belongs to no module; add it to scripts/check_layers.py')
            else:
                problems += check_file(path, module, top == 'include', root)
    return count, problems


def self_test():
    """Checks a tree with known violations: exactly these must be reported."""
    planted = {
        'src/base/good.hpp': '#include <vector>\n#include "base/other.hpp"\n',
        'src/base/other.hpp': '#include "scheduler/scheduler.hpp"\n',
        'src/context/a.cpp': '#include "base/good.hpp"\n\n#include <uv.h>\n',
        'src/reactor/uv/timer.cpp': '#include <uv.h>\n#include "reactor/reactor.hpp"\n',
        'src/reactor/reactor.hpp': '#include "trueasync/event.hpp"\n#include "reactor/uv/timer.hpp"\n',
        'src/scheduler/scheduler.hpp': '#include "../base/good.hpp"\n#include "nowhere.hpp"\n',
        'src/cellar/wine.cpp': '',
        'include/trueasync/event.hpp': '#include "trueasync/error.hpp"\n#include "base/good.hpp"\n',
        'include/trueasync/error.hpp': '#include <trueasync/event.hpp>\n',
        'include/trueasync/unknown.hpp': '',
    }
    expected = {
        'src/base/other.hpp:1', 'src/context/a.cpp:3', 'src/reactor/reactor.hpp:2', 'src/scheduler/scheduler.hpp:1',
        'src/scheduler/scheduler.hpp:2', 'src/cellar/wine.cpp:1', 'include/trueasync/event.hpp:2',
        'include/trueasync/error.hpp:1', 'include/trueasync/unknown.hpp:1'
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in planted.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding='utf-8')
        found = {':'.join(problem.split(':')[:2]) for problem in check_tree(root)[1]}
    for location in sorted(expected | found):
        good = location in expected and location in found
        print(f'{"ok" if good else "not ok"} - {"found" if location in found else "missed"} {location}')
    return found == expected


def main():
    parser = argparse.ArgumentParser(description='Checks every #include against the allowed dependencies between modules.')
    parser.add_argument('--root', default=pathlib.Path(__file__).resolve().parent.parent, type=pathlib.Path)
    parser.add_argument('--self-test', action='store_true', help='check that known violations are reported')
    arguments = parser.parse_args()
    if arguments.self_test:
        return 0 if self_test() else 1
    count, problems = check_tree(arguments.root.resolve())
    for problem in problems:
        print(problem)
    print(f'{count} files, {len(problems)} violations')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
