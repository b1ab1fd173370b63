"""Builds the API reference and the documentation site; see scripts/build-docs --help."""
import os
import shutil
import subprocess
import sys

import links
import pages


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    work = os.path.join(root, 'build/docs')
    site = os.path.join(work, 'site')
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(site)
    if subprocess.run(['doxygen', 'docs/Doxyfile'], cwd=root, check=False).returncode != 0:
        sys.exit('error: doxygen docs/Doxyfile: see the warnings above')
    shutil.copytree(os.path.join(work, 'api'), os.path.join(site, 'api'))
    pages.Site(root, site).build()
    broken = links.broken_links(site)
    if broken:
        sys.exit('\n'.join(broken) + f'\nerror: {len(broken)} broken links')
    print('written: build/docs/site/index.html')


if __name__ == '__main__':
    main()
