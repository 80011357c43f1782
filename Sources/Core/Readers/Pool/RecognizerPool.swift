public import Documents
import ExpectedFailures
import Glibc
public import Imaging
public import Recognition
import Synchronization

/// Reads pages with a reader, several at a time, each in a separate helper process; the reader is
/// Tesseract by default.
///
/// A page that crashes or hangs its helper is tried again in a new one. When that fails too, only
/// that page has an error, and the pool continues. Helpers start when first needed, or at
/// ``prewarm(languages:)``, and keep the languages' data between pages. The caller's thread is
/// never blocked: each helper has a thread that waits for it.
///
/// ```swift
/// let pool = RecognizerPool()
/// let text = try await pool.recognize(page, languages: ["eng"])
/// await pool.shutdown()
/// ```
public final class RecognizerPool: TextRecognizer {
    private let slots: [HelperSlot]
    private let turns: SlotQueue
    private let usesTessdata: Bool
    /// The name of the reader.
    let name: String

    /// A pool that has not started any helper yet.
    ///
    /// - Parameters:
    ///   - workers: the maximum number of helper processes, at least 1; by default one for each
    ///     core that is online.
    ///   - command: the command for a helper; by default the installed `copystand-recognizer`.
    ///   - pageDeadline: the time for one page after which a helper is killed.
    ///   - engineDeadline: the time after which the engine gives up on a page; shorter, so that the
    ///     helper survives.
    ///   - clock: the clock for the page deadline.
    public init(
        workers: Int? = nil, command: HelperCommand = .installed,
        pageDeadline: Duration = .seconds(120), engineDeadline: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let settings = HelperSlot.Settings(
            command: command, pageDeadline: pageDeadline, engineDeadline: engineDeadline,
            clock: clock)
        slots = (0..<min(max(1, workers ?? cores), 256)).map { _ in HelperSlot(settings) }
        turns = SlotQueue(count: slots.count)
        usesTessdata = command.usesTessdata
        name = command.name
    }

    /// Starts every helper and loads `languages`, without waiting for that.
    ///
    /// This helps when pages take a while to arrive, because helpers start during the capture. The
    /// first page reports unknown languages.
    public func prewarm(languages: [String] = ["eng"]) {
        guard reportedLater({ try require(languages) }) != nil else { return }
        for slot in slots { slot.prewarm(languages) }
    }

    /// Ends the helpers after the pages that they are reading, and waits until they are gone.
    ///
    /// A later page starts a helper again. A released pool ends its helpers too, without this wait.
    public func shutdown() async {
        for slot in slots { await slot.stop() }
    }

    /// Reads `image`, which should be upright; boxes are in its pixels, and a page without text
    /// gives no blocks.
    ///
    /// If there are more pages than helpers, the pages with the most text come first. Canceling the
    /// task ends the helper that reads the page.
    ///
    /// - Throws: ``RecognitionError``: `languageMissing` names the package to install;
    ///   `helperFailed` when the helper ended twice, with the reason; `engineFailed` when the picture is too
    ///   large or takes too long. `CancellationError`.
    public func recognize(_ image: Raster, languages: [String]) async throws -> PageText {
        try await recognize(image, languages: languages, layout: .any)
    }

    /// Reads `image`, whose layout is known.
    ///
    /// - Throws: the errors of ``recognize(_:languages:)``.
    public func recognize(
        _ image: Raster, languages: [String], layout: TextLayout
    ) async throws -> PageText {
        try await read(image, languages: languages, ReadingManner(layout: layout)).text
    }

    /// The text of `image`, and its doubtfulness.
    ///
    /// - Throws: the errors of ``recognize(_:languages:)``.
    func read(
        _ image: Raster, languages: [String], _ manner: ReadingManner = ReadingManner()
    ) async throws -> (text: PageText, doubt: Doubt) {
        try require(languages)
        let rows = try Self.rows(of: image)
        let answer = try await ask(
            .read(rows, languages: languages, manner), .page(strokes: rows.strokes))
        guard case .text(var text, let facts) = answer else { throw Self.unexpected }
        let doubt = Doubt(text, facts)
        text.evidence = ReadingEvidence(
            readers: [name], sureness: doubt.sureness, unread: doubt.unread, known: doubt.known)
        return (text, doubt)
    }

    /// The orientation of `image`, by the shapes of its letters (Tesseract's orientation and script
    /// detection); nil for a reader that is not Tesseract.
    ///
    /// It takes up to a second, and is for pages about which a quicker method is unsure. It takes
    /// precedence over pages that wait to be read. The result is nil when there are too few
    /// letters.
    ///
    /// - Throws: the errors of ``recognize(_:languages:)``; `languageMissing` when the package
    ///   `tesseract-ocr-osd` is not installed.
    public func detectOrientation(_ image: Raster) async throws -> OrientationGuess? {
        guard usesTessdata else { return nil }
        try TessdataFolder.require(["osd"])
        let answer = try await ask(.orientation(try Self.rows(of: image)), .short)
        guard case .orientation(let guess) = answer else { throw Self.unexpected }
        return guess
    }

    private func require(_ languages: [String]) throws {
        if usesTessdata { try TessdataFolder.require(languages) }
    }

    private static func rows(of image: Raster) throws -> HelperRows {
        guard let rows = HelperRows(image) else {
            throw RecognitionError(
                .engineFailed,
                "A picture of \(image.width) × \(image.height) pixels is too large to read; the longest side may have \(ReaderPicture.longestSide), and the whole \(ReaderPicture.mostPixels / 1_000_000) million. Scan it at a lower resolution."
            )
        }
        return rows
    }

    private func ask(_ question: HelperQuestion, _ work: ReadingWork) async throws -> HelperAnswer {
        let languages = question.loadedLanguages
        let turn = try await turns.wait(
            for: work, preferring: { slots[$0].loadedLanguages == languages })
        defer { turns.giveBack(turn) }
        let answer = try await slots[turn].ask(question, HelperCancellation())
        if case .refused(let reason) = answer { throw RecognitionError(.engineFailed, reason) }
        return answer
    }

    private static let unexpected = RecognitionError(
        .helperFailed,
        "The text of a page could not be read: the helper answered a different request. Run 'copystand doctor'."
    )
}
