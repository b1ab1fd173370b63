#!/usr/bin/env python3
"""Checks that the project uses plain technical language.

usage: check_language.py [--root DIR] [--commits | --count | --update-baseline | --self-test]

Checked in the sources and the documentation:
  word        a word or phrase of scripts/language/retired_words.txt
  clause      a comment that starts with a relative clause ("What comes is kept.")
  identifier  a name of scripts/language/retired_identifiers.txt
  id          the ID of a spec line or trap in include/, README.md or the guide
  message     a message of throw, ta_fail or TRUEASYNC_CHECK that starts with a capital letter, ends with a period or uses the
              first or second person; the same for PHP exceptions, which must start with a capital letter
--commits checks the commit subjects since the commit that added this file: "module: summary", at most 72 characters.

scripts/language/exceptions.txt lists exceptions. scripts/language/baseline.txt lists the number of hits that a file may have;
every other file must have none. --update-baseline lowers these numbers to the current ones and never raises them. --count
prints the current numbers in the format of the baseline. Prints FILE:LINE, the rule and the text of each violation. The exit
code is 1 if there is a violation.
"""
import argparse
import dataclasses
import fnmatch
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTS = ROOT / 'scripts/language'
FOLDERS = ('include', 'src', 'php', 'examples', 'extensions', 'tools', 'scripts', 'tests', 'benchmarks', 'cmake', 'docs')
CODE = {'.cpp', '.hpp', '.h', '.c', '.S', '.php', '.phpt', '.py', '.sh', '.cmake', '.go', '.rs', '.js'}
C_FAMILY = {'.cpp', '.hpp', '.h', '.c'}
COMMANDS = ('run', 'test', 'bench')
# Generated files, and records of past decisions.
SKIPPED = ('docs/decisions/*', 'docs/spec.md', 'docs/traps.md', '*generated*', '*/__pycache__/*')

CLAUSE = re.compile(r"(?://|\*|#)\s*(?:What|Who|Whose|Where|How often|How)\s+(?!to\b)[a-z' -]+(?:\s[a-z' ]+)+[.:;]")
SPEC_ID = re.compile(r'\b(?:SCH|MIC|PRI|SUS|EVT|CTX|SWH|REA|AIO|CXL|DLK|SHU|POOL|CB|ABI|GC|CH|PO|SC|CA|AW|CX|IO|TM|DN|PR|SG|FS|TH|XC|ST|'
                     r'SH|DL|DB|TE|ERR|FAIR|RES|INP|SHR)-\d\d\b')
WITHOUT_IDS = ('include/*', 'README.md', 'docs/guide*')
WITH_MESSAGES = ('include/*', 'src/*', 'extensions/*')
WITH_PHP_MESSAGES = ('php/src/*',)
# Text files that are checked like documentation.
TEXT_FILES = ('docs/spec_ids.txt',)
MESSAGE_CALL = re.compile(r'\bthrow\s+[\w:]+\s*[({]|\bta_fail\s*\(|\bTRUEASYNC_CHECK\s*\(')
LITERALS = re.compile(r'"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*')
# A capitalized ordinary word. Class names and acronyms ("Pool::close", "COPY", "OpenSSL") may start a message.
CAPITALIZED = re.compile(r'[A-Z][a-z]+(?:[ ,;]|$)|A ')
# Argument errors continue a sentence that PHP starts ("f(): Argument #1 ($x) must be ..."), so they start in lower case.
PHP_CALL = re.compile(r'\b(?:zend_throw_error|zend_throw_exception\w*|zend_value_error|zend_type_error|throw_exception|throw_pdo_exception|'
                      r'php_error_docref)\s*\(')
# A word in lower case. Function names ("exit() was called") may start a message.
LOWER_CASE = re.compile(r'[a-z]+(?:[ ,;]|$)')
PERSON = re.compile(r'\b(?:I|[Ww]e|us|our|[Yy]ou|[Yy]our)\b(?!/)')
SUBJECT = re.compile(r'[\w./+-]+(?:, ?[\w./+-]+)*: \S.*[^.]')
MAX_SUBJECT = 72
BASELINE_HEAD = ('# Number of hits of scripts/check_language.py that a file may have. '
                 'Lower them with --update-baseline; never raise them.\n')


