#!/usr/bin/env python3
"""Checks the documentation: every code block compiles, every relative link has a target.

usage: check_docs.py [--root DIR] [--php COMMAND] [--self-test] [WORD...]
Code blocks (cpp, c, php) are those of README.md, php/README.md, docs/*.md and docs/guide/*.md; links are those of every
.md file. A block with a main() is compiled alone. The fragments of a page are compiled together, each in its own
function, or in a namespace if it defines functions. Declarations that a fragment needs and a reader does not are in a
comment before it: <!-- check-docs cpp, the declarations, -->. They hold for all following fragments of the page.
--php COMMAND runs the PHP blocks that begin with <?php instead of all other checks. With a WORD only pages whose path
contains it are checked. Prints 'ok - ...' or 'not ok - ...' per check.
"""
import argparse
import dataclasses
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

CODE_PAGES = ('README.md', 'php/README.md', 'docs/*.md', 'docs/guide/*.md')
FENCED = re.compile(r'^```.*?^```$', re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r'^```(\w*)[^\n]*\n(.*?)^```$|^<!-- check-docs (\w+)\n(.*?)^-->$', re.MULTILINE | re.DOTALL)
HEADING = re.compile(r'^#{1,6} (.+)$', re.MULTILINE)
LINK = re.compile(r'\]\(([^)\s]+)\)')
# The first line of a function definition: a type, a name, parameters, a brace.
FUNCTION = re.compile(r'^(?!auto|return|else)[\w:<>,*& ]*[\w>*&] \*?\w+\(.*\) (?:noexcept )?\{$', re.MULTILINE)
MAIN = re.compile(r'^int main\(', re.MULTILINE)
HEADS = {
    'cpp': '''#include <array>
#include <csignal>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
#include <trueasync/testing.hpp>
#include <trueasync/trueasync.hpp>
namespace ta = trueasync;
using namespace std::chrono_literals;
''',
    'c': '#include <stdio.h>\n#include <trueasync.h>\n',
}
COMPILERS = {
    'cpp': ['g++', '-x', 'c++', '-std=c++20', '-Wall', '-Wextra', '-Wno-unused', '-fsyntax-only'],
    'c': ['gcc', '-x', 'c', '-std=c11', '-Wall', '-Wextra', '-Wno-unused', '-fsyntax-only'],
}


@dataclasses.dataclass(frozen=True)
class Block:
    page: str
    line: int  # of its first line of code
    language: str
    text: str
    is_invisible: bool

    def name(self):
        return f'{self.page}:{self.line}'

    def numbered_text(self):
        """The compiler reports errors with the lines of the page."""
        return f'#line {self.line} "{self.page}"\n{self.text}'


def find_blocks(page, text):
    for match in BLOCK.finditer(text):
        group = 1 if match.group(1) is not None else 3
        line = text.count('\n', 0, match.start(group + 1)) + 1
        yield Block(page, line, match.group(group), match.group(group + 1), group == 3)


def wrap_fragment(block, number):
    """The fragment as a part of a translation unit."""
    text = block.numbered_text()
    is_definition = FUNCTION.search(block.text)
    if block.is_invisible or (is_definition and block.language == 'c'):
        return text
    if is_definition:
        return f'namespace fragment_{number} {{\n{text}}}\n'
    if block.language == 'c':
        return f'ta_status fragment_{number}(ta_error* error) {{\n{text}return TA_OK;\n}}\n'
    return f'void fragment_{number}() {{\n{text}}}\n'


def compile_source(root, language, source):
    """The compiler's messages; empty if it accepts the source."""
    command = [*COMPILERS[language], '-I', root / 'include', '-']
    result = subprocess.run(command, input=source, text=True, capture_output=True, check=False)
    return result.stderr or ('' if result.returncode == 0 else 'the compiler failed without a message')


def check_compiled(root, page, language, blocks):
    fragments = [block for block in blocks if not MAIN.search(block.text)]
    for block in blocks:
        if block not in fragments:
            yield f'{block.name()} compiles', compile_source(root, language, block.numbered_text())
    if any(not block.is_invisible for block in fragments):
        parts = [wrap_fragment(block, number) for number, block in enumerate(fragments)]
        yield f'{page}: {language} fragments compile', compile_source(root, language, HEADS[language] + ''.join(parts))


def run_php(command, block):
    """The output of a failed run; empty if it succeeds."""
    with tempfile.NamedTemporaryFile('w', suffix='.php', encoding='utf-8') as file:
        file.write(block.text if block.text.startswith('<?php') else '<?php\n' + block.text)
        file.flush()
        result = subprocess.run([*command, file.name], text=True, capture_output=True, check=False, timeout=60)
    return '' if result.returncode == 0 else result.stdout + result.stderr or f'exit code {result.returncode}'


