import CommandLine

/// `copystand scan`: captures pages from a device.
enum ScanCommand {
    static let device = Option(
        "device", short: "d", value: "DEVICE", .name,
        help: """
            Use this device: BACKEND:NAME, a name you gave it, or any part of its name or model that fits one device \
            alone. Without it: the default device, or the only one there is.
            """,
        completion: .dynamic("devices"))

    static let command = Command(
        name: "scan", summary: "Capture pages from a scanner or camera into a document",
        discussion: """
            Captures until the feeder is empty, or one page from a flatbed or camera, does with each page what the \
            profile says, and writes the document. Finished pages are kept when the device fails, or when you stop \
            with Ctrl-C; a second Ctrl-C stops at once.

            \(ScanOptions.jsonHelp)
            """,
        examples: [
            Example("Scan with the default device", "copystand scan -o letter.pdf"),
            Example(
                "Both sides from a feeder at 300 dpi",
                "copystand scan --set source=feeder-duplex --set resolution=300 -o pile.pdf"),
            Example("A PDF, and the text beside it", "copystand scan -o letter.pdf -o letter.txt"),
        ],
        options: [device] + ScanOptions.all,
        handler: handler { arguments, console in
            try await runScan(ScanArguments(.device(arguments.text(device)), arguments, console))
        })
}
