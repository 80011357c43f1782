import CaptureHost
import CaptureKit
import CommandLine
import Detection
import JobOptions
import Listings
import LiveCapture
import ScanService

/// `copystand watch`: watches a device and captures page after page automatically.
enum WatchCommand {
    static let idle = Option(
        "idle", value: "TIME", .name,
        help: """
            Stop when nothing was captured for this long, such as 60s, 5m or 1h. Without it, the \
            watch ends with Ctrl-C, a recording's end, or --pages.
            """)
    static let manual = Option(
        flag: "manual",
        help:
            "Capture only by hand: with the space bar, Enter, a pedal, or the camera's own button.")
    static let pedal = Option(
        "pedal", value: "PATH", .path,
        help: """
            Capture when any key of this input device is pressed, such as a foot pedal: one of \
            /dev/input/by-id/*. Other programs do not get its keys meanwhile.
            """,
        completion: .files)
    static let still = Option(
        "still", value: "WHEN", .choice(LiveOptions.Stills.allCases.map(\.rawValue)),
        help: """
            When a camera captures a page as a still in its still-size: auto (if that has at least \
            1.5 times as many pixels and does not take too long), always, or never.
            """,
        default: LiveOptions.Stills.auto.rawValue)
    static let rate = Option(
        "rate", value: "N", .number(1...240),
        help: """
            Frames per second to request from a camera, or at which to play a folder of pictures. \
            The same as --set rate=N.
            """)
    static let stats = Option(
        flag: "stats",
        help: """
            At the end, show the time each stage took and the frames dropped. The stages: luma \
            (reading a frame's brightness), detect (the search for the page), closer (a closer \
            search in case of doubt), decide (following, measuring, deciding), change (taking a \
            still) and still (decoding and storing a page).
            """)

    static let command = Command(
        name: "watch", summary: "Watch a device, and capture pages automatically",
        discussion: """
            Lay a page down and hold it still: it is captured. Lay the next one on top or in its \
            place. A page is captured once, however long it lies there. Each page is safe on the \
            disk before it counts. The document is written at the end: after Ctrl-C, --pages or \
            --idle. A second Ctrl-C stops at once, and the pages wait in 'copystand jobs'.

            On a terminal a line shows the state (searching, found, ready, capturing), how sure \
            the search is, how sharp \
            the picture, and why a page is not captured yet. The space bar, Enter, a pedal \
            (--pedal) and the camera's own button \
            capture at any time.

            With a scanner, pressing its button or putting paper into its feeder starts a job, \
            which writes its own document. Then the watch continues, even after the scanner was \
            unplugged and came back. In -o, {n} stands for the number of the job, as in -o \
            'scan-{n}.pdf'; without it, the number comes before the extension. Nothing is ever \
            overwritten: the next free number is used. The space bar and Enter start a job as \
            well; with --manual only they do.

            The device may be a recording: file:CLIP.mp4 or another video (.mov, .webm, .mkv, \
            .avi, .mjpeg, .y4m), or a folder of frames.

            With --host, another host watches its camera: what it sees is shown here, and the \
            document is fetched at the end.

            With --json each event is one line: an object with "event" ("state", "captured", \
            "skipped", "page", "lost", \
            "back", "note", "delivered", "failed", "stats"; of a scanner also "waiting", "trigger" \
            and "job"), "time" in seconds \
            (of a recording, since its start; "page" and "delivered" have that of the newest \
            frame), and what belongs to it, such as \
            "state", "confidence", "corners" (pixels; top left, top right, bottom right, bottom \
            left), "rate" (frames examined per second), \
            "search" (milliseconds that the search for the page took) and "reason", why it is not \
            capturing yet: \
            \(WaitReason.allCases.map { "\"\($0.rawValue)\" (\($0.advice))" }.joined(separator: ", ")).
            """,
        examples: [
            Example(
                "Minutes, page after page, from the only camera", "copystand watch -o minutes.pdf"),
            Example("Ten cards, then stop", "copystand watch --pages 10 -o cards.pdf"),
            Example(
                "A document at every press of the scanner's button",
                "copystand watch -d epson -o 'scan-{n}.pdf'"),
            Example(
                "The camera of another machine",
                "copystand watch --host https://scans.local:8470 -o page.pdf"),
            Example(
                "A video of a book", "copystand watch --device file:book.mp4 -o book.pdf"),
        ],
        options: [
            ScanCommand.device, ScanOptions.profile, ScanOptions.output, ScanOptions.set,
        ] + ScannerOptions.settings + [
            idle, manual, pedal, still, rate, stats, ScanOptions.step,
            ScanOptions.withoutStep,
        ] + Option.of(.watch) + [SharedOptions.json] + PDFArguments.all
            + HostOptions.all(without: PDFArguments.passwords.map(\.name)),
        handler: handler { parsed, console in
            let arguments = try WatchArguments(parsed, console)
            if let host = try HostOptions.connection(parsed, console) {
                return try await runWatch(arguments, on: host)
            }
            return try await withCaptureHost(console) { host in
                let device = try await host.find(arguments.request.device)
                return switch device.descriptor.kind {
                case .camera, .files: try await watchCamera(device, arguments, host)
                default: try await watchScanner(device, arguments, host)
                }
            }
        })
}
