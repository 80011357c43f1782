#!/usr/bin/python3
"""Tests what Scripts/check-layers says about the folders of modules that are made for it."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import folders  # noqa: E402

ORDER = "# M\n\n## Folders\n\nFrom bottom to top.\n\n- `Low`: below\n- `High`: above\n"
LOW = "struct Base {\n    var size = 1\n}\n"
HIGH = "struct Tower {\n    let base: Base\n}\n"


class FoldersTests(unittest.TestCase):
    def problems(self, files: dict[str, str]) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in files.items():
                file = root / "M" / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            return folders.problems(root / "M", folders.Sources([root / "M"]), root)

    def module(self, low: str = LOW, high: str = HIGH) -> list[str]:
        return self.problems(
            {"README.md": ORDER, "Low/Base.swift": low, "High/Tower.swift": high}
        )

    def test_a_higher_folder_uses_a_lower_one(self):
        self.assertEqual(self.module(), [])

    def test_a_lower_folder_may_not_use_a_higher_one(self):
        low = LOW + "\nfunc build() -> Tower { Tower(base: Base()) }\n"
        self.assertEqual(
            self.module(low),
            ["M/Low/Base.swift:5: the folder 'Low' may not use 'Tower' of 'High', which is above it"],
        )

    def test_comments_and_texts_use_nothing_but_what_a_text_computes_does(self):
        self.assertEqual(self.module(LOW + '// Tower\nlet name = "Tower"\n'), [])
        found = self.module(LOW + 'let name = "\\(Tower.self)"\n')
        self.assertEqual(len(found), 1)
        found = self.module(LOW + 'let name = """\n    \\(Tower.self)\n    """\n')
        self.assertEqual(len(found), 1)

    def test_functions_are_used_by_calls(self):
        high = HIGH + "\nfunc raise(_ count: Int) {}\n"
        self.assertEqual(len(self.module(LOW + "func go() { raise(1) }\n", high)), 1)
        self.assertEqual(self.module(LOW + "let raise = 1\nfunc go(x: X) { x.raise(1) }\n", high), [])

    def test_members_of_an_extension_count_where_their_name_is_unique(self):
        high = HIGH + "\nextension Base {\n    var height: Int { size }\n}\n"
        low = LOW + "\nfunc go(_ base: Base) -> Int { base.height }\n"
        self.assertEqual(len(self.module(low, high)), 1)
        self.assertEqual(self.module(low, high + "struct Wall {\n    var height = 1\n}\n"), [])

    def test_a_name_that_is_declared_twice_does_not_count(self):
        low = LOW + "\nfunc go() -> Tower? { nil }\n"
        self.assertEqual(self.module(low, HIGH + "enum Other {\n    struct Tower {}\n}\n"), [])

    def test_private_names_belong_to_their_file(self):
        high = "private struct Tower {}\n"
        self.assertEqual(self.module(LOW + "\nprivate struct Tower {}\n", high), [])

    def test_imports_use_no_folder(self):
        self.assertEqual(self.module("import Tower\n\n" + LOW), [])

    def test_a_module_with_folders_needs_their_order(self):
        found = self.problems({"Low/Base.swift": LOW})
        self.assertEqual(
            found, ["M: has folders, and no README.md with their order under '## Folders'"]
        )
        self.assertEqual(self.problems({"Base.swift": LOW}), [])

    def test_every_folder_is_named_once_and_exists(self):
        found = self.problems(
            {
                "README.md": ORDER + "- `Low`: again\n- `Cellar`: empty\n",
                "Low/Base.swift": LOW,
                "High/Tower.swift": "struct Tower {}\n",
                "Attic/Box.swift": "struct Box {}\n",
                "Own.swift": "struct Own {}\n",
            }
        )
        self.assertEqual(
            found,
            [
                "M/README.md: names no folder '.'",
                "M/README.md: names no folder 'Attic'",
                "M/README.md: the folder 'Cellar' has no Swift file",
                "M/README.md: names the folder 'Low' twice",
            ],
        )

    def test_a_folder_belongs_to_its_folder_unless_it_is_named(self):
        files = {
            "Low/Deep/Base.swift": LOW + "\nfunc go() -> Tower? { nil }\n",
            "High/Tower.swift": HIGH,
        }
        self.assertEqual(len(self.problems({"README.md": ORDER} | files)), 1)
        order = "# M\n\n## Folders\n\n- `High`: x\n- `Low/Deep`: x\n"
        self.assertEqual(len(self.problems({"README.md": order} | files)), 1)  # Tower uses Base.
        files["High/Tower.swift"] = "struct Tower {}\n"
        self.assertEqual(self.problems({"README.md": order} | files), [])

    def test_a_program_of_its_own_in_the_folder_is_no_folder(self):
        files = {"Base.swift": LOW, "Program/main.swift": "print(1)\n"}
        self.assertEqual(self.problems(files), [])


if __name__ == "__main__":
    unittest.main()
