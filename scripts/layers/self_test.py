"""Checks a tree with one violation of each kind: exactly these must be reported."""
import dataclasses
import pathlib
import tempfile

from . import check, document
from .rules import LISTS, Rules

MODULES = {
    'base': ('', ()),
    'context': ('', ('base',)),
    'event': ('', ('base',)),
    'reactor': ('', ('base', 'event')),
    'reactor/uv': ('', ('reactor',)),
    'scheduler': ('', ('base', 'event', 'context')),
}
RULES = Rules(
    modules=MODULES,
    public_folders={},
    public_headers={
        'trueasync/error.hpp': 'base', 'trueasync/event.hpp': 'event', 'trueasync/detail/list.hpp': 'base',
        'trueasync/detail/state.hpp': 'event'
    },
    uv_modules=('reactor/uv',),
    outside=('php/src', 'examples', 'benchmarks'),
    uv_folders=('benchmarks/peers/libuv',),
    lists={
        'private_includes': ['php/src/listed.cpp reactor/reactor.hpp', 'php/src/listed.cpp uv.h', 'php/src/gone.cpp uv.h'],
        'detail_includes': ['php/src/listed.cpp trueasync/detail/state.hpp', 'src/scheduler/gone.cpp trueasync/detail/state.hpp'],
        'friends': ['src/base/friends.hpp detail::Access', 'src/base/friends.hpp find', 'src/base/friends.hpp Gone'],
        'thread_locals': ['src/base/locals.cpp buffers', 'src/base/locals.cpp gone'],
    },
)
PLANTED = {
    # includes of modules
    'src/base/good.hpp': '#include <vector>\n#include "base/other.hpp"\n',
    'src/base/other.hpp': '#include "scheduler/scheduler.hpp"\n',
    'src/context/a.cpp': '#include "base/good.hpp"\n\n#include <uv.h>\n',
    'src/reactor/uv/timer.cpp': '#include <uv.h>\n#include "reactor/reactor.hpp"\n',
    'src/reactor/reactor.hpp': '#include "trueasync/event.hpp"\n#include "base/good.hpp"\n#include "reactor/uv/timer.hpp"\n',
    'src/scheduler/scheduler.hpp': '#include "../base/good.hpp"\n#include "nowhere.hpp"\n',
    'src/scheduler/run.cpp': '#include "trueasync/event.hpp"\n#include "trueasync/error.hpp"\n',
    'src/cellar/wine.cpp': '',
    'include/trueasync/event.hpp': '#include "trueasync/error.hpp"\n#include "base/good.hpp"\n'
                                   '#include "trueasync/detail/state.hpp"\n',
    'include/trueasync/error.hpp': '#include <trueasync/event.hpp>\n',
    'include/trueasync/unknown.hpp': '',
    # detail headers
    'include/trueasync/detail/list.hpp': '',
    'include/trueasync/detail/state.hpp': '',
    'src/event/event.cpp': '#include "trueasync/detail/state.hpp"\n#include "trueasync/detail/list.hpp"\n',
    'src/scheduler/wait.cpp': '#include "trueasync/detail/list.hpp"\n#include "trueasync/detail/state.hpp"\n',
    # other folders
    'php/src/engine/own.hpp': '#include "engine/other.hpp"\n',
    'php/src/engine/other.hpp': '#include "trueasync/event.hpp"\n',
    'php/src/listed.cpp': '#include "reactor/reactor.hpp"\n#include <uv.h>\n#include "trueasync/detail/state.hpp"\n',
    'php/src/private.cpp': '#include "engine/own.hpp"\n#include "reactor/reactor.hpp"\n',
    'php/src/detail.cpp': '#include "trueasync/detail/list.hpp"\n',
    'examples/uv.cpp': '#include <uv.h>\n#include <trueasync/event.hpp>\n',
    'benchmarks/peers/libuv/main.cpp': '#include <uv.h>\n',
    # include cycles: error.hpp <-> event.hpp above, and this one
    'src/event/one.hpp': '#include "event/two.hpp"\n',
    'src/event/two.hpp': '#include "event/three.hpp"\n',
    'src/event/three.hpp': '#include "event/one.hpp"\n',
    # friends and thread-local variables
    'src/base/friends.hpp': '// friend class Comment;\nclass A {\n  friend struct detail::Access;\n  friend class B;\n'
                            '  friend bool operator==(A, A);\n  friend int find(A) noexcept;\n  friend void take(A&);\n'
                            '  friend struct detail::Access;\n};\n',
    'src/base/locals.cpp': 'extern thread_local int elsewhere;\nthread_local std::array<int, 4> buffers;\n'
                           'constinit thread_local int* current = nullptr;\n',
    # the table
    document.PAGE: f'\n{document.BEGIN}| stale |\n{document.END}\n',
}
EXPECTED = {
    'src/base/other.hpp:1', 'src/context/a.cpp:3', 'src/reactor/reactor.hpp:3', 'src/scheduler/scheduler.hpp:1',
    'src/scheduler/scheduler.hpp:2', 'src/cellar/wine.cpp:1', 'include/trueasync/event.hpp:2', 'include/trueasync/error.hpp:1',
    'include/trueasync/unknown.hpp:1', 'src/scheduler/wait.cpp:2', 'php/src/private.cpp:2', 'php/src/detail.cpp:1',
    'examples/uv.cpp:1', 'src/event/one.hpp:1: include cycle', 'include/trueasync/error.hpp:1: include cycle',
    'src/base/friends.hpp:4', 'src/base/friends.hpp:7', 'src/base/friends.hpp:8', 'src/base/locals.cpp:3',
    'scripts/layers/tables.py: scheduler does not include context', f'{document.PAGE}:2',
    *(f'scripts/layers/{name}.txt: "{path}" is no longer needed'
      for name, path in (('private_includes', 'php/src/gone.cpp uv.h'),
                         ('detail_includes', 'src/scheduler/gone.cpp trueasync/detail/state.hpp'),
                         ('friends', 'src/base/friends.hpp Gone'), ('thread_locals', 'src/base/locals.cpp gone')))
}