@dataclasses.dataclass(frozen=True)
class Hit:
    path: str
    line: int
    rule: str
    text: str
    advice: str = ''

    def __str__(self):
        advice = f'; write: {self.advice}' if self.advice else ''
        return f'{self.path}:{self.line}: {self.rule}: {self.text}{advice}'


def read_list(path):
    """The lines of a list without comments and empty lines; none if the file is missing."""
    if not path.is_file():
        return []
    lines = path.read_text(encoding='utf-8').splitlines()
    return [line for line in lines if line.strip() and not line.startswith('#')]


class Rules:
    def __init__(self, folder):
        words = [line.split(' => ') for line in read_list(folder / 'retired_words.txt')]
        self._words = [(re.compile(rf'\b(?:{pattern})\b', re.IGNORECASE), advice) for pattern, advice in words]
        # One search finds the lines that need the search by word.
        self._any_word = re.compile('|'.join(rf'\b(?:{pattern})\b' for pattern, _ in words), re.IGNORECASE)
        self._identifiers = frozenset(read_list(folder / 'retired_identifiers.txt'))

    def hits_in_line(self, path, number, line, is_code):
        if self._any_word.search(line):
            for pattern, advice in self._words:
                for match in pattern.finditer(line):
                    yield Hit(path, number, 'word', match.group(), advice)
        if is_code and CLAUSE.search(line):
            yield Hit(path, number, 'clause', line.strip())
        for name in re.findall(r'[A-Za-z_]\w*', line):
            if name in self._identifiers:
                yield Hit(path, number, 'identifier', name)

    def hits(self, path, text):
        is_code = pathlib.PurePosixPath(path).suffix != '.md' and path not in TEXT_FILES
        without_ids = matches(path, WITHOUT_IDS)
        for number, line in enumerate(text.splitlines(), 1):
            yield from self.hits_in_line(path, number, line, is_code)
            if without_ids:
                for match in SPEC_ID.finditer(line):
                    yield Hit(path, number, 'id', match.group())
        if matches(path, WITH_MESSAGES) and pathlib.PurePosixPath(path).suffix in C_FAMILY:
            yield from message_hits(path, text, MESSAGE_CALL, CAPITALIZED, 'a capital letter')
        if matches(path, WITH_PHP_MESSAGES) and pathlib.PurePosixPath(path).suffix in C_FAMILY:
            yield from message_hits(path, text, PHP_CALL, LOWER_CASE, 'a lower-case letter')


def matches(path, patterns):
    return any(fnmatch.fnmatch(path, pattern) for pattern in patterns)


def statement_end(text, start):
    """The end of the statement that starts at `start`: the next ';' outside string literals."""
    position = start
    while position < len(text) and text[position] != ';':
        literal = LITERALS.match(text, position)
        position = literal.end() if literal else position + 1
    return position


def message_hits(path, text, calls, wrong_start, start_name):
    for call in calls.finditer(text):
        statement = text[call.end():statement_end(text, call.end())]
        for index, literal in enumerate(LITERALS.finditer(statement)):
            message = ''.join(re.findall(r'"((?:\\.|[^"\\\n])*)"', literal.group()))
            line = text.count('\n', 0, call.end() + literal.start()) + 1
            if index == 0 and wrong_start.match(message):
                yield Hit(path, line, 'message', f'"{message}" starts with {start_name}')
            if PERSON.search(message):
                yield Hit(path, line, 'message', f'"{message}" uses the first or second person')
            is_last = re.match(r'\s*[,)}]', statement[literal.end():])
            if is_last and message.endswith('.') and not message.endswith('...'):
                yield Hit(path, line, 'message', f'"{message}" ends with a period')


class Exceptions:
    """Lines "PATTERN: TEXT  # reason". PATTERN matches paths; TEXT is the text of a hit, ignoring case, or "*"."""

    def __init__(self, folder):
        self._entries = []
        for line in read_list(folder / 'exceptions.txt'):
            match = re.fullmatch(r'(\S+): (.+?)\s+# \S.*', line)
            if not match:
                raise SystemExit(f'exceptions.txt: expected "PATTERN: TEXT  # reason": {line}')
            self._entries.append((match.group(1), match.group(2).lower()))

    def contains(self, hit):
        return any(fnmatch.fnmatch(hit.path, pattern) and text in ('*', hit.text.lower()) for pattern, text in self._entries)


