public import CaptureKit
public import Delivery
public import Documents

/// What happens during a job, reported as it happens.
///
/// Events of different pages interleave; those of one page are in order.
public enum ScanEvent: Sendable {
    /// The job has a folder in the spool, whose name is its id from now on; the order was checked
    /// as far as possible without its device.
    case began(job: String)
    /// A device was opened, and what was set on it has been set. `name` is for people.
    case opened(device: String, name: String)
    /// An option took another value than was asked for, the nearest it has.
    case adjusted(option: String, asked: String, got: OptionValue)
    /// The device is in use by another job, such as `a scan from 192.168.1.20`, and is waited for.
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
    /// The pages of an interrupted job that come before those that are captured now.
    case continuing(job: String, pages: Int)
    /// An output that this job delivered before is not replaced, because it was changed since or is
    /// gone.
    case notReplaced(output: String, isGone: Bool)
    /// The number of pages there will be, as far as is known now.
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
    /// Every page is with its sinks, which are completing their files.
    case completing(pages: Int)
    /// A sink has the document, or one of those that the batch is split into.
    case delivered(Receipt)
    /// A sink could not take the document.
    case undelivered(DeliveryFailure)
}

/// A page that could not be captured.
public struct SkippedPage: Codable, Sendable {
    /// What the page is called at its source.
    public var label: String?
    /// Why it could not be captured.
    public var error: CaptureError

    init(label: String?, error: CaptureError) {
        self.label = label
        self.error = error
    }
}

/// What happened to one page.
public struct PageSummary: Codable, Sendable {
    /// The page as the sinks got it, with the steps it went through but without its text, which
    /// adds up over many pages.
    public var page: Page
    /// Words that were read.
    public var words: Int
    /// The beginning of the text, at most 240 characters on one line; nil when there is none.
    public var excerpt: String?
    /// The number in the spool of the picture it was made of, as
    /// ``ScanEvent/captured(page:label:)`` has it; several pages may be of one.
    public var captured: Int
    /// The document of a split stack that it is in, from 1; 0 for a sheet between documents, which
    /// is in none, and nil for a job that is not split.
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

/// A sink that could not take the document.
public struct DeliveryFailure: Sendable {
    /// The sink's name.
    public var sink: String
    /// Why.
    public var error: DeliveryError

    init(sink: String, error: DeliveryError) {
        self.sink = sink
        self.error = error
    }

    /// A failure of whatever sort.
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
