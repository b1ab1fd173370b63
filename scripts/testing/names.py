"""The names of all tests, read from the sources without a build, and the selection of tests by a filter."""
import dataclasses
import pathlib
import re

# TEST(Suite, Name) and similar macros, including project macros whose name ends in TEST.
TEST_MACRO = re.compile(r'^\s*[A-Z_]*TEST(?:_[A-Z]+)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)', re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Program:
    """One GoogleTest program: its CMake target and the tests in its sources, as Suite.Name."""
    name: str
    tests: tuple


def _program(name, folder):
    tests = []
    for path in sorted(folder.rglob('*.cpp')):
        tests += [f'{suite}.{test}' for suite, test in TEST_MACRO.findall(path.read_text(encoding='utf-8'))]
    return Program(name, tuple(tests))


def find_programs(root):
    """The test programs that tests/CMakeLists.txt defines."""
    folders = [(f'unit_{path.name}', path) for path in sorted((root / 'tests/unit').glob('*')) if path.is_dir()]
    folders += [(name, root / 'tests' / name) for name in ('integration', 'stress')]
    return [_program(name, path) for name, path in folders if any(path.rglob('*.cpp'))]


class Selection:
    """The filter words of the command line. An item is selected if its full name contains all words, ignoring case."""

    def __init__(self, words=()):
        self._words = [word.lower() for word in words]

    def wants_everything(self):
        return not self._words

    def wants(self, name):
        return all(word in name.lower() for word in self._words)

    def gtest_filter(self, step, program):
        """None if no test of the program is selected, '*' if all are, otherwise patterns of the selected tests."""
        name = f'{step}/{program.name}'
        if self.wants(name):
            return '*'
        tests = [test for test in program.tests if self.wants(f'{name}/{test}')]
        return ':'.join(f'*{suite}*.{test}*' for suite, test in (t.split('.') for t in tests)) or None
