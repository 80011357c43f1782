import CaptureHost
import CaptureKit

/// Handles a crash or hang of the backend in a capture of files.
struct BadInput {
    /// The number of a file's pages that may crash the backend before the rest of the file is left
    /// out.
    private static let mostPages = 3

    private var file: String?
    private var pages = 0

    /// True if the error means that the backend itself failed, and not the request.
    static func isMeant(by error: HostError) -> Bool {
        [.crashed, .hung, .nonsense, .tornPage].contains(error.code)
    }

    /// The pages to report as unreadable, and the place where the capture continues.
    ///
    /// - Parameter patience: the seconds that a page may take.
    mutating func take(
        _ error: HostError, _ place: ReadingPlace, patience: Double
    ) -> (skipped: [SkippedPage], after: String) {
        if file != place.rest { (file, pages) = (place.rest, 0) }
        pages += 1
        var skipped = (place.held ?? []).map { SkippedPage(label: $0.label, error: $0.error) }
        skipped.append(
            SkippedPage(
                label: place.label, error: Self.problem(error, place.label, patience: patience)))
        guard pages >= Self.mostPages, place.next != place.rest else {
            return (skipped, place.next)
        }
        skipped.append(
            SkippedPage(
                label: place.label,
                error: CaptureError(
                    .damagedData,
                    "the rest of this file was not read, because \(pages) of its pages could not be read",
                    advice: "Open the file with another program and save it again there")))
        return (skipped, place.rest)
    }

    /// The failure as a problem of the file, not of the device.
    static func problem(
        _ error: HostError, _ label: String?, patience: Double
    ) -> CaptureError {
        let name = label.map { "'\($0)'" } ?? "a file"
        let seconds =
            patience == patience.rounded() ? String(Int(patience)) : String(patience)
        if error.code == .hung {
            return CaptureError(
                CaptureError.Code(rawValue: error.code.rawValue),
                "\(name) could not be read within \(seconds) s",
                advice: "Allow more time with --page-timeout SECONDS, or leave the file out")
        }
        return CaptureError(
            CaptureError.Code(rawValue: error.code.rawValue),
            "\(name) could not be read: \(error.message)",
            advice: "Open the file with another program and save it again there, or leave it out")
    }
}
