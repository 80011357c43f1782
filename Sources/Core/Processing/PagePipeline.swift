import Clocks
import Documents
import FoundationEssentials
import Imaging
public import Recognition

/// Processes captured pages with a profile: runs its steps in order, then reads the text.
///
/// A page is never lost: a step that fails leaves the page unchanged, and a failed reading leaves
/// it without text; both are reported in ``ProcessedPage/problems``. Steps run on separate threads,
/// never on the cooperative pool.
///
///     let pipeline = PagePipeline(profile: try library.load("document"), recognizer: pool)
///     for page in try await pipeline.process(input) { print(page.steps.map(\.summary)) }
public struct PagePipeline: Sendable {
    /// The profile to use.
    public let profile: Profile
    private let steps: [any ProcessingStep]
    private let extractors: [any Extractor]
    private let recognizer: (any TextRecognizer)?
    private let clock: any Clock<Duration>
    private let threads: StepThreads
    private let explaining: ExplainFolder?

    /// Printed words are read with a mean confidence of at least 0.8; scribbles and foreign scripts
    /// have less than this.
    public static let lowConfidence = 0.5

    /// Upright print is read with a mean confidence of at least 0.7; upside-down or sideways print
    /// with at most 0.4.
    private static let provingConfidence = 0.6

    /// One set of threads for all pipelines, so that several jobs together use no more cores than
    /// there are.
    private static let sharedThreads = StepThreads(
        limit: ProcessInfo.processInfo.activeProcessorCount)

    /// A pipeline for `profile`.
    ///
    /// - Parameters:
    ///   - recognizer: reads the text; nil for pages without text.
    ///   - explaining: gets the page after each step, with the reason; nil for no explanation.
    ///   - clock: measures the steps.
    public init(
        profile: Profile, recognizer: (any TextRecognizer)?, explaining: ExplainFolder? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(
            profile: profile, steps: profile.steps.compactMap(StepCatalog.step),
            recognizer: recognizer, explaining: explaining, clock: clock,
            threads: Self.sharedThreads)
    }

    init(
        profile: Profile, steps: [any ProcessingStep], recognizer: (any TextRecognizer)?,
        explaining: ExplainFolder? = nil, clock: any Clock<Duration> = ContinuousClock(),
        threads: StepThreads
    ) {
        self.profile = profile
        self.steps = steps
        extractors = profile.steps.compactMap(StepCatalog.extractor)
        self.recognizer = recognizer
        self.clock = clock
        self.threads = threads
        self.explaining = explaining
    }

    /// True when pages stay unchanged: there is no step, and nothing is read.
    public var leavesPages: Bool {
        steps.isEmpty && extractors.isEmpty && (profile.text == nil || recognizer == nil)
    }

    /// Processes one picture; returns its pages in reading order.
    ///
    /// The result is one page, unless a step of the profile splits the picture. The text of blank
    /// pages is not read.
    ///
    /// - Parameter input: the picture, which is released after the steps, so that a page that waits
    ///   to be read does not also keep its captured picture in memory.
    /// - Returns: at least one page.
    /// - Throws: only `CancellationError`. Any other failure is reported in
    ///   ``ProcessedPage/problems``.
    public func process(_ input: consuming PageInput) async throws -> [ProcessedPage] {
        try Task.checkCancellation()
        let explainer = explaining.map {
            PageExplainer($0, page: input.number, provenance: input.provenance, profile: profile)
        }
        let reads = profile.text != nil && recognizer != nil
        let isDropped = input.text != nil && profile.existingText == .drop
        let hasLostText =
            input.text != nil
            && (profile.existingText == .drop || (profile.existingText == .redo && reads))
        if hasLostText { input.text = nil }
        let isRead = reads && !isDropped && (input.text == nil || input.isTextPartial)
        // An explanation reports each step once, so the reading must not have to confirm one.
        var pages = try await pages(in: input, isReadNext: isRead && explainer == nil, explainer)
        let kept = pages.contains(where: \.isUnproven) ? copy input : nil
        _ = consume input
        if isDropped {
            pages.note("the page's own text was left out")
        } else {
            try await readAll(&pages)
            if isRead, let kept, pages.contains(where: Self.isDisproven) {
                pages = try await self.pages(in: kept, isReadNext: false, nil)
                try await readAll(&pages)
            }
        }
        for index in pages.indices { pages[index].hasLostText = hasLostText }
        if let explainer {
            let problem = await threads.run { [pages] in explainer.finish(pages) }
            if let problem { pages[0].problems.append(problem) }
        }
        return pages
    }

