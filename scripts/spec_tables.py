#!/usr/bin/env python3
"""Writes docs/spec.md and docs/traps.md: the tests of each line of the specification, and the lines without a test.

usage: spec_tables.py [--check | --missing | --self-test]
The lines are in docs/spec_ids.txt. A test covers a line if the line's ID is in the test's name, in a comment in its body
or in the comment directly above it. --check writes nothing and fails if the files are not up to date.
"""
import argparse
import collections
import dataclasses
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'testing'))
from names import TEST_MACRO  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
TITLES = {'spec': 'Spec lines and their tests', 'traps': 'Traps and their tests'}
CXX = {'.cpp', '.hpp', '.c', '.h'}
SCRIPTS = {'.sh', '.py', '.phpt'}
_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|(//[^\n]*|/\*.*?\*/)', re.DOTALL)
_ID = re.compile(r'(?<![A-Za-z])([A-Z]{1,4})[-_]?(\d{1,2})(?!\d)')


@dataclasses.dataclass(frozen=True)
class Line:
    id: str
    scope: str
    module: str
    summary: str


@dataclasses.dataclass
class Group:
    table: str
    name: str
    title: str
    lines: list


def read_groups(root):
    groups = []
    for number, text in enumerate((root / 'docs/spec_ids.txt').read_text(encoding='utf-8').splitlines(), 1):
        head = re.match(r'\[(spec|traps)\] ([A-Z]+) (\S+) (.+)', text)
        line = re.match(r'([A-Z]{1,4}-?\d{1,2}) ([CPTW])(?:@(\S+))? (.+)', text)
        if head:
            module = head.group(3)
            groups.append(Group(head.group(1), head.group(2), head.group(4), []))
        elif line:
            module_path = 'php' if line.group(2) == 'P' else line.group(3) or module
            groups[-1].lines.append(Line(line.group(1), line.group(2), module_path, line.group(4)))
        elif text.strip() and not text.startswith('#'):
            sys.exit(f'docs/spec_ids.txt:{number}: expected a line, a group or a comment')
    return groups


def key(letters, digits):
    return f'{letters}{int(digits)}'


def ids_in(text):
    return {key(letters, digits) for letters, digits in _ID.findall(text)}


def ids_in_cxx(text):
    """(test name, IDs) pairs of a C++ file. A comment at the start of a line belongs to the test directly below it, any
    other comment to the test whose body contains it."""
    tests = [(m.start(), m.end(), f'{m.group(1)}.{m.group(2)}') for m in TEST_MACRO.finditer(text)]
    found = [(name, ids_in(name)) for _, _, name in tests]
    for match in _COMMENT.finditer(text):
        if not match.group(1):
            continue
        start, end = match.span()
        if start == 0 or text[start - 1] == '\n':
            owner = next((t for t in tests if t[0] >= end), None)
            if owner and _COMMENT.sub('', text[end:owner[0]]).strip():
                owner = None
        else:
            owner = next((t for t in reversed(tests) if t[1] <= start), None)
            if owner and '\n}' in text[owner[1]:start]:
                owner = None
        if owner:
            found.append((owner[2], ids_in(match.group(1))))
    return found


def ids_in_script(path, text):
    """The same for a script, which is one test named after its file. In a .phpt file the title counts too."""
    comments = '\n'.join(re.findall(r'(?:#|//).*', text) + re.findall(r'--TEST--\n(.*)', text))
    return [(path.name, ids_in(comments) | ids_in(path.name))]


def find_tests(root):
    """ID key -> {file: [test names]}."""
    coverage = collections.defaultdict(lambda: collections.defaultdict(list))
    for top in (root / 'tests', root / 'php/tests'):
        for path in sorted(top.rglob('*')):
            if path.suffix not in CXX | SCRIPTS:
                continue
            text = path.read_text(encoding='utf-8', errors='replace')
            pairs = ids_in_cxx(text) if path.suffix in CXX else ids_in_script(path, text)
            for name, ids in pairs:
                for wanted in ids:
                    names = coverage[wanted][path.relative_to(root).as_posix()]
                    if name not in names:
                        names.append(name)
    return coverage


def tests_of(line, coverage):
    return coverage.get(key(*re.match(r'([A-Z]+)-?(\d+)', line.id).groups()), {})


def state_of(line, coverage, root):
    """covered, missing, later (its module does not exist yet) or unused (the feature is not offered)."""
    if tests_of(line, coverage):
        return 'covered'
    if line.scope in 'TW':
        return 'unused'
    return 'missing' if any(p.is_file() for p in (root / line.module).rglob('*')) else 'later'


def cell(line, coverage, root):
    state = state_of(line, coverage, root)
    if state == 'covered':
        return '<br>'.join(f'[{pathlib.PurePosixPath(file).name}](../{file}): ' + ', '.join(f'`{n}`' for n in names)
                           for file, names in sorted(tests_of(line, coverage).items()))
    return {'missing': '**missing**', 'later': f'later, with `{line.module}`', 'unused': 'not offered'}[state]


def render(table, groups, coverage, root):
    groups = [group for group in groups if group.table == table]
    states = collections.defaultdict(list)
    for group in groups:
        for line in group.lines:
            states[state_of(line, coverage, root)].append(line)
    applicable = len(states['covered']) + len(states['missing'])
    out = [f'# {TITLES[table]}', '',
           'Generated by `scripts/spec_tables.py` from `docs/spec_ids.txt` and the tests; do not edit.',
           'Scope: C core, P PHP extension, T cross-thread execution only, W Windows.', '',
           f'{len(states["covered"])} of {applicable} applicable lines have a test; {len(states["later"])} belong to modules '
           f'that do not exist yet; {len(states["unused"])} concern features that this project does not offer.', '',
           '## Lines without a test', '']
    out += [f'- {line.id} ({line.scope}) {line.summary}' for line in states['missing']] or ['None.']
    for group in groups:
        out += ['', f'## {group.name} {group.title}', '', '| line | scope | summary | tests |', '|---|---|---|---|']
        out += [f'| {line.id} | {line.scope} | {line.summary} | {cell(line, coverage, root)} |' for line in group.lines]
    return '\n'.join(out) + '\n'


def self_test():
    """Checks a small tree with known results."""
    source = ('// SCH-01 is separated from the test\nint helper();\n'
              '// SCH-02 SCH_3\nTEST(A, First) {\n  // SCH-04\n  f("// SCH-05");\n}\n'
              'void late() {\n  // SCH-06\n}\nTEST_F(A, Second_SCH_07) {}  // SCH-08\n')
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / 'tests/unit').mkdir(parents=True)
        (root / 'tests/unit/a.cpp').write_text(source, encoding='utf-8')
        (root / 'tests/b.sh').write_text('#!/bin/sh\n# SCH-09\necho SCH-10\n', encoding='utf-8')
        found = {wanted: sorted(name for names in files.values() for name in names)
                 for wanted, files in find_tests(root).items()}
    expected = {'SCH2': ['A.First'], 'SCH3': ['A.First'], 'SCH4': ['A.First'], 'SCH7': ['A.Second_SCH_07'],
                'SCH8': ['A.Second_SCH_07'], 'SCH9': ['b.sh']}
    for wanted in sorted(expected.keys() | found.keys()):
        good = expected.get(wanted) == found.get(wanted)
        print(f'{"ok" if good else "not ok"} - {wanted} is covered by {found.get(wanted)}')
    return expected == found


def main():
    parser = argparse.ArgumentParser(description='Writes the tables of spec lines and traps and their tests.')
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument('--check', action='store_true', help='fail if the tables are not up to date; write nothing')
    mode.add_argument('--missing', action='store_true', help='print the lines without a test; write nothing')
    mode.add_argument('--self-test', action='store_true')
    arguments = parser.parse_args()
    if arguments.self_test:
        return 0 if self_test() else 1
    groups, coverage = read_groups(ROOT), find_tests(ROOT)
    if arguments.missing:
        for line in (line for group in groups for line in group.lines):
            if state_of(line, coverage, ROOT) == 'missing':
                print(f'{line.id} ({line.scope}) {line.summary}')
        return 0
    good = True
    for table in TITLES:
        path, text = ROOT / 'docs' / f'{table}.md', render(table, groups, coverage, ROOT)
        if not arguments.check:
            path.write_text(text, encoding='utf-8')
            continue
        fresh = path.is_file() and path.read_text(encoding='utf-8') == text
        print(f'{"ok" if fresh else "not ok"} - docs/{table}.md is up to date')
        good = good and fresh
    if not good:
        print('run scripts/spec_tables.py and commit docs/spec.md and docs/traps.md')
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
