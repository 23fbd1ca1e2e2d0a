"""Checks the house against its own plan: house.py CHECK [--root FOLDER]

doors    every include goes through a door of docs/architecture.md, and the CMake files name the same doors
sources  every source file is listed in a CMakeLists.txt, and every header is included by somebody
text     no unfinished business, no paths of somebody's machine, no overlong files, no broken links, no unexplained room
papers   every paper that a comment or page cites stands in docs/references.md, and every one there is cited
format   clang-format has nothing to say

Prints one line per finding and ends with exit code 1 when there is any. tests/house/house_test.py shows that every check
can fail.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SKIPPED_FOLDERS = {"build", "out", ".git", ".cache", "node_modules", "__pycache__"}
CODE_FOLDERS = ("include", "src", "apps", "papers", "bench", "tests", "fuzz", "examples", "python")
CODE_SUFFIXES = {".cpp", ".h"}
# What stands outside src/ sees the public headers only, and its own; the program offers papers and bench as verbs.
OUTSIDE_FOLDERS = {"apps", "papers", "bench", "examples", "python"}
OUTSIDE_DOORS = {"apps": {"papers", "bench"}, "tests": {"papers", "bench", "apps"}}
MOST_LINES = 700


def walk(root, folders=(".",)):
    for folder in folders:
        for directory, children, files in os.walk(root / folder):
            children[:] = sorted(c for c in children if c not in SKIPPED_FOLDERS)
            for name in sorted(files):
                yield Path(directory, name).relative_to(root)


def code_files(root):
    return [path for path in walk(root, CODE_FOLDERS) if path.suffix in CODE_SUFFIXES]


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


# Doors


def doors_in_cmake(root):
    """{room: doors} from the throng_room() calls."""
    doors = {}
    for path in sorted(root.glob("src/*/CMakeLists.txt")):
        call = re.search(r"throng_room\(\s*(\w+)(.*?)\)", read(path), re.S)
        if call:
            words = call.group(2).split()
            begin = words.index("DOORS") + 1 if "DOORS" in words else len(words)
            end = next((i for i in range(begin, len(words)) if words[i].isupper()), len(words))
            doors[call.group(1)] = set(words[begin:end])
    return doors


def rooms_in_plan(root):
    """From the table of rooms in docs/architecture.md, {room: (doors, public headers, empty)}. A row reads
    | `agents` | the crowd's state … | `geometry` | `frame.h` |, and the name of an empty room is followed by (empty)."""
    rooms = {}
    for line in read(root / "docs/architecture.md").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        name = re.fullmatch(r"`(\w+)`( \(empty\))?", cells[0])
        if len(cells) == 4 and name:
            rooms[name.group(1)] = (set(re.findall(r"`(\w+)`", cells[2])), re.findall(r"`([\w.]+\.h)`", cells[3]),
                                    bool(name.group(2)))
    return rooms


def closure(doors):
    """Every room, with all it can reach and itself."""
    reach = {}

    def visit(room):
        if room not in reach:
            reach[room] = {room}
            for door in doors.get(room, ()):
                reach[room] |= visit(door)
        return reach[room]

    for room in doors:
        visit(room)
    return reach