    /// The pages of a picture after the steps, before any text is read.
    private func pages(
        in input: PageInput, isReadNext: Bool, _ explainer: PageExplainer?
    ) async throws -> [ProcessedPage] {
        let isCancelled = CancellationFlag()
        let runner = StepRunner(
            steps: steps, target: profile.looksFor, clock: clock, isCancelled: isCancelled,
            explainer: explainer, letters: letterShapes(isCancelled),
            trial: trialReading(isCancelled), isReadNext: isReadNext)
        let pages = await withTaskCancellationHandler {
            await threads.run {
                runner.run(
                    on: input.image, corners: input.corners, text: input.text,
                    isTextPartial: input.isTextPartial, facts: input.facts)
            }
        } onCancel: {
            isCancelled.set()
        }
        try Task.checkCancellation()
        return pages
    }

    /// Reads the text of every page that is not blank and has no text of its own.
    private func readAll(_ pages: inout [ProcessedPage]) async throws {
        guard let reading = profile.text, let recognizer else {
            return pages.noteOwnText()
        }
        for index in pages.indices where !pages[index].isBlank {
            if pages[index].text != nil, !pages[index].isTextPartial {
                pages[index].noteOwnText()
            } else {
                try await read(&pages[index], reading, with: recognizer)
            }
            for step in extractors {
                try await run(step, on: &pages[index], reading, with: recognizer)
            }
            pages[index].legible = nil
        }
    }

    /// True if reading was to confirm the page's orientation, but the page was hardly readable.
    private static func isDisproven(_ page: ProcessedPage) -> Bool {
        guard page.isUnproven, let text = page.text else { return false }
        return (text.words.meanConfidence ?? 0) < provingConfidence
    }

    /// Lets the recognizer examine the shapes of letters, on the thread of the requesting step.
    private func letterShapes(_ isCancelled: CancellationFlag) -> OrientationFinder {
        guard let recognizer else { return { _ in nil } }
        return { image in
            try waitForResult(isCancelled) { try await recognizer.detectOrientation(image) }
        }
    }

    /// Lets the recognizer read a picture in the profile's languages, on the thread of the
    /// requesting step.
    private func trialReading(_ isCancelled: CancellationFlag) -> TrialReading {
        guard let recognizer, let languages = profile.text?.languages else { return { _ in nil } }
        return { image in
            // The text is read as one block, because a search for columns would also read sideways
            // lines.
            try waitForResult(isCancelled) {
                try await recognizer.recognize(image, languages: languages, layout: .block)
            }
        }
    }

    private func read(
        _ page: inout ProcessedPage, _ reading: Profile.TextReading,
        with recognizer: any TextRecognizer
    ) async throws {
        let whole = page.legible ?? page.image
        let picture = whole.fitForReaders
        let own = page.text
        var added: PageText?
        defer { page.readText = added }
        try await report(
            "text", on: &page, failed: "not read", { "The text was not read: \($0)" }
        ) {
            var problem: String?
            var text: PageText
            do {
                text = try await recognizer.recognize(picture, languages: reading.languages)
            } catch let error as RecognitionError {
                guard let partial = error.text else { throw error }
                text = partial
                problem = "The text was not read as well as it could be: \(error.message)"
            }
            text = try text.placed(from: picture, on: whole)
            var outcome = Self.outcome(of: text, in: reading.languages)
            outcome.problem = problem
            added = text
            if let own {
                outcome.summary += ", in addition to \(counted(own.words.count, "word")) of its own"
                let read = text.without(own)
                added = read
                outcome.text = PageText(
                    blocks: own.blocks + read.blocks, languages: text.languages)
            }
            return outcome
        }
    }

