"""Renders the Markdown pages of the tree with cmark-gfm, GitHub's renderer, to a site with navigation.

Pages are found by folder. The site has the layout of the tree, so relative links stay valid: `x.md` becomes `x.html`
and README.md the index.html of its folder. A link to a source file leads to a page with its text, a link to a folder
without a README.md to a page that lists its files.
"""
import html
import os
import re
import subprocess

SKIPPED_FOLDERS = ('build', 'tests')
HEADING = re.compile(r'<h([1-6])>(.*?)</h\1>', re.DOTALL)
LINK = re.compile(r'(<(?:a href|img src)=")([^"]*)(")')
MARKDOWN_LINK = re.compile(r'\]\(([^)\s#]+)')
TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'page.html')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def find_pages(root):
    """All Markdown files of the tree, relative to its root, in the order of their paths."""
    pages = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(('.', 'build')) and name not in SKIPPED_FOLDERS]
        pages += [os.path.relpath(os.path.join(folder, name), root) for name in files if name.endswith('.md')]
    return sorted(pages)


def output_path(page):
    """docs/x.md: docs/x.html; docs/README.md: docs/index.html; a source file x.cpp: x.cpp.html"""
    folder, name = os.path.split(page)
    if name == 'README.md':
        name = 'index.html'
    elif name.endswith('.md'):
        name = name[:-3] + '.html'
    elif not name.endswith('.html'):
        name += '.html'
    return os.path.join(folder, name)


def title_of(root, page):
    match = re.search(r'^# (.*)$', read(os.path.join(root, page)), re.MULTILINE)
    return match[1].replace('`', '') if match else page


def with_anchors(text):
    """Headings get the anchors that GitHub gives them."""
    used = {}

    def anchor(match):
        plain = html.unescape(re.sub(r'<[^>]*>', '', match[2])).strip().lower()
        slug = re.sub(r'[^\w\- ]', '', plain).replace(' ', '-')
        count = used[slug] = used.get(slug, -1) + 1
        return f'<h{match[1]} id="{slug}{f"-{count}" if count else ""}">{match[2]}</h{match[1]}>'

    return HEADING.sub(anchor, text)


def linked_order(root, index, pages):
    """The pages in the order in which the index page links to them, then the other pages."""
    order = []
    if os.path.isfile(os.path.join(root, index)):
        folder = os.path.dirname(index)
        order = [os.path.normpath(os.path.join(folder, link))
                 for link in MARKDOWN_LINK.findall(read(os.path.join(root, index)))]
    return sorted(pages, key=lambda page: (order.index(page) if page in order else len(order), page))


def sections_of(root, pages):
    """[(title, pages)]: the pages of docs/, a section per folder below it, then all others."""
    folders = {}
    for page in pages:
        folders.setdefault(os.path.dirname(page), []).append(page)
    top = [page for page in folders.pop('', []) if page != 'README.md']
    sections = [('Documentation', linked_order(root, 'README.md', folders.pop('docs', [])))]
    for folder in sorted(name for name in folders if name.startswith('docs/')):
        index = f'{folder}/README.md'
        members = linked_order(root, index, folders.pop(folder))
        members.sort(key=lambda page, index=index: page != index)
        sections.append((os.path.basename(folder).capitalize(), members))
    sections.append(('Project', [page for folder in sorted(folders) for page in folders[folder]] + top))
    # The guide is read first, decisions last.
    return sorted(sections, key=lambda section: (section[0] != 'Guide', section[0] == 'Decisions'))


class Site:
    """Writes the pages to a folder."""

    def __init__(self, root, folder):
        self.root = root
        self.folder = folder
        self.template = read(TEMPLATE)
        self.written = set()
        self.pages = find_pages(root)
        self.navigation = [(title, [(page, title_of(root, page)) for page in pages])
                           for title, pages in sections_of(root, self.pages)]

    def build(self):
        for page in self.pages:
            command = ['cmark-gfm', '-e', 'table', '-e', 'autolink', '-e', 'strikethrough', '--unsafe']
            body = subprocess.run([*command, os.path.join(self.root, page)], check=True, capture_output=True,
                                  text=True, encoding='utf-8').stdout
            self.write(page, title_of(self.root, page), self.with_links(page, with_anchors(body)))

    def with_links(self, page, body):
        return LINK.sub(lambda match: match[1] + self.link(page, match[2]) + match[3], body)

    def link(self, page, target):
        """The target of a link on the site; a page for it is written if there is none yet."""
        path, mark, fragment = target.partition('#')
        if not path or re.match(r'[a-z]+:|/', path):
            return target
        file = os.path.normpath(os.path.join(os.path.dirname(page), path))
        full = os.path.join(self.root, file)
        if os.path.isdir(full):
            file = os.path.join(file, 'README.md')
            if file not in self.pages:
                self.write_folder(os.path.dirname(file))
        elif not os.path.isfile(full):
            return target  # links.py reports it
        elif not file.endswith('.md'):
            self.write_source(file)
        return os.path.relpath(output_path(file), os.path.dirname(page) or '.') + mark + fragment

    def write_source(self, file):
        if file not in self.written:
            text = html.escape(read(os.path.join(self.root, file)), quote=False)
            self.write(file, file, f'<h1>{file}</h1>\n<pre><code>{text}</code></pre>\n')

    def write_folder(self, folder):
        page = os.path.join(folder, 'README.md')
        if page in self.written:
            return
        self.written.add(page)
        items = []
        for name in sorted(os.listdir(os.path.join(self.root, folder))):
            file = os.path.join(folder, name)
            if not os.path.isfile(os.path.join(self.root, file)):
                continue
            title = title_of(self.root, file) if name.endswith('.md') else name
            items.append(f'<li><a href="{self.link(page, name)}">{html.escape(title)}</a></li>')
        self.write(page, folder, f'<h1>{folder}</h1>\n<ul>\n' + '\n'.join(items) + '\n</ul>\n')

    def write(self, page, title, body):
        self.written.add(page)
        target = os.path.join(self.folder, output_path(page))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        text = self.template
        for mark, value in (('TITLE', html.escape(title)), ('NAVIGATION', self.menu(page)), ('BODY', body)):
            text = text.replace(f'{{{{{mark}}}}}', value)
        with open(target, 'w', encoding='utf-8') as file:
            file.write(text)

    def menu(self, page):
        def item(path, title):
            target = os.path.relpath(path, os.path.dirname(output_path(page)) or '.')
            here = ' class="here"' if path == output_path(page) else ''
            return f'<li><a{here} href="{target}">{html.escape(title)}</a></li>'

        lines = ['<ul>', item('index.html', 'TrueAsync'), item('api/index.html', 'API reference'), '</ul>']
        for title, pages in self.navigation:
            if pages:
                lines += [f'<p>{title}</p>', '<ul>', *(item(output_path(path), name) for path, name in pages), '</ul>']
        return '\n'.join(lines)
