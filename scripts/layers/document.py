"""The table of the modules in docs/architecture.md."""

PAGE = 'docs/architecture.md'
BEGIN = '<!-- layers:begin, written by scripts/check_layers.py --update -->\n'
END = '<!-- layers:end -->'


def table(rules):
    lines = ['| module | contains | may include |', '|---|---|---|']
    for module, (contents, allowed) in rules.modules.items():
        lines.append(f'| `{module}` | {contents} | {", ".join(allowed) or "the standard library"} |')
    return '\n'.join(lines) + '\n'


def problems(root, rules):
    page = root / PAGE
    text = page.read_text(encoding='utf-8') if page.is_file() else ''
    if BEGIN not in text or END not in text:
        return [f'{PAGE}:1: no table of the modules between "{BEGIN.strip()}" and "{END}"']
    before, rest = text.split(BEGIN, 1)
    if rest.split(END, 1)[0] == table(rules):
        return []
    return [f'{PAGE}:{before.count(chr(10)) + 1}: the table of the modules is stale; run scripts/check_layers.py --update']


def update(root, rules):
    page = root / PAGE
    before, rest = page.read_text(encoding='utf-8').split(BEGIN, 1)
    page.write_text(before + BEGIN + table(rules) + END + rest.split(END, 1)[1], encoding='utf-8')
