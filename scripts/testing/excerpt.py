"""The part of a log that explains a failure."""
import re

MAX_LINES = 40  # of one log
_TOOL = re.compile(r'==\d+==|(ERROR|WARNING): \w+Sanitizer|runtime error:|internal check failed')


def _section(lines, test):
    """The output of a failed test, starting at its RUN line."""
    start = next((i for i, line in enumerate(lines) if f'[ RUN      ] {test}' == line.strip()), None)
    if start is None:
        return []
    length = next((i for i, line in enumerate(lines[start + 1:], 1) if '[ RUN      ]' in line), len(lines) - start)
    return lines[start:start + length]


def excerpt(text, failed_tests=()):
    """At most MAX_LINES lines: the output of the failed tests; else the log from the first report of a sanitizer, valgrind
    or an internal check; else the end of the log."""
    lines = text.splitlines()
    shown = [line for test in failed_tests for line in _section(lines, test)]
    if not shown:
        first = next((i for i, line in enumerate(lines) if _TOOL.search(line)), None)
        shown = lines[first:] if first is not None else lines[-MAX_LINES:]
    return shown[:MAX_LINES] + ([f'({len(shown) - MAX_LINES} more lines)'] if len(shown) > MAX_LINES else [])
