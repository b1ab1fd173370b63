#!/usr/bin/env python3
"""Checks the walls between the modules: includes, include cycles, friends, thread-local variables.

usage: check_layers.py [--root DIR] [--table | --report | --update | --self-test]

scripts/layers/tables.py defines which module may include which. scripts/layers/*.txt list the exceptions that exist; an
exception may be removed from a list, and must be removed when it is no longer needed. docs/architecture.md contains the
table of the modules. Prints FILE:LINE and the broken rule for each violation. The exit code is 1 if there is a violation.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from layers import check, document, report, self_test  # noqa: E402
from layers.rules import Rules  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description='Checks the walls between the modules.')
    parser.add_argument('--root', default=pathlib.Path(__file__).resolve().parent.parent, type=pathlib.Path)
    action = parser.add_mutually_exclusive_group()
    action.add_argument('--table', action='store_true', help='print the table of the modules for docs/architecture.md')
    action.add_argument('--report', action='store_true', help='list split classes, small headers with one user, long files')
    action.add_argument('--update', action='store_true',
                        help='write the table into docs/architecture.md and remove unneeded entries from the lists')
    action.add_argument('--self-test', action='store_true', help='check that known violations are reported')
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    if arguments.self_test:
        return 0 if self_test.run() else 1
    rules = Rules.load(root)
    if arguments.table:
        print(document.table(rules), end='')
        return 0
    if arguments.report:
        report.print_report(root)
        return 0
    if arguments.update:
        document.update(root, rules)
        rules.remove_unneeded(root, check.check_tree(root, rules).unneeded)
        rules = Rules.load(root)
    result = check.check_tree(root, rules)
    for problem in result.problems:
        print(problem)
    listed = ', '.join(f'{len(entries)} {name.replace("_", " ")}' for name, entries in rules.lists.items())
    print(f'{result.files} files, {len(result.problems)} violations; listed exceptions: {listed}')
    return 1 if result.problems else 0


if __name__ == '__main__':
    sys.exit(main())