def includes(text):
    """(line number, path) of every include."""
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*[<"]([^">]+)[">]', line)
        if found:
            yield number, found.group(1)


def check_doors(root):
    planned = rooms_in_plan(root)
    doors = doors_in_cmake(root)
    if not planned:
        yield "docs/architecture.md: has no table of rooms"
        return
    for room in sorted(set(doors) - set(planned)):
        yield f"src/{room}: is not in the table of docs/architecture.md"
    for room, (planned_doors, _, empty) in sorted(planned.items()):
        if empty == (room in doors):
            yield f"docs/architecture.md: says that {room} is {'empty' if empty else 'built'}; its CMakeLists.txt differs"
        elif room in doors and doors[room] != planned_doors:
            yield (f"src/{room}/CMakeLists.txt: doors to {', '.join(sorted(doors[room])) or 'nobody'}; "
                   f"docs/architecture.md has {', '.join(sorted(planned_doors)) or 'nobody'}")
    owner = {header: room for room, (_, headers, _) in planned.items() for header in headers}
    for header in sorted(root.glob("include/throng/*.h")):
        if header.name not in owner:
            yield f"include/throng/{header.name}: belongs to no room in the table of docs/architecture.md"
    reach = closure(doors)
    for path in code_files(root):
        yield from check_includes(root, path, reach, owner)


def check_includes(root, path, reach, owner):
    top = path.parts[0]
    room = None
    if top in ("src", "tests") and len(path.parts) > 2 and path.parts[1] in reach:
        room = path.parts[1]
    elif top == "include":
        room = owner.get(path.name)
    for number, include in includes(read(root / path)):
        first = include.split("/")[0]
        where = f"{path}:{number}: includes {include}"
        if first == "throng":
            if include[len("throng/"):] not in owner:
                yield f"{where}, which is no public header"
            elif room and owner[include[len("throng/"):]] not in reach[room]:
                yield f"{where} of {owner[include[len('throng/'):]]}, to which {room} has no door"
        elif (root / "src" / include).is_file() and first in reach:
            if top in OUTSIDE_FOLDERS or (top == "tests" and not room) or top == "include":
                yield f"{where}; only throng/… may be included here"
            elif room and first not in reach[room]:
                yield f"{where}, to which {room} has no door"
        elif f'"{include}"' in read(root / path) and not own_header(root, path, include):
            yield f"{where}, which is neither room/file.h nor throng/file.h nor one of {top}'s own"


def own_header(root, path, include):
    if path.parts[0] in ("src", "include"):
        return False  # in the rooms every include names its room
    top, first = path.parts[0], include.split("/")[0]
    if first == top or first in OUTSIDE_DOORS.get(top, ()):
        return (root / include).is_file()
    folders = [path.parent, *path.parent.parents][:-1]
    return any((root / folder / include).is_file() for folder in folders)


# Sources


def check_sources(root):
    files = code_files(root)
    included = set()
    for path in files:
        for _, include in includes(read(root / path)):
            included.add(include)
    for path in files:
        if path.suffix == ".cpp" and not listed(root, path):
            yield f"{path}: is in no CMakeLists.txt, so nobody compiles it"
        if path.suffix == ".h" and not any(str(path).endswith("/" + i) or str(path) == i for i in included):
            yield f"{path}: is included by nobody"


def listed(root, path):
    for folder in [path.parent, *path.parent.parents]:
        cmake = root / folder / "CMakeLists.txt"
        if cmake.is_file():
            text = unrolled(re.sub(r"#.*", "", read(cmake)))
            name = str(path.relative_to(folder))
            if re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w.-])", text):
                return True
    return False


def unrolled(cmake):
    """With ${name}_test.cpp inside foreach(name a b) written out: a_test.cpp b_test.cpp."""
    for name, items in re.findall(r"foreach\(\s*(\w+)\s+(?:IN\s+ITEMS\s+)?([^)]*)\)", cmake):
        cmake = re.sub(r"(\S*)\$\{" + name + r"\}([\w./-]+)",
                       lambda use: " ".join(use[1] + item + use[2] for item in items.split()), cmake)
    return cmake


# Text

TEXT_SUFFIXES = {".cpp", ".h", ".py", ".sh", ".md", ".txt", ".cmake", ".in", ".json", ".ts", ""}
LIMITED_SUFFIXES = {".cpp", ".h", ".py", ".sh", ".cmake", ".ts"}
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X")) + r")\b")
SOMEBODYS_PATH = re.compile(r"(?<![\w.$}{)])/(?:home|work|root|Users)/\w")


def check_text(root):
    licence = root / "LICENSE"
    if not licence.is_file() or "Apache License" not in read(licence):
        yield "LICENSE: is not there, or not the Apache License"
    for path in walk(root):
        if path.suffix not in TEXT_SUFFIXES or path.name in ("LICENSE", "package-lock.json"):
            continue
        lines = read(root / path).splitlines()
        for number, line in enumerate(lines, 1):
            if UNFINISHED.search(line):
                yield f"{path}:{number}: unfinished: {line.strip()}"
            if SOMEBODYS_PATH.search(line):
                yield f"{path}:{number}: a path of somebody's machine: {line.strip()}"
        if path.suffix in LIMITED_SUFFIXES and len(lines) > MOST_LINES:
            yield f"{path}: {len(lines)} lines; at most {MOST_LINES}"
    yield from check_links(root)
    for room in sorted(p for p in (root / "src").iterdir() if p.is_dir()):
        if not any(room.glob("**/*.cpp")) and not (room / "README.md").is_file():
            yield f"src/{room.name}: has neither sources nor a README.md"