    /// Runs an extractor on a page with text; a page whose reading failed is skipped.
    private func run(
        _ step: any Extractor, on page: inout ProcessedPage, _ reading: Profile.TextReading,
        with recognizer: any TextRecognizer
    ) async throws {
        guard let text = page.text else { return }
        let name = type(of: step).declaration.name
        let input = ReadingInput(
            image: page.legible ?? page.image, text: text, recognizer: recognizer,
            languages: reading.languages)
        try await report(
            name, on: &page, failed: "left", { "The step '\(name)' found nothing: \($0)" }
        ) {
            try await step.run(on: input)
        }
    }

    /// Adds a step's report to the page, with the findings of `work` or the reason why it failed;
    /// throws only when the task is canceled.
    ///
    /// - Parameters:
    ///   - failed: the beginning of a failure's report.
    ///   - problem: makes the page's problem from the reason of a failure.
    private func report(
        _ name: String, on page: inout ProcessedPage, failed: String,
        _ problem: (_ reason: String) -> String, work: () async throws -> ReadingOutcome
    ) async throws {
        let start = Stopwatch(clock)
        var report = StepReport(name: name, summary: "", changed: false, milliseconds: 0)
        do {
            let outcome = try await work()
            report.summary = outcome.summary
            report.measurements = outcome.measurements
            report.found = outcome.found
            if let text = outcome.text { page.text = text }
            if let problem = outcome.problem { page.problems.append(problem) }
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            let reason = explanation(of: error)
            report.summary = "\(failed): \(reason)"
            page.problems.append(problem(reason))
        }
        report.milliseconds = start.milliseconds
        page.steps.append(report)
    }

    /// The summary for the step `text`: the number of words in a page's text, and their confidence.
    private static func outcome(of text: PageText, in languages: [String]) -> ReadingOutcome {
        let words = text.words
        var outcome = ReadingOutcome(
            summary: words.isEmpty ? "no text found" : "read \(counted(words.count, "word"))",
            measurements: ["words": Double(words.count)], text: text)
        guard let confidence = words.meanConfidence else { return outcome }
        outcome.measurements["confidence"] = confidence
        outcome.measurements["doubtful"] = Double(words.count(where: \.isDoubtful))
        if let evidence = text.evidence {
            outcome.measurements.merge(evidence.measurements) { own, _ in own }
            outcome.summary += " with " + evidence.readers.joined(separator: " and ")
            if let regions = evidence.regions, !regions.isEmpty {
                outcome.summary += ", and \(counted(regions.count, "region")) again: "
                outcome.summary += regions.map(\.description).joined(separator: "; ")
            }
        }
        if confidence < lowConfidence {
            outcome.summary +=
                " with little confidence (\(rounded(confidence, places: 2))): "
                + "handwriting, or another language than \(languages.joined(separator: "+"))?"
        }
        return outcome
    }
}

extension ProcessedPage {
    /// Reports, like the step `text`, that the page has text of its own.
    fileprivate mutating func noteOwnText() {
        guard let text else { return }
        let count = text.words.count
        steps.append(
            StepReport(
                name: "text", summary: "kept the page's own \(counted(count, "word"))",
                changed: false, measurements: ["words": Double(count)], milliseconds: 0))
    }
}

extension [ProcessedPage] {
    fileprivate mutating func noteOwnText() {
        for index in indices { self[index].noteOwnText() }
    }

    /// Reports what happened to text that was not read.
    fileprivate mutating func note(_ summary: String) {
        for index in indices {
            self[index].steps.append(
                StepReport(name: "text", summary: summary, changed: false, milliseconds: 0))
        }
    }
}
