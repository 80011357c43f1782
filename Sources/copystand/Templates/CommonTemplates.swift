/// The files that a new backend has in every language.
enum CommonTemplates {
    static let readme = """
        # {{title}}

        A backend for Copystand: a program that serves devices. It serves a made-up scanner of test cards; put your own
        device in its place, in `{{source}}`.

            ./test                                # builds it, lists its device, scans from it
            copystand backend install .           # makes its devices yours; 'copystand backend remove {{id}}' takes them away
            copystand scan -d {{id}}:card -o card.pdf

        While you write, without installing:

            COPYSTAND_BACKENDS=$PWD copystand devices --backend {{id}}
            copystand backend trace . -- options {{id}}:card     # what it and Copystand say to each other

        `backend.json` says what it is; `program` is the program, and `files`, where there are any, what it needs beside
        it. What the program writes to its standard output or error is shown by `copystand -v`.

        The tutorial is Docs/WritingABackend.md, the protocol Docs/CaptureProtocol.md in Copystand's sources.

        """

    static let test = #"""
        #!/bin/sh
        # Builds the backend, then lists its device, reads its options and scans from it.
        # COPYSTAND names the program when it is not in the PATH.
        set -eu
        cd "$(dirname "$0")"
        copystand=${COPYSTAND:-copystand}
        command -v "$copystand" >/dev/null || {
            echo "copystand is not in the PATH; say COPYSTAND=/path/to/copystand ./test" >&2
            exit 1
        }
        {{build}}
        COPYSTAND_BACKENDS=$PWD${COPYSTAND_BACKENDS:+:$COPYSTAND_BACKENDS}
        export COPYSTAND_BACKENDS
        scratch=$(mktemp -d)
        trap 'rm -rf "$scratch"' EXIT

        "$copystand" devices --backend {{id}} | grep '^{{id}}:card ' || {
            echo "the device {{id}}:card is not listed" >&2
            exit 1
        }
        "$copystand" options {{id}}:card
        "$copystand" scan --device {{id}}:card --set brightness=200 --pages 2 --profile none --output "$scratch/card.tiff"
        test -s "$scratch/card.tiff"
        echo "The backend works."

        """#
}
