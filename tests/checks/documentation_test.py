"""Tests of scripts/documentation: the Doxygen filter, anchors, navigation and the check of links."""
import os
import re
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'scripts/documentation'))

import doxygen_filter  # noqa: E402
import links  # noqa: E402
import pages  # noqa: E402
import result_lines  # noqa: E402


def filtered(text, keep_detail=False):
    return '\n'.join(doxygen_filter.convert(text.split('\n'), keep_detail))


class FilterTest(unittest.TestCase):
    def test_comment_above_declaration_documents_it(self):
        self.assertIn('/**\nReturns `1`.\n*/\nint f();'.replace('`1`', '<code>1</code>'),
                      filtered('// x.hpp: a file.\n#pragma once\n\n// Returns `1`.\nint f();\n'))

    def test_head_documents_the_type_it_names(self):
        text = filtered('// Latch: opens once.\n//\n// Errors: none.\n#pragma once\n\nclass Latch {\n};\n')
        self.assertIn('/**\nOpens once.\n\n\\par Errors\nnone.\n*/\nclass Latch {', text)

    def test_trailing_comment_documents_its_line(self):
        text = filtered('// a: b.\n\nstruct S {\n  int max = 1;  // default 1\n};\n')
        self.assertIn('int max = 1;  ///< default 1', text)

    def test_comments_in_function_bodies_stay(self):
        self.assertIn('  // why\n', filtered('// a: b.\n\ninline void f() {\n  // why\n  g();\n}\n'))

    def test_members_in_extern_c_are_documented(self):
        members = '  /* Waits. */\n  int (*wait)(void);\n'
        text = filtered('/* a: b. */\n\nextern "C" {\ntypedef struct S {\n' + members + '} S;\n}\n')
        self.assertIn('/**\nWaits.\n  */\n  int (*wait)(void);', text)

    def test_detail_is_hidden(self):
        text = '// a: b.\n\nnamespace t {\nnamespace detail {\nint f();\n}\nint g();\n}\n'
        self.assertIn('/// \\cond\nnamespace detail {\nint f();\n}\n/// \\endcond\nint g();', filtered(text))
        self.assertNotIn('\\cond', filtered(text, keep_detail=True))

    def test_text_is_literal(self):
        self.assertIn('Pool&lt;T&gt; \\#1 \\@x', filtered('// a: b.\n\n// Pool<T> #1 @x\nint f();\n'))


class PagesTest(unittest.TestCase):
    def test_anchors_are_those_of_github(self):
        text = pages.with_anchors('<h2>C++ &amp; <code>C</code> API</h2><h2>A</h2><h2>A</h2>')
        self.assertEqual(['c--c-api', 'a', 'a-1'], re.findall(r'id="([^"]*)"', text))

    def test_readme_is_the_index_of_its_folder(self):
        self.assertEqual('docs/index.html', pages.output_path('docs/README.md'))
        self.assertEqual('docs/x.html', pages.output_path('docs/x.md'))
        self.assertEqual('examples/x.cpp.html', pages.output_path('examples/x.cpp'))


class LinksTest(unittest.TestCase):
    def test_missing_files_and_anchors_are_reported(self):
        with tempfile.TemporaryDirectory() as site:
            with open(os.path.join(site, 'a.html'), 'w', encoding='utf-8') as file:
                file.write('<h1 id="x"></h1><a href="#x"></a><a href="#y"></a>')
                file.write('<a href="b.html"></a><a href="https://z/"></a>')
            self.assertEqual(['a.html: #y: no such anchor', 'a.html: b.html: no such file'], links.broken_links(site))


if __name__ == '__main__':
    result_lines.main()
