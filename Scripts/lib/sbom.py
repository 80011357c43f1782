#!/usr/bin/python3
"""Writes the parts of programs as SPDX 2.3: the libraries that they load, with their Debian
packages, and the code that is linked into them.

Arguments: the version, seconds since 1970, and the programs.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import time
from pathlib import Path

#: Debian's packages that are linked into the backend of files, and Swift's own libraries.
LINKED = ["libmupdf-dev", "libmujs-dev", "libgumbo-dev", "libjbig2dec0-dev"]


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def loaded(programs: list[str]) -> set[str]:
    """The packages of all libraries that the programs are linked with."""
    paths = {
        str(Path(path).resolve())
        for program in programs
        for path in re.findall(r"=> (/\S+)", output("ldd", program))
    }
    # If /lib is a link to /usr/lib, dpkg knows a file by only one of its two paths.
    known = output("dpkg", "-S", *paths, *(path.removeprefix("/usr") for path in paths))
    lines = (line for line in known.splitlines() if not line.startswith("diversion "))
    return {re.split("[:,]", line)[0] for line in lines}


def entry(name: str, version: str, *, homepage: str = "", license: str = "NOASSERTION") -> dict:
    identity = re.sub(r"[^A-Za-z0-9.-]", "-", name)
    return {
        "SPDXID": f"SPDXRef-{identity}",
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "licenseConcluded": license,
        "licenseDeclared": license,
        "copyrightText": "NOASSERTION",
        "filesAnalyzed": False,
        **({"homepage": homepage} if homepage else {}),
    }


def debian(name: str) -> dict | None:
    version, homepage, arch = (
        output("dpkg-query", "-W", "-f", "${Version}\n${Homepage}\n${Architecture}", name) + "\n\n"
    ).split("\n")[:3]
    if not version:
        return None
    found = entry(name, version, homepage=homepage)
    found["externalRefs"] = [
        {
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": f"pkg:deb/debian/{name}@{version}?arch={arch}",
        }
    ]
    return found


def main() -> None:
    version, seconds, *programs = sys.argv[1:]
    own = entry("copystand", version, license="Apache-2.0")
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))
    parts = [
        (entry("swift-runtime", swift[1] if swift else "NOASSERTION", license="Apache-2.0"), "S"),
        *((debian(name), "S") for name in LINKED),
        *((debian(name), "D") for name in sorted(loaded(programs))),
    ]
    parts = [(part, kind) for part, kind in parts if part]
    digest = hashlib.sha256(
        "".join(hashlib.sha256(Path(one).read_bytes()).hexdigest() for one in programs).encode()
    ).hexdigest()
    json.dump(
        {
            "spdxVersion": "SPDX-2.3",
            "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"copystand-{version}",
            "documentNamespace": f"https://copystand.invalid/spdx/{version}/{digest}",
            "creationInfo": {
                "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds))),
                "creators": ["Tool: Scripts/lib/sbom.py"],
            },
            "packages": [own, *(part for part, _ in parts)],
            "relationships": [
                {
                    "spdxElementId": "SPDXRef-DOCUMENT",
                    "relationshipType": "DESCRIBES",
                    "relatedSpdxElement": own["SPDXID"],
                },
                *(
                    {
                        "spdxElementId": own["SPDXID"],
                        "relationshipType": {"S": "STATIC_LINK", "D": "DYNAMIC_LINK"}[kind],
                        "relatedSpdxElement": part["SPDXID"],
                    }
                    for part, kind in parts
                ),
            ],
        },
        sys.stdout,
        indent=1,
    )
    print()


if __name__ == "__main__":
    main()
