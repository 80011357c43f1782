public import CaptureKit
public import Delivery
public import Documents

/// An event during a job.
///
/// Events of different pages may alternate; those of one page are in order.
public enum ScanEvent: Sendable {
    /// The job has a folder in the spool, whose name is the job's id; the order was checked as far
    /// as possible without the device.
    case began(job: String)
    /// A device was opened and its options were set. `name` is for people.
    case opened(device: String, name: String, kind: DeviceKind)
    /// An option took the nearest possible value instead of the requested one.
    case adjusted(option: String, asked: String, got: OptionValue)
    /// Another job uses the device, such as `a scan from 192.168.1.20`; this job waits for it.
    case waitingForDevice(device: String, user: String)
    /// The capture begins when paper is put into the device's feeder.
    case waitingForPaper(device: String)
    /// This many fronts are captured, and the backs of the turned stack are next.
    case turningStack(fronts: Int)
    /// A capture has ended, and the user is asked whether to add another sheet to the document of
    /// this many pages.
    case askingForMore(pages: Int)
    /// Fronts and backs were scanned in separate captures, and are interleaved now.
    case collated(fronts: Int, backs: Int)
    /// The pages of an interrupted job come before the new ones.
    case continuing(job: String, pages: Int)
    /// A delivered output is not replaced, because the file is missing or was changed since.
    case notReplaced(output: String, isGone: Bool)
    /// The probable number of pages.
    case expecting(pages: Int)
    /// A page is being captured.
    case capturing(page: Int, label: String?, rows: Int, of: Int?)
    /// A page is safe in the spool.
    case captured(page: Int, label: String?)
    /// A page could not be captured; later ones can be.
    case skipped(SkippedPage)
    /// A page has been processed and handed to every sink, or set aside as a sheet between
    /// documents.
    case finished(PageSummary)
    /// Every sink has all pages, and completes its files.
    case completing(pages: Int)
    /// A sink has the document, or one of the documents of a split batch.
    case delivered(Receipt)
    /// A sink could not accept the document.
    case undelivered(DeliveryFailure)
}

/// A page that could not be captured.
public struct SkippedPage: Codable, Sendable {
    /// The page's name at its source; nil for none.
    public var label: String?
    /// The reason why the page could not be captured.
    public var error: CaptureError
}

/// The result for one page.
public struct PageSummary: Codable, Sendable {
    /// The delivered page with its steps but without its text, which would add up over many pages.
    public var page: Page
    /// The number of words that were read.
    public var words: Int
    /// The beginning of the text, at most 240 characters on one line; nil when there is none.
    public var excerpt: String?
    /// The number of the captured picture in the spool, as in ``ScanEvent/captured(page:label:)``;
    /// several pages may come from one picture.
    public var captured: Int
    /// The number of the page's document in a split stack, from 1; 0 for a sheet between documents,
    /// and nil for a job that is not split.
    public var document: Int?

    init(page: Page, captured: Int, document: Int? = nil) {
        self.captured = captured
        self.document = document
        words = page.text?.words.count ?? 0
        // A word has at least one letter, so this many words are enough.
        let read = page.text?.words.prefix(240).map(\.text).joinedAsLine() ?? ""
        excerpt = read.isEmpty ? nil : String(read.prefix(240))
        self.page = page
        self.page.text = nil
    }
}

/// A sink that could not accept the document.
public struct DeliveryFailure: Sendable {
    /// The sink's name.
    public var sink: String
    /// The error.
    public var error: DeliveryError

    init(sink: String, error: DeliveryError) {
        self.sink = sink
        self.error = error
    }

    /// A failure with any error.
    init(sink: String, _ error: any Error) {
        self.init(
            sink: sink,
            error: error as? DeliveryError ?? DeliveryError(.inputOutput, "'\(sink)': \(error)"))
    }

    /// The places of the archives that did not answer, if nothing else failed; nil otherwise.
    static func awaitedArchives(_ failures: [DeliveryFailure]) -> [String]? {
        let places = failures.compactMap {
            $0.error.code == .unreachable ? ArchiveSink.place(of: $0.sink) : nil
        }
        return places.isEmpty || places.count < failures.count ? nil : places
    }
}
