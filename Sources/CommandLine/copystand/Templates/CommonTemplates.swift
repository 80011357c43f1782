/// The files that a new backend has in every language.
enum CommonTemplates {
    static let readme = """
        # {{title}}

        <img src="icon.svg" width="64" alt="">

        Test cards for Copystand: a made-up scanner, until you put your own device in its place. \
        What follows is for those who use it; for those who write it, see below.

        ## What you need

        - Copystand, and {{needs}}. Name here the devices that it serves, and what they need.

        ## Installing it

            copystand backend install .           # 'copystand backend remove {{id}}' removes it
            copystand devices --backend {{id}}

        ## Scanning

            copystand scan -d {{id}}:card -o card.pdf
            copystand scan -d {{id}}:card --brightness 40 --pages 2 -o cards.pdf

        `copystand options {{id}}:card` lists the settings. The devices are in the browser too: \
        `copystand open`.

        ## When something is wrong

        | What you see | What to do |
        |---|---|
        | no device is listed | switch it on; `copystand backends` says whether the backend can be used |
        | "card 2 is jammed" | pull it out, and scan the rest with `copystand scan --append` |
        | anything else | `copystand -v scan …` shows what the backend says |

        ## Writing it

        Put your device into `{{source}}`. `fake_scanner` (`FakeScanner`) stays for tests: with \
        `{{variable}}` set, there
        is a made-up device, and `{{variable}}=jam` or `empty` chooses its fault.

            copystand backend dev .               # runs it while you write, with its pictures in \
        the browser
            ./test                                # builds it, scans from the fake device, and \
        from a jammed one
            copystand backend check .             # does it follow every rule?
            copystand backend trace . -- options {{id}}:card     # what it and Copystand say to \
        each other

        `.github/workflows/check.yml` does the same for each push. `backend.json` says what the \
        backend is; `program` is
        the program, and `files` lists the files that it needs beside it, if any. What the program \
        writes to its standard
        output or error is shown by `copystand -v`.

        The tutorial is Docs/developers/WritingABackend.md, the protocol \
        Docs/developers/CaptureProtocol.md in Copystand's sources.

        """

    static let build = #"""
        #!/bin/sh
        # Builds the program; 'copystand backend dev' runs this when a file changes.
        set -eu
        cd "$(dirname "$0")"
        command -v {{tool}} >/dev/null || {
            echo "{{tool}} is needed to build this backend, and is not in the PATH. {{remedy}}" >&2
            exit 1
        }
        {{build}}

        """#

    static let test = #"""
        #!/bin/sh
        # Builds the backend, then scans from its fake device, and from one that jams.
        # COPYSTAND names the program when it is not in the PATH.
        set -eu
        cd "$(dirname "$0")"
        copystand=${COPYSTAND:-copystand}
        command -v "$copystand" >/dev/null || {
            echo "copystand is not in the PATH; run COPYSTAND=/path/to/copystand ./test" >&2
            exit 1
        }
        if [ -x build ]; then ./build; fi
        COPYSTAND_BACKENDS=$PWD${COPYSTAND_BACKENDS:+:$COPYSTAND_BACKENDS}
        {{variable}}=yes
        export COPYSTAND_BACKENDS {{variable}}
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

        if {{variable}}=jam "$copystand" scan --device "$device" --pages 2 --profile none \
            --output "$scratch/jam.tiff" 2>"$scratch/said"; then
            echo "a jam was not reported" >&2
            exit 1
        fi
        grep -q "card 2 is jammed" "$scratch/said"
        echo "The backend works."

        """#

    static let workflow = #"""
        # Tests the backend with its fake device, and checks that it follows the protocol.
        name: check
        on: [push, pull_request]
        env:
          # The address of Copystand's Debian package: put yours here.
          PACKAGE: https://copystand.example/copystand.deb
        jobs:
          check:
            runs-on: ubuntu-latest
            container: {{image}}
            steps:
              - uses: actions/checkout@v4
              - run: apt-get update
              - run: apt-get install -y curl {{packages}}
              - run: curl -fsSL -o /tmp/copystand.deb "$PACKAGE"
              - run: apt-get install -y /tmp/copystand.deb
              - run: ./test
              - run: copystand backend check . --junit checks.xml
                env:
                  {{variable}}: "yes"
              - if: always()
                uses: actions/upload-artifact@v4
                with:
                  name: checks
                  path: checks.xml

        """#

    static let icon = #"""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
          <rect x="4" y="34" width="56" height="22" rx="5" fill="#33527a"/>
          <path d="M16 34 20 8h24l4 26z" fill="#fff" stroke="#33527a" stroke-width="3"/>
          <path d="M24 16h16M23 23h18" stroke="#8aa4c4" stroke-width="3" stroke-linecap="round"/>
          <circle cx="51" cy="45" r="3" fill="#9fe08d"/>
        </svg>

        """#
}
