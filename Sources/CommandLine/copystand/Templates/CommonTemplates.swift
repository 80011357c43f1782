/// The files that a new backend has in every language.
enum CommonTemplates {
    static let readme = """
        # {{title}}

        A backend for Copystand: a program that serves devices. It serves a made-up scanner of \
        test cards; put your own
        device in its place, in `{{source}}`.

            ./test                                # builds it, scans from the first device that it \
            lists
            copystand backend install .           # installs it; 'copystand backend remove {{id}}' removes it
            copystand scan -d {{id}}:card -o card.pdf

        While you write, without installing:

            COPYSTAND_BACKENDS=$PWD copystand devices --backend {{id}}
            copystand backend trace . -- options {{id}}:card     # what it and Copystand say to \
            each other

        `backend.json` says what it is; `program` is the program, and `files`, where there are \
        any, what it needs beside
        it. What the program writes to its standard output or error is shown by `copystand -v`.

        The tutorial is Docs/developers/WritingABackend.md, the protocol \
        Docs/developers/CaptureProtocol.md in Copystand's sources.

        """

    static let test = #"""
        #!/bin/sh
        # Builds the backend, then reads the options of the first device that it lists, and scans from it.
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

        device=$("$copystand" devices --backend {{id}} | awk -v id={{id}}: 'index($1, id) == 1 {print $1; exit}')
        test -n "$device" || {
            echo "no device is listed" >&2
            exit 1
        }
        echo "$device"
        "$copystand" options "$device"
        "$copystand" scan --device "$device" --pages 2 --profile none --output "$scratch/pages.tiff"
        test -s "$scratch/pages.tiff"
        echo "The backend works."

        """#
}
