"""Prints the test targets whose slow tests a change calls for, between commas, or `none`.

    changed_tests.py COMMIT

A change is everything that differs from COMMIT, files that git does not know yet included. A test
target is named if one of its own files changed, or a file of a target that it depends on. A change
of Package.swift, or of a script that tests are run with, calls for all.
"""

import json
import subprocess
import sys

#: Files that all tests depend on, or whole folders.
EVERYTHING = {"Package.swift", "Scripts/test", "Scripts/build"}
EVERY_FOLDER = ("Scripts/lib/",)
#: Files outside of the targets, or that belong to several, and the targets that depend on them.
BESIDE = {
    "Docs/": {
        "CaptureKitTests", "ConformanceTests", "ProgramFilesTests", "ProgramTests",
        "RecognitionTests",
    },
    "Examples/": {"CaptureHostTests", "ConformanceTests", "ProgramTests", "RecognitionTests"},
    "Packaging/": {"ProgramTests"},
    "Samples/": {"EndToEndTests", "ProgramTests", "VirtualBackendTests"},
    "Scripts/install": {"ProgramTests"},
    "Scripts/protocol-schemas": {"CaptureKitTests"},
    "Sources/CommandLine/copystand/Paddle/": {"ProgramFilesTests", "ProgramTests"},
    "Sources/Core/Processing/Profiles/BuiltIn/": {"ProgramFilesTests"},
    "Sources/Host/WebPage/": {"ProgramFilesTests", "ProgramTests", "WebServerTests"},
    "Tests/Backends/CameraModel/": {"V4L2BackendTests"},
    "Tests/Backends/PreloadCamera/": {"V4L2BackendTests"},
    "Tests/Capture/Fuzz/": {"CaptureHostTests"},
    "Tests/CommandLine/BrowserStories/": {"ProgramTests"},
    "Tests/CommandLine/Gallery/": {"ProgramTests"},
    "Tests/Delivery/ArchiveTests/Support/": {"ProgramTests"},
    "Tests/Delivery/DeliveryTests/Support/": {"ArchiveTests"},
}


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def changed(commit: str) -> set[str]:
    """The paths of the files that differ from a commit."""
    names = output("git", "diff", "--no-renames", "--name-only", "-z", commit)
    names += output("git", "ls-files", "-z", "--others", "--exclude-standard")
    return {name for name in names.split("\0") if name}


def users(of: set[str], dependencies: dict[str, set[str]]) -> set[str]:
    """These targets, and all that depend on one of them."""
    found = set(of)
    while more := {
        name for name, needed in dependencies.items() if name not in found and needed & found
    }:
        found |= more
    return found


def main() -> int:
    """The command line."""
    files = changed(sys.argv[1])
    package = json.loads(output("swift", "package", "describe", "--type", "json"))
    targets = {target["name"]: target for target in package["targets"]}
    tests = {name for name, target in targets.items() if target["type"] == "test"}
    dependencies = {
        name: set(target.get("target_dependencies", [])) for name, target in targets.items()
    }
    found: set[str] = set()
    for file in files:
        if file in EVERYTHING or file.startswith(EVERY_FOLDER):
            found |= set(targets)
        for beginning, needed in BESIDE.items():
            if file.startswith(beginning):
                found |= needed
        # A target's folder may lie within that of another one, as programs do.
        own = [name for name, one in targets.items() if file.startswith(one["path"] + "/")]
        found |= set(own)
    chosen = sorted(users(found, dependencies) & tests)
    print(",".join(chosen) or "none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