def find_anchors(text):
    """The anchors of the headings, named as GitHub names them."""
    anchors = set()
    for heading in HEADING.findall(FENCED.sub('', text)):
        title = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', heading).strip().lower()
        slug = base = re.sub(r'[^\w\- ]', '', title).replace(' ', '-')
        number = 0
        while slug in anchors:
            number += 1
            slug = f'{base}-{number}'
        anchors.add(slug)
    return anchors


def find_broken_links(path, text):
    for link in LINK.findall(re.sub(r'`[^`\n]*`', '', FENCED.sub('', text))):
        target, _, anchor = link.partition('#')
        file = path.parent / target if target else path
        if re.match(r'[a-z]+:', target):
            continue
        if not file.exists():
            yield f'{link}: no such file'
        elif anchor and anchor not in find_anchors(file.read_text(encoding='utf-8')):
            yield f'{link}: no such heading'


def check_page(root, path, php):
    """Yields (check, message) for the code of a page; a check with a message has failed."""
    page = path.relative_to(root).as_posix()
    blocks = list(find_blocks(page, path.read_text(encoding='utf-8')))
    scripts = [block for block in blocks if block.language == 'php']
    if php:
        for block in scripts:
            if block.text.startswith('<?php'):
                yield f'{block.name()} runs', run_php(shlex.split(php), block)
        return
    for language in COMPILERS:
        yield from check_compiled(root, page, language, [block for block in blocks if block.language == language])
    for block in scripts if shutil.which('php') else ():
        yield f'{block.name()} parses', run_php(['php', '-n', '-l'], block)


def check_tree(root, php='', words=()):
    def is_wanted(path):
        parts = path.relative_to(root)
        return 'build' not in parts.parts and all(word in parts.as_posix() for word in words)

    for path in sorted(path for pattern in CODE_PAGES for path in root.glob(pattern) if is_wanted(path)):
        yield from check_page(root, path, php)
    for path in sorted(path for path in root.rglob('*.md') if not php and is_wanted(path)):
        yield f'{path.relative_to(root)}: links', '\n'.join(find_broken_links(path, path.read_text(encoding='utf-8')))


PLANTED_PAGE = '''# Page
<!-- check-docs cpp
int answer();
-->
```cpp
int x = answer();
```
```cpp
void f() {
  undeclared();
}
```
```cpp
int main() { return unknown; }
```
```c
ta_status status = TA_OK;
```
```php
if (
```
## A `heading`, twice
## A `heading`, twice
[good](#a-heading-twice-1) [bad](#nowhere) [bad](missing.md) `[code](missing.md)` [web](https://example.org/x)
'''
PLANTED_CHECKS = {  # what the message must match completely
    'README.md:14 compiles': r".*README\.md:14:\d+: error: .unknown. .*",
    'README.md: cpp fragments compile': r".*README\.md:10:\d+: error: .undeclared. .*",
    'README.md: c fragments compile': '',
    'README.md:20 parses': r'.*Errors parsing.*',
    'README.md: links': '#nowhere: no such heading\nmissing.md: no such file',
}


def self_test(include):
    """Planted errors must be found, and only those."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / 'include').symlink_to(include)
        (root / 'README.md').write_text(PLANTED_PAGE, encoding='utf-8')
        found = dict(check_tree(root))
    failed = False
    for check in sorted(PLANTED_CHECKS.keys() | found.keys()):
        if 'parses' in check and not shutil.which('php'):
            continue
        is_good = check in PLANTED_CHECKS and re.fullmatch(PLANTED_CHECKS[check], found.get(check, 'missed'), re.DOTALL)
        print(f'{"ok" if is_good else "not ok"} - {check}')
        failed |= not is_good
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description='Checks the code blocks and links of the documentation.')
    parser.add_argument('--root', default=pathlib.Path(__file__).resolve().parent.parent, type=pathlib.Path)
    parser.add_argument('--php', default='', metavar='COMMAND', help='run complete PHP blocks with this command')
    parser.add_argument('--self-test', action='store_true', help='plant errors and check that they are found')
    parser.add_argument('words', nargs='*', metavar='WORD', help='part of the path of a page')
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    if arguments.self_test:
        return self_test(root / 'include')
    failed = False
    for check, message in check_tree(root, arguments.php, arguments.words):
        print(f'{"not ok" if message else "ok"} - {check}', flush=True)
        if message:
            print(message)
            failed = True
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
