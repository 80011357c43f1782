import CaptureHost
import CaptureKit
import CommandLine

/// `copystand watch`: waits in front of a device and captures page after page by itself.
enum WatchCommand {
    static let idle = Option(
        "idle", value: "TIME", .name,
        help: """
            Stop when nothing was captured for this long, such as 60s, 5m or 1h. Without it: until Ctrl-C, the end of a \
            recording, or --pages.
            """)
    static let manual = Option(
        flag: "manual",
        help: "Capture only by hand: with the space bar, Enter, or a pedal that types one of them.")
    static let rate = Option(
        "rate", value: "N", .number(1...240),
        help: """
            Frames a second: what a camera is asked for, or how fast a folder of pictures plays. The same as --set rate=N.
            """)
    static let stats = Option(
        flag: "stats", help: "At the end, show the time each stage took and the frames dropped.")

    static let command = Command(
        name: "watch", summary: "Capture page after page from a camera or a recording, by itself",
        discussion: """
            Lay a page down and hold it still: it is captured, and the next one may follow, laid on top or in its place. \
            A page is captured once, however long it lies there. Each page is safe on the disk before it counts; the \
            document is written at the end: after Ctrl-C, --pages or --idle. A second Ctrl-C stops at once, and the \
            pages wait in 'copystand jobs'.

            On a terminal a line shows the state (searching, found, ready, capturing), how sure the search is, how sharp \
            the picture, and why a page is not captured yet. The space bar and Enter capture at any time.

            The device may be a recording: file:CLIP.y4m, a folder of frames, or an .mjpeg or .avi file of Motion JPEG.

            With --json each event is one line: an object with "event" ("state", "captured", "skipped", "page", "lost", \
            "back", "delivered", "failed", "stats"), "time" in seconds, and what belongs to it, such as "state", \
            "confidence" and "corners".
            """,
        examples: [
            Example(
                "Minutes, page after page, from the only camera", "copystand watch -o minutes.pdf"),
            Example("Ten cards, then stop", "copystand watch --pages 10 -o cards.pdf"),
            Example(
                "A video of a book", "copystand watch --device file:book.y4m -o book.pdf"),
        ],
        options: [
            ScanCommand.device, ScanOptions.profile, ScanOptions.output, ScanOptions.set,
            ScanOptions.pages, idle, manual, rate, stats, ScanOptions.step,
            ScanOptions.withoutStep, ScanOptions.title, ScanOptions.language, SharedOptions.json,
        ],
        handler: handler { parsed, console in
            let arguments = try WatchArguments(parsed, console)
            return try await withCaptureHost(console) { host in
                let device = try await host.find(arguments.device)
                return switch device.descriptor.kind {
                case .scanner: try await watchScanner(device, arguments, host)
                case .camera, .files: try await watchCamera(device, arguments, host)
                }
            }
        })
}
