import CommandLine
import JobOptions

/// `copystand scan`: captures pages from a device.
enum ScanCommand {
    static let device = Option(
        "device", short: "d", value: "DEVICE", .name,
        help: """
            Use this device: BACKEND:NAME, a name you gave it, or any part of its name or model \
            that matches only one device. Without it: the default device, or the only one there \
            is.
            """,
        completion: .dynamic("devices"))

    static let command = Command(
        name: "scan", summary: "Capture pages from a scanner or camera into a document",
        discussion: """
            Captures until the feeder is empty, or one page from a flatbed or camera, processes \
            each page as the profile says, and writes the document.

            When paper jams, the device fails or you press Ctrl-C, the document is written with \
            the pages so far. To continue it, put back the sheet that is named and those after it, \
            then run 'copystand scan --append'. A second Ctrl-C stops at once; 'copystand jobs' \
            then lists what is kept.

            With --process later, the pages go into a shared archive as they were captured, and a \
            worker processes them: 'copystand work'. This machine is free again at once, and \
            'copystand status' shows how far the workers are.

            With --host, another host scans. The document goes into that host's archive, and from \
            there into the files of -o, whole or not at all. Ctrl-C ends the scan there. If the \
            network fails, the command waits for it.

            \(ScanOptions.jsonHelp)
            """,
        examples: [
            Example("Scan with the default device", "copystand scan -o letter.pdf"),
            Example(
                "Both sides from a feeder at 300 dpi",
                "copystand scan --source feeder-duplex -r 300 -o pile.pdf"),
            Example(
                "Both sides with a one-sided feeder",
                "copystand scan --collate -o pile.pdf"),
            Example("After a paper jam: scan the rest", "copystand scan --append"),
            Example(
                "Pixels exactly as the device sends them",
                "copystand scan --profile none -o raw.tiff"),
            Example(
                "Into the archive, and to two services",
                "copystand scan --sink archive --sink office --sink http:price-check"),
            Example(
                "A PDF, and a file with its text",
                "copystand scan -o letter.pdf -o letter.txt"),
            Example(
                "A stack of letters with separator sheets between them",
                "copystand scan --split-at separator -o 'letter-{n}.pdf'"),
            Example(
                "Leave reading to the workers of COPYSTAND_ARCHIVE",
                "copystand scan --source feeder-duplex --process later"),
            Example(
                "With the scanner of another machine",
                "copystand scan --host https://scans.local:8470 -o letter.pdf"),
        ],
        options: [device] + ScannerOptions.settings
            + [ScannerOptions.append] + ScanOptions.all(in: .scan)
            + HostOptions.all(
                without: ["append", "explain", "password", "password-file"]
                    + JobOptions.withoutHost(.scan).map(\.name)
                    + PDFArguments.passwords.map(\.name)),
        handler: handler { arguments, console in
            let asked = try ScanArguments(.device(arguments.text(device)), arguments, console)
            guard let host = try HostOptions.connection(arguments, console) else {
                return try await runScan(asked)
            }
            return try await runScan(asked, on: host)
        })
}