def check_links(root):
    for path in walk(root):
        if path.suffix != ".md":
            continue
        text = re.sub(r"```.*?```", "", read(root / path), flags=re.S)
        for target in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            there = (root / path.parent / file) if file else root / path
            if not there.exists():
                yield f"{path}: link to {target}, which is not there"
            elif anchor and there.suffix == ".md" and anchor not in anchors(read(there)):
                yield f"{path}: link to {target}; {file or path} has no such heading"


def anchors(text):
    """The names that GitHub gives to headings."""
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", text, re.M)}


# Format


# Papers

# Words before a year that are no authors: where something was published, or what the year is of.
NO_AUTHORS = {"CASA", "EPFL", "FDG", "GDC", "ICRA", "ISRR", "SIGGRAPH", "Utrecht", "Nature", "Games", "Copyright", "In",
              "Since", "The", "Debian", "Letters", "IROS", "OOPSLA"}
CITATION = re.compile(r"(?<![\w*])([A-ZÀ-Ž][\w-]+)(?: et al\.)?(?:,? |’s |'s )\(?((?:19|20)\d\d)(?!\d|\.\d|\s*(?:m|N|s|kg)\b)")


def check_papers(root):
    listing = root / "docs" / "references.md"
    if not listing.exists():
        return
    entries = re.findall(r"^- \*\*(.+?) (\d{4})\.\*\*(.*?)(?=^-|^#|\Z)", read(listing), re.M | re.S)
    names = {(word.lower(), year) for key, year, text in entries for word in re.findall(r"[\w-]+", key + " " + text)}
    cited = set()
    for path in [*code_files(root), *sorted(p.relative_to(root) for p in (root / "docs").rglob("*.md"))]:
        if path.parts[0] == "tests" or path.name == "references.md":
            continue
        text = read(root / path)
        if path.suffix in CODE_SUFFIXES:
            # A comment's lines, joined: citations go over the ends of lines.
            text = "\n\n".join(re.sub(r"\n\s*//+!?<?", " ", block)
                               for block in re.findall(r"//[^\n]*(?:\n\s*//[^\n]*)*", text))
        for author, year in CITATION.findall(re.sub(r"\s+", " ", text)):
            cited.add((author.lower(), year))
            if author not in NO_AUTHORS and (author.lower(), year) not in names:
                yield f"{path}: cites {author} {year}, who is not in docs/references.md"
    for key, year, text in entries:
        if not any((word.lower(), year) in cited for word in re.findall(r"[\w-]+", key + " " + text)):
            yield f"docs/references.md: nobody cites {key} {year}"


def check_format(root):
    tool = shutil.which("clang-format")
    if not tool:
        print("clang-format is not installed: nothing was checked")
        sys.exit(SKIPPED)
    files = [str(path) for path in code_files(root)]
    for begin in range(0, len(files), 50):
        result = subprocess.run([tool, "--dry-run", "--ferror-limit=1", *files[begin:begin + 50]], cwd=root,
                                stderr=subprocess.PIPE, text=True, check=False)
        for file in sorted(set(re.findall(r"^([^\s:][^:\n]*):\d+:\d+: warning", result.stderr, re.M))):
            yield f"{file}: clang-format -i would change it"


SKIPPED = 77  # ctest's SKIP_RETURN_CODE
CHECKS = {"doors": check_doors, "sources": check_sources, "text": check_text, "papers": check_papers,
          "format": check_format}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=CHECKS)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    findings = list(CHECKS[arguments.check](root))
    for finding in findings:
        print(finding)
    print(f"house.{arguments.check}: {len(findings)} found")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
