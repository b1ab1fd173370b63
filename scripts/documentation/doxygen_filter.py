#!/usr/bin/env python3
"""Doxygen input filter: turns the plain comments of the public headers into documentation comments.

usage: doxygen_filter.py HEADER

- A comment block directly above a declaration becomes its documentation; a trailing comment documents its own line.
- A name at the beginning, `Name: what it is`, is dropped where the documentation is shown below that name.
- The comment at the head of a file documents the file. If it begins with `Name:` and the file declares Name without a
  comment of its own, it documents Name as well.
- `Ownership:`, `Lifetime:`, `Thread safety:`, `Errors:` and `Versions:` begin a paragraph with that title, indented
  lines are code, and text in backticks is set in a code font. All other text is literal.
- Comments inside function bodies, namespace detail and specializations of std templates are left out. The two base
  classes in KEPT_DETAIL stay, because their public members belong to Pool, TaskGroup and TaskSet.
"""
import re
import sys

LABEL = re.compile(r'(Ownership|Lifetime|Thread safety|Errors|Versions): *(.*)')
KEPT_DETAIL = ('detail/pool_base.hpp', 'detail/task_group_base.hpp')
TYPE_BLOCK = re.compile(r'\b(namespace|class|struct|union|enum)\b|extern *""')  # strings are emptied before
DECLARED_TYPE = r'^(?:typedef )?(?:class|struct|enum class|union)\b.*\b{}\b[^;]*\{{?$'
DECLARED_FUNCTION = r'^(?!//|#|  ).*\b{}\('


def escape(text):
    """Literal text for Doxygen: HTML characters, commands and automatic links are quoted."""
    text = text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
    return re.sub(r'([\\@#%])', r'\\\1', text)


def inline(text):
    parts = text.split('`')
    if len(parts) % 2 == 0:
        return escape(text)
    return ''.join(f'<code>{escape(part)}</code>' if index % 2 else escape(part) for index, part in enumerate(parts))


def without_name(lines, declaration):
    """The text of a comment without the `Name:` that begins it, if the declaration below it has that name."""
    match = re.match(r'(\w+): (.)(.*)', lines[0])
    if not match or not re.search(rf'\b{match[1]}\b', declaration):
        return lines
    return [match[2].upper() + match[3], *lines[1:]]


def documentation(lines, indent=''):
    """The text of a comment as lines of a documentation comment."""
    result, in_code = [], False
    for line in lines:
        is_code = line.startswith('  ') or (in_code and not line.strip())
        if is_code != in_code:
            result.append('\\verbatim' if is_code else '\\endverbatim')
            in_code = is_code
        label = LABEL.match(line)
        if is_code:
            result.append(line)
        elif label:
            result += [f'\\par {label[1]}', inline(label[2])]
        else:
            result.append(inline(line))
    if in_code:
        result.append('\\endverbatim')
    return [f'{indent}/**', *result, f'{indent}*/']


def without_block_comments(lines):
    """The same lines with every /* comment */ written with //, so that one form is left."""
    result, in_comment = [], False
    for line in lines:
        if in_comment:
            indent = line[:len(line) - len(line.lstrip())]
            in_comment = '*/' not in line
            text = re.sub(r'^\s*\* ?', '', line).replace('*/', '').rstrip()
            result.append(f'{indent[:-1]}// {text}'.rstrip())
        elif re.match(r'\s*/\*', line) and '*/' not in line:
            in_comment = True
            result.append(line.replace('/*', '//', 1))
        else:
            result.append(re.sub(r'/\* ?(.*?) ?\*/\s*$', r'// \1', line))
    return result


