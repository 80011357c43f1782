import CommandLine
import Delivery
import FoundationEssentials
import Processing
import ScanService

/// `copystand detect`: finds the page in each of some photographs.
enum DetectCommand {
    static let photos = Argument(
        "PHOTO", .oneOrMore, .path,
        help: "A picture; every page of a TIFF or PDF counts as one.", completion: .files)
    static let output = Option(
        "output", short: "o", value: "FILE", .path,
        help: """
            Write the pages found, cut out and made rectangular. With .jpg, .png and .webp, \
            several pages become several files, FILE-001 and so on in the order of the photos; \
            .pdf and .tiff hold them all. An existing file is never overwritten.
            """,
        isRepeated: true, completion: .files)

    static let all = Option(
        flag: "all",
        help:
            "Show every page in view, not only the main one. The largest and most central comes first."
    )

    static let profile = Option(
        "profile", short: "p", value: "NAME", .name,
        help:
            "Search as this profile does: a card has known shapes, a page can have any. Its steps are not run.",
        default: "document", completion: .dynamic("profiles"))

    static let command = Command(
        name: "detect", summary: "Find the page in photographs, and cut it out",
        discussion: """
            Shows the corners of the page in each photograph: top left, top right, bottom right \
            and bottom left as seen, in pixels from the top left of the upright picture (turned by \
            its EXIF orientation). A corner out of view may be outside the picture. The time \
            is the detector's alone, without reading the file. A photograph is searched closely \
            and more than once, but a camera's live frame only briefly ('copystand watch \
            --stats').

            A photograph without a page is not an error. A file that can't be read is reported and \
            changes the exit code; the others are still searched.

            With --json the result is an array with an object for each photograph, in the order \
            given: "file", "corners" ([[x, y] × 4] or null), "confidence" (0 to 1; 0 where no page \
            was found), "milliseconds", and, where they apply, "page" (the number of the page in a \
            file of several), "outputs" (the files it was written to) and "error" ("code", \
            "message", "advice") for one that can't be read, whose other values are null. With \
            --all there is also "all": each page in view with its "corners", "confidence" and \
            "outputs". The first of them is the page of the object itself.
            """,
        examples: [
            Example("Show the corners of the page", "copystand detect IMG_0412.jpg"),
            Example("Cut the pages out", "copystand detect IMG_*.jpg -o page.png"),
            Example(
                "Every receipt on the table, cut out",
                "copystand detect --all IMG_0413.jpg -o receipt.jpg"),
            Example(
                "Every trading card on the table, cut out",
                "copystand detect --profile card --all IMG_0414.jpg -o card.png"),
            Example("Only the corners", "copystand detect --json IMG_*.jpg | jq '.[].corners'"),
        ],
        arguments: [photos], options: [output, all, profile, SharedOptions.json],
        handler: handler(run))

    private static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws -> ExitCode {
        let files = arguments.texts(photos).map { (name: $0, path: absolutePath($0)) }
        let outputs = arguments.texts(output)
        let target = try ProfilesCommand.library.load(arguments.text(profile) ?? "document")
            .looksFor
        let outcome = try await withCaptureHost(console) {
            try await PictureSearch(host: $0, looksFor: target, wantsAll: arguments.isGiven(all))
                .run(files, outputs: outputs)
        }
        let report = DetectReport(outcome, all: arguments.isGiven(all))
        if arguments.isGiven(SharedOptions.json) {
            try console.json(report.entries)
        } else {
            try console.result(report.table.text(for: console.output))
        }
        for error in report.errors { console.warn(error) }
        if !outputs.isEmpty {
            for picture in outcome.pictures where picture.isFoundAndNotCut {
                console.warn(
                    "copystand: a page in '\(picture.file)' is seen at too steep an angle to be cut out"
                )
            }
        }
        for failure in outcome.failures { console.warn(failure.error) }
        for receipt in outcome.receipts {
            console.say("Written: " + receipt.locations.joined(separator: ", "))
        }
        if !outputs.isEmpty, outcome.receipts.isEmpty, outcome.failures.isEmpty {
            console.say("No page was found, so nothing was written.")
        }
        if !outcome.failures.isEmpty { return .deliveryFailed }
        return report.errors.first.map { ErrorMessages.explain($0).code } ?? .done
    }
}

extension SearchedPicture {
    /// True when a page was found, but its shape can't be made a rectangle.
    fileprivate var isFoundAndNotCut: Bool {
        if case .found(let pages) = result { pages.contains { $0.place == nil } } else { false }
    }
}