def is_checked(path):
    pure = pathlib.PurePosixPath(path)
    if matches(path, SKIPPED):
        return False
    is_script = pure.suffix == '' and pure.parts[0] == 'scripts'
    return pure.suffix in CODE | {'.md'} or path in TEXT_FILES or pure.name == 'CMakeLists.txt' or path in COMMANDS or is_script


def find_files(root):
    found = [path for path in root.glob('*') if path.is_file()]
    for folder in FOLDERS:
        found += [path for path in (root / folder).rglob('*') if path.is_file()]
    return sorted(path for path in found if is_checked(path.relative_to(root).as_posix()))


def find_hits(root, folder):
    """(number of checked files, {path: hits})."""
    rules, exceptions = Rules(folder), Exceptions(folder)
    files, hits = find_files(root), {}
    for path in files:
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding='utf-8', errors='replace')
        found = [hit for hit in rules.hits(name, text) if not exceptions.contains(hit)]
        if found:
            hits[name] = found
    return len(files), hits


def read_baseline(folder):
    return {path: int(count) for count, path in (line.split(None, 1) for line in read_list(folder / 'baseline.txt'))}


def format_baseline(counts):
    return BASELINE_HEAD + ''.join(f'{count} {path}\n' for path, count in sorted(counts.items()))


def lowered(baseline, hits):
    """The baseline with each number lowered to the current number of hits, without files that have none."""
    counts = {path: min(count, len(hits.get(path, ()))) for path, count in baseline.items()}
    return {path: count for path, count in counts.items() if count}


def check_tree(root, folder):
    """Prints the hits of the files that exceed the baseline. Returns whether there are none."""
    count, hits = find_hits(root, folder)
    baseline = read_baseline(folder)
    worse = {path: found for path, found in hits.items() if len(found) > baseline.get(path, 0)}
    for path, found in worse.items():
        print('\n'.join(str(hit) for hit in found))
        if path in baseline:
            print(f'{path}: {len(found)} hits, the baseline allows {baseline[path]}')
    total = sum(len(found) for found in hits.values())
    print(f'{count} files, {total} hits, {len(worse)} files exceed the baseline')
    return not worse


def subject_problem(subject):
    if len(subject) > MAX_SUBJECT:
        return f'longer than {MAX_SUBJECT} characters'
    return None if SUBJECT.fullmatch(subject) else 'expected "module: summary" without a final period'