class Blocks:
    """Which braces are open: types and namespaces, or function bodies and initializers."""

    def __init__(self):
        self.open = []
        self.statement = ''

    def feed(self, code):
        code = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'', '""', code)
        if code.lstrip().startswith('#'):
            return
        for character in code + ' ':
            if character == '{':
                self.open.append(self.kind())
            elif character == '}' and self.open:
                self.open.pop()
            if character in '{};':
                self.statement = ''
            else:
                self.statement += character

    def kind(self):
        statement = re.sub(r'template *<[^{;]*?> *(?=class|struct|$|[a-zA-Z:\[])', '', self.statement, count=1)
        if re.search(r'\bnamespace\b.*\bdetail\b', statement):
            return 'detail'
        # A parenthesis means a function, whose parameters may name a struct.
        return 'type' if TYPE_BLOCK.search(statement) and '(' not in statement else 'body'

    def in_body(self):
        return 'body' in self.open

    def in_detail(self):
        return 'detail' in self.open


def split_trailing(line):
    """(code, comment) of a line with a trailing comment; the comment is None if there is none."""
    match = re.match(r'^((?:[^"\'/]|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/(?!/))*)//(.*)$', line)
    return (match[1], match[2]) if match and match[1].strip() else (line, None)


def find_declaration(lines, name):
    """The index of the line at which the declaration of a name begins, if it has no comment of its own."""
    for pattern in (DECLARED_TYPE, DECLARED_FUNCTION):
        for index, line in enumerate(lines):
            if not re.match(pattern.format(re.escape(name)), line):
                continue
            while index > 0 and re.match(r'(template|requires|\s+requires)\b', lines[index - 1]):
                index -= 1
            return None if lines[index - 1].lstrip().startswith('//') else index
    return None


def comment_text(line):
    return re.sub(r'^\s*// ?', '', line)


def convert(lines, keep_detail):
    lines = without_block_comments(lines)
    head_end = next((index for index, line in enumerate(lines) if not line.startswith('//')), len(lines))
    head = [comment_text(line) for line in lines[:head_end]]
    lines = lines[head_end:]
    file_documentation = documentation(head)
    result = ['/** \\file', *file_documentation[1:]]
    name = re.match(r'(\w+): ', head[0]) if head else None
    head_target = find_declaration(lines, name[1]) if name else None

    blocks, pending, hidden, in_specialization = Blocks(), [], False, False
    for index, line in enumerate(lines):
        if index == head_target:
            result += documentation(without_name(head, name[1]))
        if line.lstrip().startswith('//'):
            pending.append(line)
            continue
        if pending:
            documents_line = re.match(r'\s*(?:#define\b|[^\s}#])', line) and not line.strip().startswith('public')
            is_documentation = documents_line and not blocks.in_body()
            indent = pending[0][:len(pending[0]) - len(pending[0].lstrip())]
            text = without_name([comment_text(text) for text in pending], ' '.join(lines[index:index + 3]))
            result += documentation(text, indent) if is_documentation else pending
            pending = []
        if line.startswith('struct std::'):  # Doxygen cannot place a specialization that is qualified
            result.insert(len(result) - 1, '/// \\cond')
            in_specialization = True
        code, comment = split_trailing(line)
        was_in_body = blocks.in_body()
        was_in_detail = blocks.in_detail()
        blocks.feed(code)
        if blocks.in_detail() and not was_in_detail and not keep_detail:
            hidden = True
            result.append('/// \\cond')
        documents = comment is not None and not was_in_body and not blocks.in_body()
        if documents and code.lstrip()[0] not in '}#' and not code.rstrip().endswith(('{', ':')):
            line = f'{code}///< {inline(comment.strip())}'
        result.append(line)
        if in_specialization and line == '};':
            in_specialization = False
            result.append('/// \\endcond')
        if hidden and not blocks.in_detail():
            hidden = False
            result.append('/// \\endcond')
    return result + pending


def main(path):
    keep_detail = path.endswith(KEPT_DETAIL)
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    sys.stdout.reconfigure(encoding='utf-8')
    print('\n'.join(convert(lines, keep_detail)))


if __name__ == '__main__':
    main(sys.argv[1])
