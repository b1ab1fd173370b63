"""Checks that every relative link of the site leads to a file that exists, and its fragment to an anchor in it."""
import html.parser
import os
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links and the anchors of one HTML file."""

    def __init__(self, path):
        super().__init__()
        self.links = []
        self.anchors = set()
        with open(path, encoding='utf-8') as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == 'id' or (name == 'name' and tag == 'a'):
                self.anchors.add(value)
            elif name in ('href', 'src') and value:
                self.links.append(value)


def html_files(site):
    """The pages written by pages.py. The links inside the API reference are Doxygen's own."""
    for folder, folders, files in os.walk(site):
        if folder == site:
            folders[:] = [name for name in folders if name != 'api']
        yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith('.html'))


def broken_links(site):
    """A line per broken link: page, link, reason."""
    pages, broken = {}, []

    def page_of(path):
        if path not in pages:
            pages[path] = Page(path)
        return pages[path]

    for source in html_files(site):
        for link in page_of(source).links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            path = urllib.parse.unquote(url.path)
            base = site if path.startswith('/') else os.path.dirname(source)
            target = os.path.normpath(os.path.join(base, path.lstrip('/'))) if path else source
            if os.path.isdir(target):
                target = os.path.join(target, 'index.html')
            reason = ''
            if not os.path.isfile(target):
                reason = 'no such file'
            elif url.fragment and target.endswith('.html'):
                if urllib.parse.unquote(url.fragment) not in page_of(target).anchors:
                    reason = 'no such anchor'
            if reason:
                broken.append(f'{os.path.relpath(source, site)}: {link}: {reason}')
    return broken