def run():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name, text in PLANTED.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding='utf-8')
        problems = check.check_tree(root, RULES).problems
        results = [_test_violations(problems), _test_update(root)]
    return all(results)


def _test_violations(problems):
    missed = {place for place in EXPECTED if not any(_is_at(problem, place) for problem in problems)}
    unexpected = [problem for problem in problems if not any(_is_at(problem, place) for place in EXPECTED)]
    for place in sorted(EXPECTED):
        print(f'{"not ok - missed" if place in missed else "ok - found"} {place}')
    for problem in unexpected:
        print(f'not ok - unexpected: {problem}')
    return not missed and not unexpected and len(problems) == len(EXPECTED)


def _is_at(problem, place):
    return problem.startswith((place + ':', place + ' ', place + ';')) and \
        (place.endswith('include cycle') or 'include cycle' not in problem)


def _test_update(root):
    """--update makes the table current and removes exactly the unneeded entries."""
    (root / 'scripts/layers').mkdir(parents=True)
    for name, entries in RULES.lists.items():
        (root / f'scripts/layers/{name}.txt').write_text('# comment\n' + '\n'.join(entries) + '\n', encoding='utf-8')
    document.update(root, RULES)
    RULES.remove_unneeded(root, check.check_tree(root, RULES).unneeded)
    after = dataclasses.replace(RULES, lists=Rules.load(root).lists)
    result = check.check_tree(root, after)
    good = not result.unneeded and not document.problems(root, after) and \
        sum(len(after.lists[name]) for name in LISTS) == sum(len(entries) for entries in RULES.lists.values()) - 4
    print(f'{"ok" if good else "not ok"} - --update writes the table and removes unneeded entries')
    return good
