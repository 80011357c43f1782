#!/usr/bin/python3
"""Tests what Scripts/check-places says about lists and words that are made for it."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import catalogs  # noqa: E402
import documents  # noqa: E402
import words  # noqa: E402

STEP = """
struct TearStep: ProcessingStep {
    static let depth = StepOptionKey(
        number: "depth", in: 0...1, default: 0, help: "How deep.")
    static let declaration = StepDeclaration(
        name: "tear", title: "Tear", help: "Tears pages.", options: [depth.option])
}
"""
SINK = """
    public static let pigeon = Self(
        "pigeon", "sends a pigeon", reach: .network(webSchemes),
        settings: [SinkSetting(.url, "the loft"), .parameter("coop", "the coop")]
    ) { (definition, tools) throws(DeliveryError) in
"""
VIEW = 'export const view = {\n  name: "loft",\n  words: "loft",\n  help: "help-loft",\n};\n'
OPTION = """
    public static var loft: Self { Self("loft", .flag, usual: false) }
    public static var torn: Self { Self("torn", .flag, usual: false, isDrawn: true) }
"""
PAGE = {
    "option-tear-depth",
    "sink.pigeon.name",
    "sink.url",
    "sink.pigeon.coop",
    "loft",
    "help-loft",
    "job.torn",
}
HOST = {
    "step.tear.title",
    "step.tear.help",
    "step.tear.depth.help",
    "profile.torn.title",
    "profile.torn.description",
}


class PlacesTests(unittest.TestCase):
    def problems(self, page: set[str] = PAGE, host: set[str] = HOST) -> list[str]:
        """What is said when German has these words, and English has all."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            files = {"words-en": dict.fromkeys(PAGE, "x"), "words-de": dict.fromkeys(page, "x")}
            files["host-de"] = {"keyed": dict.fromkeys(host, "x")}
            for file, content in files.items():
                (folder / f"{file}.json").write_text(json.dumps(content))
            return words.problems(
                words.Words(folder, ["en", "de"]),
                steps_code={"TearStep.swift": STEP},
                sinks_code={"Pigeon.swift": SINK},
                page_code={"loft.js": VIEW},
                options_code={"Options.swift": OPTION},
                profiles=["torn"],
            )

    def test_nothing_is_said_when_all_words_are_there(self):
        self.assertEqual(self.problems(), [])

    def test_each_word_that_is_missing_is_named_with_its_file(self):
        for key in PAGE:
            found = self.problems(page=PAGE - {key})
            self.assertEqual(len(found), 1, found)
            self.assertIn(f'"{key}"', found[0])
            self.assertIn("words-de.json", found[0])
        for key in HOST:
            found = self.problems(host=HOST - {key})
            self.assertEqual(len(found), 1, found)
            self.assertIn(f'"{key}" in host-de.json', found[0])

    def test_a_word_that_another_language_lacks_is_named(self):
        self.assertEqual(
            self.problems(page=PAGE | {"extra"}),
            ["words-en.json lacks 1 words of other languages: extra"],
        )

    def test_what_is_declared_must_be_in_the_list(self):
        code = {"Kinds/All.swift": "", "Kinds/Far/Pigeon.swift": SINK, "Other/Owl.swift": SINK}
        said = "Kinds/Far/Pigeon.swift: 'pigeon' is not in the list of Kinds/All.swift"
        for listed, expected in (({"pigeon"}, []), (set(), [said])):
            found = catalogs.unlisted(code, "Kinds/All.swift", catalogs.LISTED, listed)
            self.assertEqual(found, expected)

    def test_every_step_and_sink_must_be_in_its_document(self):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "Docs").mkdir()
            (root / documents.STEPS).write_text("a\n| `tear` | tears |\n")
            (root / documents.SINKS).write_text("    sinks add x -k pigeon --url y\n| `owl` | a |\n")
            self.assertEqual(documents.missing(root, ["tear"], ["pigeon", "owl"]), [])
            found = documents.missing(root, ["tear", "fold"], ["pigeon", "pig", "owl"])
            self.assertEqual(len(found), 2)
            self.assertIn("'fold'", found[0])
            self.assertIn("'pig'", found[1])

    def test_every_file_of_a_folder_must_be_part_of_the_program(self):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "page").mkdir()
            for file in ("a.js", "b.js"):
                (root / "page" / file).touch()
            code = {"All.c": '#define FILE_PATH "../../../page/a.js"\n'}
            self.assertEqual(
                catalogs.not_in_program(root, code, "All.c", "page"),
                ["page/b.js is not part of the program: name it in All.c"],
            )


if __name__ == "__main__":
    unittest.main()
