"""Rules: the tables and the lists of exceptions that a tree is checked against."""
import dataclasses
import pathlib

from . import tables

# Name of a list -> form of its entries. An entry that is needed n times is listed n times.
LISTS = {
    'private_includes': 'FILE HEADER',
    'detail_includes': 'FILE HEADER',
    'friends': 'FILE NAME',
    'thread_locals': 'FILE NAME',
}
FOLDER = 'scripts/layers'


@dataclasses.dataclass
class Rules:
    modules: dict
    public_folders: dict
    public_headers: dict
    uv_modules: tuple
    outside: tuple
    uv_folders: tuple
    lists: dict  # name of the list -> entries, sorted

    @classmethod
    def load(cls, root):
        lists = {name: _read_list(root / FOLDER / f'{name}.txt') for name in LISTS}
        return cls(tables.MODULES, tables.PUBLIC_FOLDERS, tables.PUBLIC_HEADERS, tables.UV_MODULES, tables.OUTSIDE,
                   tables.UV_FOLDERS, lists)

    def may_include(self, module):
        return self.modules[module][1]

    def module_of_public(self, name):
        """The module of a public header, or None if it has none."""
        parts = name.split('/')
        folder = self.public_folders.get(parts[1]) if len(parts) == 3 else None
        return self.public_headers.get(name, folder)

    def module_of_source(self, name):
        """The module of a path relative to src/ (the longest listed prefix), or None if no module contains it."""
        parts = pathlib.PurePosixPath(name).parts[:-1]
        for length in (2, 1):
            module = '/'.join(parts[:length])
            if len(parts) >= length and module in self.modules:
                return module
        return None

    def remove_unneeded(self, root, unneeded):
        """Removes entries, given as (list, entry), from the files of the lists. Never adds one."""
        for name, entry in unneeded:
            path = root / FOLDER / f'{name}.txt'
            lines = path.read_text(encoding='utf-8').splitlines()
            lines.remove(entry)
            path.write_text('\n'.join(lines) + '\n', encoding='utf-8')


def _read_list(path):
    if not path.is_file():
        return []
    lines = path.read_text(encoding='utf-8').splitlines()
    return [line for line in lines if line and not line.startswith('#')]
