"""The folders of a module, from bottom to top, and whether code keeps that order.

A module with folders says their order in its own README.md, under the heading `## Folders`, from
bottom to top, one line each:

    - `Values`: the values that everybody names
    - `.`: the module's own files, in no folder

Code may use a folder that stands above its own in that list, and never one that stands below. A
folder in a folder belongs to it, unless the list names it by its path (`Capture/Spool`).

A use is found by its name: a type, function or constant at the top level of a file, or a type or
member in an extension, that another folder mentions. A name that the module declares twice does not
count, nor does a member that any other place of the program declares.
"""

import re
from collections import Counter, defaultdict
from pathlib import Path

LINE = re.compile(r"^- `([^`]+)`: \S")
#: Words before a declaration.
BEFORE = (
    r"(?:@\w+(?:\([^)]*\))?\s+)*((?:(?:public|package|internal|private|fileprivate|final|static"
    r"|class|indirect|nonisolated|mutating|nonmutating|override|consuming|borrowing|lazy|weak"
    r"|private\(set\)|package private\(set\)|nonisolated\(unsafe\))\s+)*)"
)
TYPE = re.compile(r"^(\s*)" + BEFORE + r"(?:struct|class|enum|actor|protocol|typealias)\s+`?(\w+)`?")
MEMBER = re.compile(r"^(\s*)" + BEFORE + r"(?:func|var|let)\s+`?(\w+)`?")
EXTENSION = re.compile(r"^(?:(?:public|package|private|fileprivate)\s+)?extension\s+([\w.]+)")
PRIVATE = re.compile(r"\b(?:private|fileprivate)\b(?!\(set\))")


def order(readme: Path) -> list[str]:
    """The folders that a README names, from bottom to top; empty where it names none."""
    if not readme.exists():
        return []
    _, _, part = readme.read_text().partition("\n## Folders\n")
    return [found[1] for line in part.split("\n## ")[0].splitlines() if (found := LINE.match(line))]


def code(source: str) -> str:
    """The code of a Swift file, without comments and without texts, but with what texts compute."""
    source = re.sub(r'(#*)"""\n.*?\n\s*"""\1', lambda text: computed(text[0]), source, flags=re.S)
    source = re.sub(r'"(?:[^"\\\n]|\\.)*"', lambda text: computed(text[0]), source)
    source = re.sub(r"/\*.*?\*/", lambda text: "\n" * text[0].count("\n"), source, flags=re.S)
    return re.sub(r"//[^\n]*|^[^\n]*\bimport \w+[^\n]*", "", source, flags=re.M)


def computed(text: str) -> str:
    """The expressions in a text, with as many lines as it has."""
    found = " ".join(re.findall(r"\\#*\(([^\n]*?)\)", text))
    return f" {found} " + "\n" * text.count("\n")


def declared(source: str) -> tuple[set[str], set[str], Counter]:
    """The names that a file's code declares for others: types, functions and constants at the top
    level; types and members in extensions; and how often it declares each name at all.
    """
    top, extended, all_names = set(), set(), Counter()
    inside = None
    for line in source.splitlines():
        if line and not line[0].isspace() and line[0] not in "})":
            extension = EXTENSION.match(line)
            inside = extension[1] if extension and not PRIVATE.search(line) else None
        for pattern in (TYPE, MEMBER):
            found = pattern.match(line)
            if not found:
                continue
            space, words, name = found.groups()
            all_names[name] += 1
            if PRIVATE.search(words):
                continue
            if not space:
                top.add(name)
            elif inside and len(space) == 4:
                extended.add(name)
    for line in source.splitlines():
        case = re.match(r"^\s+(?:indirect\s+)?case\s+(\w+)", line)
        if case:
            all_names[case[1]] += 1
    return top, extended, all_names


class Sources:
    """The code of all modules, with the number of places that declare each name."""

    def __init__(self, folders: list[Path]) -> None:
        self.code = {}
        self.declared = {}
        self.counts = Counter()
        for folder in folders:
            for file in sorted(folder.rglob("*.swift")):
                self.code[file] = code(file.read_text())
                self.declared[file] = declared(self.code[file])
                self.counts.update(self.declared[file][2])

    def files(self, module: Path) -> list[Path]:
        """The module's files, without those of a program of its own in the folder."""
        return [
            file
            for file in self.code
            if file.is_relative_to(module)
            and not (file.parent.name == "Program" and (file.parent / "main.swift") in self.code)
        ]


def owner(module: Path, file: Path, named: list[str]) -> str:
    """The folder of a file: the nearest that the list names, or else the one at the top."""
    place = file.parent.relative_to(module)
    for folder in [place, *place.parents]:
        if folder.as_posix() in named and folder.as_posix() != ".":
            return folder.as_posix()
    return place.parts[0] if place.parts else "."


def uses(module: Path, sources: Sources, named: list[str]) -> list[tuple[str, str, Path, int, str]]:
    """Every use of a folder by another: user, used, the user's file, its line, the name."""
    places_of = defaultdict(set)
    members = {}
    counts = Counter()
    for file in sources.files(module):
        top, extended, all_names = sources.declared[file]
        counts.update(all_names)
        for name in top:
            places_of[name].add(owner(module, file, named))
        for name in extended:
            if sources.counts[name] == 1:
                members[name] = owner(module, file, named)
    found = []
    for file in sources.files(module):
        mine = owner(module, file, named)
        own = sources.declared[file][2]
        seen = set()
        for number, line in enumerate(sources.code[file].splitlines(), 1):
            for word in re.finditer(r"(\.?)`?\b([A-Za-z_]\w*)\b`?(\(?)", line):
                dot, name, call = word.groups()
                places = places_of.get(name)
                if places and len(places) == 1 and mine not in places and name not in own:
                    is_type = name[0].isupper()
                    if is_type and counts[name] > 1:
                        continue
                    if not is_type and (dot or not call or re.search(rf"\bfunc\s+`?{name}\b", line)):
                        continue
                    used = next(iter(places))
                elif name in members and members[name] != mine:
                    is_named = dot or name[0].isupper()
                    if not is_named or name in own:
                        continue
                    used = members[name]
                else:
                    continue
                if (used, name) not in seen:
                    seen.add((used, name))
                    found.append((mine, used, file, number, name))
    return found


def problems(module: Path, sources: Sources, root: Path) -> list[str]:
    """What breaks the order of a module's folders, one line each."""
    files = sources.files(module)
    folders = {file.parent.relative_to(module).parts[0] for file in files if file.parent != module}
    place = module.relative_to(root)
    if not folders:
        return []
    named = order(module / "README.md")
    if not named:
        return [f"{place}: has folders, and no README.md with their order under '## Folders'"]
    there = {owner(module, file, named) for file in files}
    found = [f"{place}/README.md: names no folder '{name}'" for name in sorted(there - set(named))]
    found += [
        f"{place}/README.md: the folder '{name}' has no Swift file"
        for name in named
        if name not in there
    ]
    found += [
        f"{place}/README.md: names the folder '{name}' twice"
        for name, count in Counter(named).items()
        if count > 1
    ]
    height = {name: index for index, name in enumerate(named)}
    for mine, used, file, number, name in uses(module, sources, named):
        if mine in height and used in height and height[mine] < height[used]:
            found.append(
                f"{file.relative_to(root)}:{number}: the folder '{mine}' may not use '{name}' of"
                f" '{used}', which is above it"
            )
    return found
