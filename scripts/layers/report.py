"""Lists places to simplify. They are no violations."""
import collections
import re

from . import source

FOLDERS = ('include', 'src', 'php/src')
MAX_FILES_OF_CLASS = 3
SMALL_HEADER = 40
LONG_FILE = 400
CLASS = re.compile(r'^\s*(?:class|struct)\s+(?:TRUEASYNC_\w+\s+)?(\w+)[^;]*$', re.M)
# A definition starts in the first column, because the contents of namespaces are not indented.
MEMBER = re.compile(r'^[\w:][^\n;={}]*?\b(\w+)::(?:~?\w+|operator[^\s\w]+)\(', re.M)


def print_report(root):
    files = [path for top in FOLDERS for path in source.files_below(root, top)]
    texts = {path.relative_to(root).as_posix(): source.read(path) for path in files}
    sections = ((f'classes whose members are defined in more than {MAX_FILES_OF_CLASS} files', _split_classes(texts)),
                (f'headers under {SMALL_HEADER} lines with one includer', _small_headers(root, texts)),
                (f'files over {LONG_FILE} lines', _long_files(texts)))
    for title, lines in sections:
        print(f'{title}: {len(lines)}')
        for line in lines:
            print(f'  {line}')


def _split_classes(texts):
    classes = {name for text in texts.values() for name in CLASS.findall(text)}
    places = collections.defaultdict(set)
    for path, text in texts.items():
        area = 'php' if path.startswith('php/') else 'library'
        for name in MEMBER.findall(text):
            if name in classes:
                places[area, name].add(path)
    split = [(len(paths), name, sorted(paths)) for (_, name), paths in places.items() if len(paths) > MAX_FILES_OF_CLASS]
    return [f'{name}: {count} files: {", ".join(paths)}' for count, name, paths in sorted(split, reverse=True)]


def _small_headers(root, texts):
    includers = collections.defaultdict(set)
    for path, text in texts.items():
        for include in source.includes(text):
            for folder in ('include', 'src', 'php/src'):
                if folder != 'php/src' or path.startswith('php/'):
                    includers[f'{folder}/{include.name}'].add(path)
    others = [source.read(path) for top in ('tests', 'benchmarks', 'examples', 'extensions')
              for path in source.files_below(root, top)]
    outside = {include.name for text in others for include in source.includes(text)}
    found = []
    for path, text in texts.items():
        name = path.split('/', 2 if path.startswith('php/') else 1)[-1]
        if path.endswith('.hpp') and len(text.splitlines()) < SMALL_HEADER and len(includers[path]) == 1 \
                and name not in outside:
            found.append(f'{path}: {len(text.splitlines())} lines, included by {min(includers[path])}')
    return found


def _long_files(texts):
    return [f'{path}: {len(text.splitlines())} lines' for path, text in texts.items()
            if len(text.splitlines()) > LONG_FILE]
