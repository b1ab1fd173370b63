"""What the checks read from a source file: includes, friends and thread-local variables."""
import dataclasses
import re

SUFFIXES = {'.cpp', '.hpp', '.h', '.c', '.S'}
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Comparison operators are friends by convention and are not listed.
FRIEND = re.compile(r'^[ \t]*friend\s+(?!.*\boperator\b)([^;{]+)[;{]', re.M)
THREAD_LOCAL = re.compile(r'^(?![^\n]*\bextern\b)[^\n;]*?\b(?:thread_local|TRUEASYNC_SIGNAL_LOCAL)\b([^\n;={]*)[;={]', re.M)
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.S)


@dataclasses.dataclass(frozen=True)
class Include:
    line: int
    bracket: str
    name: str


def files_below(root, top):
    return [path for path in sorted((root / top).rglob('*')) if path.suffix in SUFFIXES and path.is_file()]


def read(path):
    return path.read_text(encoding='utf-8', errors='replace')


def includes(text):
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield Include(number, match.group(1), match.group(2))


def friends(text):
    """(line, name) of each friend class or function."""
    code = _without_comments(text)
    for match in FRIEND.finditer(code):
        declaration = match.group(1)
        function = re.search(r'([\w:]+)\s*\(', declaration)
        name = function.group(1) if function else declaration.split()[-1]
        yield _line_of(code, match.start(1)), name


def thread_locals(text):
    """(line, name) of each thread-local variable that is defined here."""
    code = _without_comments(text)
    for match in THREAD_LOCAL.finditer(code):
        names = re.findall(r'\w+', match.group(1))
        if names:
            yield _line_of(code, match.start(1)), names[-1]


def _without_comments(text):
    return COMMENT.sub(lambda match: re.sub(r'[^\n]', ' ', match.group()), text)


def _line_of(text, position):
    return text.count('\n', 0, position) + 1