def git(root, *arguments):
    """The output of git, or None if it fails or git is not installed."""
    try:
        done = subprocess.run(['git', '-C', str(root), *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def check_commits(root):
    """Prints the commit subjects that break the rule. Returns whether there are none."""
    if not (root / '.git').exists():
        print('skip - commits: no .git directory')
        return True
    added = git(root, 'log', '--diff-filter=A', '--format=%H', '--', 'scripts/check_language.py')
    if not added:
        print('skip - commits: git cannot find the commit that added this check')
        return True
    # Only descendants of that commit: branches that started earlier did not have the check.
    first = added.split()[-1]
    log = git(root, 'log', '--no-merges', '--ancestry-path', '--format=%h %s', f'{first}..HEAD')
    lines = (log or '').splitlines()
    problems = [(line, problem) for line in lines if (problem := subject_problem(line.partition(' ')[2]))]
    for line, problem in problems:
        print(f'commit {line}: {problem}')
    print(f'{len(lines)} commits, {len(problems)} violations')
    return not problems


def self_test():
    """Checks a tree with known violations: exactly these must be reported."""
    lists = {
        'retired_words.txt': '# comment\nquux|corge => the waiter\nin zarf => immediately\n',
        'retired_identifiers.txt': 'old_name\nOldName\n',
        'exceptions.txt': 'src/quoted.cpp: quux  # quotes a standard\n',
        'baseline.txt': '1 src/known.cpp\n1 src/worse.cpp\n2 src/better.cpp\n',
    }
    tree = {
        'src/good.cpp': '// The waiter runs.\nvoid new_name();\nthrow Error("pool closed");\n',
        'src/words.cpp': '// Quux waits.\n\nint x;  // in\n// zarf, and inzarf\n// runs in zarf\n',
        'src/clause.cpp': '/' + '/ What comes while it waits is kept.\n// How to use it.\n// What it is\n',
        'src/names.hpp': 'int old_name;\nint older_name;\nOldName name;\n',
        'src/quoted.cpp': '// quux\n',
        'src/known.cpp': '// quux\n',
        'src/worse.cpp': '// quux\n// corge\n',
        'src/better.cpp': '// quux\n',
        'src/messages.cpp': 'throw Error("Pool is closed");\nthrow Error("Pool::close: closed");\nthrow Error("closed.");\n'
                            'TRUEASYNC_CHECK(a, "not a; "\n  "but b.");\nlog("Fine.");\nthrow Error("see a.b, c");\n'
                            'throw Error("pool: you closed it");\n',
        'php/src/messages.cpp': 'zend_throw_error(nullptr, "cannot call it");\nzend_throw_error(nullptr, "Cannot call it");\n'
                                'throw_exception(entry, "Pool is closed.");\nthrow_exception(entry, "exit() was called");\n'
                                'zend_argument_value_error(1, "must be set");\nzend_value_error("We cannot call it");\n'
                                'zend_value_error("Cannot call your function");\n',
        'docs/spec_ids.txt': 'CXL-01 C quux\nCXL-02 C the waiter\n',
        'docs/other.txt': 'quux\n',
        'src/generated/names.cpp': 'int old_name;\n',
        'include/trueasync/a.hpp': '// CXL-01\n',
        'tests/a_test.cpp': '// CXL-01\n',
        'docs/guide.md': 'DB-02 is for quux.\n',
        'docs/decisions/0001.md': 'quux\n',
        'scripts/tool': '# quux\n',
        'other/file.cpp': '// quux\n',
    }
    expected = {'src/words.cpp:1', 'src/words.cpp:5', 'src/clause.cpp:1', 'src/names.hpp:1', 'src/names.hpp:3', 'src/known.cpp:1',
                'src/worse.cpp:1', 'src/worse.cpp:2', 'src/better.cpp:1', 'src/messages.cpp:1', 'src/messages.cpp:3',
                'src/messages.cpp:4', 'src/messages.cpp:8', 'php/src/messages.cpp:1', 'php/src/messages.cpp:3', 'php/src/messages.cpp:6',
                'php/src/messages.cpp:7', 'docs/spec_ids.txt:1', 'include/trueasync/a.hpp:1', 'docs/guide.md:1', 'scripts/tool:1'}
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for path, text in {**tree, **{f'scripts/language/{path}': text for path, text in lists.items()}}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding='utf-8')
        folder = root / 'scripts/language'
        hits = find_hits(root, folder)[1]
        baseline = lowered(read_baseline(folder), hits)
    found = {f'{hit.path}:{hit.line}' for hits_of_file in hits.values() for hit in hits_of_file}
    subjects = {'pool: wake the oldest waiter': True, 'pool, io: rename X': True, 'Wake the waiter': False, 'pool: wake.': False,
                'pool: ' + 'x' * 70: False}
    results = {f'hit {location}': location in expected and location in found for location in sorted(expected | found)}
    results['baseline numbers are only lowered'] = baseline == {'src/known.cpp': 1, 'src/worse.cpp': 1, 'src/better.cpp': 1}
    results |= {f'subject {text[:30]!r}': (subject_problem(text) is None) == is_good for text, is_good in subjects.items()}
    for name, is_good in results.items():
        print(f'{"ok" if is_good else "not ok"} - {name}')
    return all(results.values())


def main():
    parser = argparse.ArgumentParser(description='Checks that the project uses plain technical language.')
    parser.add_argument('--root', default=ROOT, type=pathlib.Path)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument('--commits', action='store_true', help='check the commit subjects instead of the files')
    mode.add_argument('--count', action='store_true', help='print the number of hits per file')
    mode.add_argument('--update-baseline', action='store_true', help='lower the numbers of the baseline')
    mode.add_argument('--self-test', action='store_true', help='check that known violations are reported')
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    if arguments.self_test:
        return 0 if self_test() else 1
    if arguments.commits:
        return 0 if check_commits(root) else 1
    if arguments.count:
        print(format_baseline({path: len(found) for path, found in find_hits(root, LISTS)[1].items()}), end='')
        return 0
    if arguments.update_baseline:
        baseline = lowered(read_baseline(LISTS), find_hits(root, LISTS)[1])
        (LISTS / 'baseline.txt').write_text(format_baseline(baseline), encoding='utf-8')
        return 0
    return 0 if check_tree(root, LISTS) else 1


if __name__ == '__main__':
    sys.exit(main())
