"""Shows that every check of house.py can fail: a small good tree passes all of them, and each change that makes it bad
is found by the check that is for it."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import house

GOOD_TREE = {
    "LICENSE": "Apache License\n",
    "README.md": "# Good\n\nSee [the plan](docs/architecture.md#rooms).\n",
    "docs/architecture.md": """# Plan

## Rooms

| room | question | doors | public headers |
|---|---|---|---|
| `base` | words | | `base.h` |
| `shape` | which shape | `base` | `shape.h` |
| `walk` | which way | `shape` | |
| `colour` | which colour | `base` | |
| `api` | all together | `walk`, `colour` | `world.h` |
| `later` (empty) | what next | `walk` | |
""",
    "include/throng/base.h": "#pragma once\nstruct Base {};\n",
    "include/throng/shape.h": '#pragma once\n#include "throng/base.h"\nstruct Shape : Base {};\n',
    "include/throng/world.h": '#pragma once\n#include "throng/shape.h"\nstruct World : Shape {};\n',
    "src/base/CMakeLists.txt": "throng_room(base\n  SOURCES base.cpp\n  LIBRARIES fmt::fmt)\n",
    "src/base/base.cpp": '#include "throng/base.h"\n',
    "src/shape/CMakeLists.txt": "throng_room(shape DOORS base\n  SOURCES shape.cpp)\n",
    "src/shape/shape.h": "#pragma once\n",
    "src/shape/shape.cpp": '#include "shape/shape.h"\n\n#include "throng/shape.h"\n',
    "src/walk/CMakeLists.txt": "throng_room(walk DOORS shape\n  SOURCES walk.cpp)\n",
    "src/walk/walk.cpp": '#include "shape/shape.h"\n#include "throng/base.h"\n',
    "src/colour/CMakeLists.txt": "throng_room(colour DOORS base\n  SOURCES colour.cpp)\n",
    "src/colour/colour.cpp": '#include "throng/base.h"\n',
    "src/api/CMakeLists.txt": "throng_room(api DOORS walk colour\n  SOURCES api.cpp)\n",
    "src/api/api.cpp": '#include "shape/shape.h"\n#include "throng/world.h"\n',
    "src/later/README.md": "Nothing yet.\n",
    "apps/throng/CMakeLists.txt": "add_executable(throng main.cpp)\n",
    "apps/throng/verbs.h": "#pragma once\n",
    "apps/throng/main.cpp": '#include <throng/world.h>\n\n#include "verbs.h"\n',
    "tests/walk/CMakeLists.txt": "throng_test(walk SOURCES walk_test.cpp)\n",
    "tests/walk/walk_test.cpp": '#include <vector>\n\n#include "shape/shape.h"\n#include "support/near.h"\n',
    "tests/support/near.h": "#pragma once\n",
}


class Checks(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for path, text in GOOD_TREE.items():
            self.write(path, text)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def found(self, check):
        return list(getattr(house, f"check_{check}")(self.root))

    def expect(self, check, *fragments):
        """Exactly one finding, and it says all of this."""
        findings = self.found(check)
        self.assertEqual(len(findings), 1, findings)
        for fragment in fragments:
            self.assertIn(fragment, findings[0])

    def test_a_good_tree_passes(self):
        for check in ("doors", "sources", "text", "papers"):
            self.assertEqual(self.found(check), [], check)

    # doors

    def test_no_door_between_siblings(self):
        self.write("src/colour/colour.cpp", '#include "shape/shape.h"\n')
        self.expect("doors", "src/colour/colour.cpp:1", "shape/shape.h", "colour has no door")

    def test_no_door_upwards(self):
        self.write("src/walk/walk.h", "#pragma once\n")
        self.write("src/base/base.cpp", "#include <walk/walk.h>\n")
        self.expect("doors", "src/base/base.cpp:1", "base has no door")

    def test_a_public_header_belongs_to_its_room(self):
        self.write("src/colour/colour.cpp", '\n#include "throng/shape.h"\n')
        self.expect("doors", "src/colour/colour.cpp:2", "throng/shape.h of shape", "colour has no door")

    def test_public_headers_keep_to_the_doors(self):
        self.write("include/throng/shape.h", '#include "throng/base.h"\n#include "throng/world.h"\n')
        self.expect("doors", "include/throng/shape.h:2", "shape has no door")

    def test_a_public_header_includes_nothing_private(self):
        self.write("include/throng/shape.h", '#include "shape/shape.h"\n')
        self.expect("doors", "include/throng/shape.h:1", "only throng/")

    def test_programs_see_only_the_public_headers(self):
        for folder in ("apps/throng", "papers", "bench", "examples", "python"):
            self.write(f"{folder}/peek.cpp", '#include "shape/shape.h"\n')
            self.expect("doors", f"{folder}/peek.cpp:1", "only throng/")
            (self.root / folder / "peek.cpp").unlink()

    def test_the_program_may_include_papers_but_not_the_other_way_round(self):
        self.write("papers/paper.h", "#pragma once\n")
        self.write("papers/table.cpp", '#include "papers/paper.h"\n')
        self.write("apps/throng/main.cpp", '#include "papers/paper.h"\n#include "verbs.h"\n')
        self.assertEqual(self.found("doors"), [])
        self.write("apps/throng/main.cpp", '#include "papers/missing.h"\n')
        self.expect("doors", "apps/throng/main.cpp:1", "neither")
        self.write("apps/throng/main.cpp", "")
        self.write("papers/table.cpp", '#include "apps/throng/verbs.h"\n')
        self.expect("doors", "papers/table.cpp:1", "neither")

    def test_a_room_s_tests_go_through_its_doors(self):
        self.write("src/colour/colour.h", "#pragma once\n")
        self.write("tests/walk/walk_test.cpp", '#include "colour/colour.h"\n')
        self.expect("doors", "tests/walk/walk_test.cpp:1", "walk has no door")

    def test_every_include_names_its_room(self):
        self.write("src/shape/shape.cpp", '#include "shape.h"\n')
        self.expect("doors", "src/shape/shape.cpp:1", "neither")

    def test_unknown_public_header(self):
        self.write("src/shape/shape.cpp", '#include "throng/nothing.h"\n')
        self.expect("doors", "no public header")

    def test_cmake_and_the_plan_agree(self):
        self.write("src/walk/CMakeLists.txt", "throng_room(walk DOORS shape colour\n  SOURCES walk.cpp)\n")
        self.expect("doors", "src/walk/CMakeLists.txt", "colour, shape", "has shape")

    def test_every_room_is_in_the_plan(self):
        self.write("src/attic/CMakeLists.txt", "throng_room(attic DOORS base SOURCES a.cpp)\n")
        self.expect("doors", "src/attic", "is not in the table")

    def test_an_empty_room_says_so(self):
        self.write("src/later/CMakeLists.txt", "throng_room(later DOORS walk SOURCES a.cpp)\n")
        self.expect("doors", "later is empty")

    def test_a_room_in_the_plan_is_built(self):
        (self.root / "src/colour/CMakeLists.txt").unlink()
        self.assertTrue(any("colour is built" in finding for finding in self.found("doors")))

    def test_every_public_header_has_a_room(self):
        self.write("include/throng/stray.h", "#pragma once\n")
        self.expect("doors", "include/throng/stray.h", "belongs to no room")

    def test_a_plan_without_a_table(self):
        self.write("docs/architecture.md", "# Plan\n\n## Rooms\n")
        self.expect("doors", "has no table of rooms")

    # sources

    def test_an_unlisted_source(self):
        for path in ("src/walk/more.cpp", "tests/walk/more_test.cpp", "bench/b.cpp", "papers/p.cpp", "fuzz/f.cpp"):
            self.write(path, "")
            self.expect("sources", path, "no CMakeLists.txt")
            (self.root / path).unlink()

    def test_a_name_in_a_comment_or_inside_another_does_not_count(self):
        self.write("src/walk/lk.cpp", "")
        self.write("src/walk/CMakeLists.txt", "throng_room(walk DOORS shape\n  SOURCES walk.cpp)  # lk.cpp\n")
        self.expect("sources", "src/walk/lk.cpp")

    def test_a_loop_lists_sources(self):
        self.write("fuzz/CMakeLists.txt", "foreach(name a b)\n  add_executable(${name}_fuzzer ${name}_fuzzer.cpp)\nendforeach()\n")
        self.write("fuzz/a_fuzzer.cpp", "")
        self.assertEqual(self.found("sources"), [])
        self.write("fuzz/c_fuzzer.cpp", "")
        self.expect("sources", "fuzz/c_fuzzer.cpp")

    def test_a_header_that_nobody_includes(self):
        self.write("src/walk/lonely.h", "#pragma once\n")
        self.expect("sources", "src/walk/lonely.h", "included by nobody")

    # text

    def test_unfinished_business(self):
        for word in ("TO" + "DO", "FIX" + "ME", "XX" + "X"):
            self.write("src/walk/walk.cpp", f"// {word}: later\n")
            self.expect("text", "src/walk/walk.cpp:1", "unfinished")

    def test_somebody_s_path(self):
        self.write("docs/notes.md", "It is in /ho" + "me/anna/throng.\n")
        self.expect("text", "docs/notes.md:1", "somebody's machine")

    def test_an_overlong_file(self):
        self.write("src/walk/walk.cpp", "\n" * (house.MOST_LINES + 1))
        self.expect("text", "src/walk/walk.cpp", "701 lines")

    def test_no_licence(self):
        (self.root / "LICENSE").unlink()
        self.expect("text", "LICENSE")

    def test_a_broken_link(self):
        self.write("docs/index.md", "[a](architecture.md) [b](missing.md) [c](https://example.org/x)\n")
        self.expect("text", "docs/index.md", "missing.md")

    def test_a_broken_anchor(self):
        self.write("docs/index.md", "[a](architecture.md#rooms) [b](architecture.md#cellar)\n")
        self.expect("text", "docs/index.md", "cellar", "no such heading")

    def test_an_unexplained_room(self):
        (self.root / "src/later/README.md").unlink()
        self.expect("text", "src/later", "neither sources nor a README.md")

    # papers

    def cite(self, comment, references="- **Good 1999.** A. Good, B. Fine, *On walking*.\n"):
        self.write("docs/references.md", references)
        self.write("src/walk/walk.cpp", f'{comment}\n#include "shape/shape.h"\n')

    def test_papers(self):
        for comment in ("// After Good 1999.", "// After Good & Fine\n// (1999), and GDC 1999.", "/// GOOD 1999, section 2"):
            self.cite(comment)
            self.assertEqual(self.found("papers"), [], comment)

    def test_a_paper_that_is_not_listed(self):
        self.cite("// Good 1999; Better et al. 2001.")
        self.expect("papers", "src/walk/walk.cpp", "Better 2001")

    def test_a_paper_that_nobody_cites(self):
        self.cite("// Good 1999.", "- **Good 1999.** *On walking*.\n- **Late 2020.** *On running*.\n")
        self.expect("papers", "nobody cites Late 2020")

    # format

    @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
    def test_format(self):
        self.write(".clang-format", "BasedOnStyle: Google\n")
        self.assertEqual(self.found("format"), [])
        self.write("src/walk/walk.cpp", "int  a ;\n")
        self.expect("format", "src/walk/walk.cpp", "clang-format")


if __name__ == "__main__":
    sys.exit(unittest.main())
