"""The part of a log that says what went wrong."""
import re

LIMIT = 40  # lines shown of one log
_TOOL = re.compile(r'==\d+==|(ERROR|WARNING): \w+Sanitizer|runtime error:|internal check failed')


def _section(lines, test):
    """What a failed test printed, from its RUN line on."""
    start = next((i for i, line in enumerate(lines) if f'[ RUN      ] {test}' == line.strip()), None)
    if start is None:
        return []
    length = next((i for i, line in enumerate(lines[start + 1:], 1) if '[ RUN      ]' in line), len(lines) - start)
    return lines[start:start + length]


def excerpt(text, failed_tests=()):
    """At most LIMIT lines: the sections of failed tests, else from the first word of a sanitizer, valgrind or a check
    on, else the end."""
    lines = text.splitlines()
    shown = [line for test in failed_tests for line in _section(lines, test)]
    if not shown:
        first = next((i for i, line in enumerate(lines) if _TOOL.search(line)), None)
        shown = lines[first:] if first is not None else lines[-LIMIT:]
    return shown[:LIMIT] + ([f'({len(shown) - LIMIT} more lines)'] if len(shown) > LIMIT else [])
