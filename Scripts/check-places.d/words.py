"""The words of the web page that new things need, by the keys under which they are looked up.

The keys are read from the sources, so that nothing is built for it. TranslationTests.swift asks the
program itself, and so finds the words of settings that are not written out where they are used.
"""

import json
import re
from pathlib import Path

#: An option of a step, a setting of a kind of sink, an option of a job that the page draws.
STEP_OPTION = re.compile(r'StepOptionKey\(\s*(?:number|flag|choice|text)(?: \w+)?: "([\w-]+)"')
LABELED = ("url", "token", "user", "password")
PARAMETER = re.compile(r'\.parameter\(\s*"([\w-]+)"')
SETTING = re.compile(r"\bSinkSetting\(\s*\.(\w+),")
JOB_OPTION = re.compile(r'Self\(\s*"(\w+)"(?:(?!public static var).)*?isDrawn: true', re.S)


def steps(code: dict[str, str]) -> list[tuple[str, list[str], list[tuple[str, str]]]]:
    """Each step's name, its words of the host, and those of the page: one of each pair."""
    found = []
    for text in code.values():
        # One file may have several steps.
        for part in re.split(r"^struct ", text, flags=re.M)[1:]:
            name = re.search(r'StepDeclaration\(\s*name: "([\w-]+)"', part)
            if not name:
                continue
            step = "step." + name[1]
            options = STEP_OPTION.findall(part)
            host = [f"{step}.title", f"{step}.help"] + [f"{step}.{one}.help" for one in options]
            page = [(f"option-{name[1]}-{one}", f"option-{one}") for one in options]
            found.append((name[1], host, page))
    return found


def sinks(code: dict[str, str]) -> list[tuple[str, list[tuple[str, ...]]]]:
    """Each kind of sink, and its words of the page: one of each group."""
    found = []
    for text in code.values():
        for part in re.split(r"static let \w+ = Self\(", text)[1:]:
            name = re.match(r'\s*"([\w-]+)"', part)
            if not name:
                continue
            kind, part = "sink." + name[1], part.split(") { (definition", 1)[0]
            needed: list[tuple[str, ...]] = [(f"{kind}.name",)]
            if "reach: .network" in part:
                settings = [one for one in SETTING.findall(part) if one in LABELED]
                settings += PARAMETER.findall(part)
                needed += [(f"{kind}.{one}", f"sink.{one}") for one in settings]
            found.append((name[1], needed))
    return found


def views(code: dict[str, str]) -> list[tuple[str, list[str]]]:
    """Each view's file, and its words of the page."""
    return [
        (path, re.findall(r'\b(?:words|help): "([\w-]+)"', view))
        for path, text in code.items()
        for view in re.findall(r"^export const view = \{([^}]+)\}", text, flags=re.M)
    ]


class Words:
    """The files of words of each language."""

    def __init__(self, folder: Path, languages: list[str]) -> None:
        def read(name: str) -> dict:
            return json.loads((folder / name).read_text())

        self.page = {f"words-{one}.json": set(read(f"words-{one}.json")) for one in languages}
        # English has the host's own texts.
        others = [f"host-{one}.json" for one in languages if one != "en"]
        self.host = {name: set(read(name)["keyed"]) for name in others}

    def missing(self, what: str, files: dict[str, set[str]], keys: tuple[str, ...]) -> list[str]:
        """A line if any of the files has none of the keys."""
        lacking = [name for name, known in files.items() if not known.intersection(keys)]
        names = " or ".join(f'"{key}"' for key in keys)
        return [f"{what}: no {names} in {', '.join(lacking)}"] if lacking else []

    def uneven(self) -> list[str]:
        """The words that one language has, and another one lacks."""
        found = []
        for files in (self.page, self.host):
            every = set().union(*files.values())
            for name, known in files.items():
                lacking = sorted(every - known)
                if lacking:
                    shown = ", ".join(lacking[:5]) + (" …" if len(lacking) > 5 else "")
                    found.append(f"{name} lacks {len(lacking)} words of other languages: {shown}")
        return found


def problems(
    words: Words,
    *,
    steps_code: dict[str, str],
    sinks_code: dict[str, str],
    page_code: dict[str, str],
    options_code: dict[str, str],
    profiles: list[str],
) -> list[str]:
    """A line for each thing whose words are missing."""
    found = []
    for name, host, page in steps(steps_code):
        for key in host:
            found += words.missing(f"the step '{name}'", words.host, (key,))
        for keys in page:
            found += words.missing(f"the step '{name}'", words.page, keys)
    for name, groups in sinks(sinks_code):
        for keys in groups:
            found += words.missing(f"the kind of sink '{name}'", words.page, keys)
    for path, keys in views(page_code):
        for key in keys:
            found += words.missing(path, words.page, (key,))
    for name in JOB_OPTION.findall("".join(options_code.values())):
        found += words.missing(f"the option '{name}' of a job", words.page, (f"job.{name}",))
    for name in profiles:
        for key in (f"profile.{name}.title", f"profile.{name}.description"):
            found += words.missing(f"the profile '{name}'", words.host, (key,))
    # The same gaps would be there again.
    return found or words.uneven()
