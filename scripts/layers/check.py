"""Checks a tree against the rules."""
import collections
import dataclasses

from . import cycles, document, source

# Class templates that need each other's definition. The headers are to be merged; no new cycle may be added.
KNOWN_CYCLES = {'include/trueasync/detail/await_tuple.hpp', 'include/trueasync/detail/future_chain.hpp'}

ADVICE = {
    'private_includes': 'only src/ may include it; use a public header',
    'detail_includes': 'a header of trueasync/detail/ is for its own module; use a public header',
    'friends': 'is a new friend; use the public interface of the class',
    'thread_locals': 'is a new thread-local variable; state belongs to the runtime',
}


@dataclasses.dataclass
class Result:
    files: int
    problems: list
    unneeded: list  # (list, entry) of exceptions that no file needs


def check_tree(root, rules):
    return _Check(root, rules).run()


class _Check:
    def __init__(self, root, rules):
        self.root = root
        self.rules = rules
        self.problems = []
        self.files = 0
        self.open_exceptions = {name: collections.Counter(entries) for name, entries in rules.lists.items()}
        self.used_permissions = set()
        self.graph = {}  # file -> included project files, both relative to the root

    def run(self):
        for top, module_of in (('src', self.rules.module_of_source), ('include', self.rules.module_of_public)):
            for path in source.files_below(self.root, top):
                self._check_module_file(path, top, module_of(path.relative_to(self.root / top).as_posix()))
        for top in self.rules.outside:
            for path in source.files_below(self.root, top):
                self._check_outside_file(path, top)
        self.problems += [f'{cycle[0]}:1: include cycle: {" -> ".join([*cycle, cycle[0]])}'
                          for cycle in cycles.find(self.graph) if cycle[0] not in KNOWN_CYCLES]
        self._check_permissions()
        unneeded = [(name, entry) for name, left in self.open_exceptions.items() for entry in left.elements()]
        self.problems += [f'scripts/layers/{name}.txt: "{entry}" is no longer needed; remove it from the list'
                          for name, entry in unneeded]
        self.problems += document.problems(self.root, self.rules)
        return Result(self.files, self.problems, unneeded)

    def _report(self, path, line, problem):
        self.problems.append(f'{self._name(path)}:{line}: {problem}')

    def _name(self, path):
        return path.relative_to(self.root).as_posix()

    def _check_module_file(self, path, top, module):
        self.files += 1
        if module is None:
            self._report(path, 1, 'belongs to no module; add it to scripts/layers/tables.py')
            return
        text = source.read(path)
        for include in source.includes(text):
            self._add_edge(path, include.name, ())
            problem = self._problem_of_include(path, module, top == 'include', include)
            if problem:
                self._report(path, include.line, problem)
        for name, found in (('friends', source.friends(text)), ('thread_locals', source.thread_locals(text))):
            for line, variable in found:
                if not self._is_listed(name, path, variable):
                    self._report(path, line, f'{variable} {ADVICE[name]}')

    def _problem_of_include(self, path, module, is_public, include):
        """The rule that an #include of a module breaks, or None."""
        name = include.name
        if _is_libuv(name):
            return None if module in self.rules.uv_modules else 'only the reactor modules may include <uv.h>'
        if is_public and (self.root / 'src' / name).is_file():
            return f'public header includes internal header "{name}"'
        if name.startswith('.'):
            return f'"{name}": include paths must be relative to src/ or include/'
        is_public_header = (self.root / 'include' / name).is_file()
        target = self.rules.module_of_public(name)
        if target is None and not is_public_header:
            target = self.rules.module_of_source(name)
        if target is None:
            if include.bracket == '"' and not is_public_header:
                return f'"{name}" not found in src/ or include/'
            return None
        if target == module:
            return None
        if target not in self.rules.may_include(module):
            return f'{module} may not include {target} ("{name}")'
        self.used_permissions.add((module, target))
        # Like src/base, the detail headers of base are for every module.
        if _is_detail(name) and not is_public and target != 'base' and not self._is_listed('detail_includes', path, name):
            return f'"{name}": {ADVICE["detail_includes"]}'
        return None

    def _check_outside_file(self, path, top):
        self.files += 1
        for include in source.includes(source.read(path)):
            name = include.name
            if self._add_edge(path, name, (self.root / top, path.parent)):
                continue
            is_libuv = _is_libuv(name) and not self._name(path).startswith(self.rules.uv_folders)
            if is_libuv or (self.root / 'src' / name).is_file():
                if not self._is_listed('private_includes', path, name):
                    self._report(path, include.line, f'"{name}": {ADVICE["private_includes"]}')
            elif _is_detail(name) and not self._is_listed('detail_includes', path, name):
                self._report(path, include.line, f'"{name}": {ADVICE["detail_includes"]}')

    def _add_edge(self, path, name, own_folders):
        """Adds the included project file to the graph. Returns whether it is in one of `own_folders`."""
        own = [folder / name for folder in own_folders]
        for target in (*own, self.root / 'src' / name, self.root / 'include' / name):
            if target.is_file() and target.resolve().is_relative_to(self.root):
                self.graph.setdefault(self._name(path), []).append(self._name(target.resolve()))
                return target in own
        return False

    def _is_listed(self, name, path, value):
        entry = f'{self._name(path)} {value}'
        if self.open_exceptions[name][entry] == 0:
            return False
        self.open_exceptions[name][entry] -= 1
        return True

    def _check_permissions(self):
        for module in self.rules.modules:
            for target in self.rules.may_include(module):
                if (module, target) not in self.used_permissions:
                    self.problems.append(f'scripts/layers/tables.py: {module} does not include {target}; '
                                         'remove the permission')


def _is_libuv(name):
    return name == 'uv.h' or name.startswith('uv/')


def _is_detail(name):
    return name.startswith('trueasync/detail/')
