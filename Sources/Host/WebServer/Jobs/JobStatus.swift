import Archive
import CaptureKit
import Delivery
import Documents
import FileNames
import Listings
import ScanService
import Workers

/// The state of a job on this host, which changes with the job's events.
struct JobStatus: Encodable, Sendable {
    /// The state of a job.
    enum State: String, Encodable, CaseIterable {
        /// Pages are captured, processed or delivered.
        case running
        /// The job waits for paper, for a person to turn the stack, or for the answer to its
        /// `question`.
        case waiting
        /// Every source was read to its end, and every sink has the document.
        case completed
        /// The job was stopped; the earlier pages are delivered.
        case stopped
        /// A device or a sink failed; `problem` has the reason, `continuation` or `keptJob` how to
        /// continue.
        case failed
    }

    /// A question of a job.
    enum Question: String, Encodable, CaseIterable {
        /// The question whether there is another sheet. A yes means that the sheet has been placed.
        case another
    }

    let id: String
    /// The owner of its documents, who may watch its camera; nil for everyone.
    let owner: String?
    let profile: String
    let devices: [String]
    let created: String
    /// True for a job that watches a camera.
    let isWatch: Bool
    /// The part of the camera's picture that a user drew; nil for a watch that searches.
    var region: LiveRegion?
    var state = State.running
    /// The place of its pages on their way into the archive.
    var place = JobPlace.station
    /// The number of pages that a worker reads before its own; nil unless it waits for one.
    var ahead: Int?
    /// The number of its pages that a worker has read; nil unless one has it.
    var read: Int?
    /// A sentence for users about what the job does now, or about its end.
    private(set) var message = JobMessage(.starting).text
    /// The parts of the message, for other languages; nil if there is only a problem.
    private(set) var saying: JobMessage? = JobMessage(.starting)
    /// The question, to be answered at `jobs/{id}/answer`; nil for none.
    private(set) var question: Question?
    var expected: Int?
    var pages: [Page] = []
    private(set) var notices: [String] = []
    /// The notices as messages for translation, one for each.
    private(set) var noticeSayings: [JobMessage] = []
    var deliveries: [Delivery] = []
    private(set) var problem: String?
    /// The kind of problem, as in problem details.
    private(set) var problemCode: String?
    /// The job to continue, when the capture ended early.
    var continuation: String?
    /// The device's code for the early end of the capture, such as `jammed`.
    var code: String?
    /// The sheet to continue with; nil where pages do not come in sheets.
    var next: NextSheet?
    /// The job whose pages are kept after a failed delivery; nil for none.
    var keptJob: String?

    /// True if the pages go into an archive that machines share.
    private let isForShared: Bool
    /// True for a job that continues an earlier capture, and can be continued again if it is
    /// refused.
    private var goesOn = false

    private enum CodingKeys: String, CodingKey {
        case id, owner, profile, devices, created, isWatch, region, state, place, ahead, read
        case message, saying, question, expected, pages
        case notices, noticeSayings, deliveries, problem, problemCode, continuation, code, next,
            keptJob
    }

    /// The state of a new job.
    ///
    /// - Parameter earlier: the earlier state of a job that continues; its pages are shown until
    ///   they are delivered again.
    init(
        id: String, order: ScanOrder, created: String, isWatch: Bool = false,
        goesOn: Bool = false, earlier: JobStatus? = nil
    ) {
        self.isWatch = isWatch
        isForShared = order.outputs.compactMap(ArchiveSink.place).contains(where: Archive.isShared)
        region = isWatch ? LiveRegion(order.area) : nil
        self.goesOn = goesOn
        pages = (earlier?.pages ?? []).filter { $0.captured != nil }.map {
            var page = $0
            page.stage = .captured
            return page
        }
        self.id = id
        owner = order.user?.name
        profile = PlaceNames.name(of: order.profile)
        devices = order.sources.map(PlaceNames.name)
        self.created = created
    }

    /// Changes the state by an event.
    mutating func apply(_ event: ScanEvent) {
        switch event {
        case .began: break
        case .opened(_, let name, let kind):
            state = .running
            let code: JobMessage.Code =
                isWatch ? .watching : kind == .files ? .importing : .scanning
            say(JobMessage(code, ["device": name]))
        case .adjusted(let option, let asked, let got):
            note(JobMessage(.adjusted, ["option": option, "asked": "\(asked)", "got": "\(got)"]))
        case .waitingForDevice(let device, let user):
            wait(JobMessage(.waitingForDevice, ["device": device, "user": user]))
        case .waitingForPaper: wait(JobMessage(.waitingForPaper))
        case .turningStack(let fronts):
            wait(JobMessage(.turningStack, ["sheets": "\(fronts)"]))
        case .askingForMore(let pages):
            question = .another
            wait(.counted(.another, pages))
        case .collated(let fronts, let backs):
            if fronts != backs {
                note(JobMessage(.unevenCollation, ["fronts": "\(fronts)", "backs": "\(backs)"]))
            }
        case .continuing(_, let pages): say(.counted(.goingOn, pages))
        case .notReplaced(let output, let isGone):
            note(JobMessage(isGone ? .fileGone : .fileChanged, ["file": output]))
        case .expecting(let pages): expected = pages
        case .capturing(let page, let label, let rows, let height):
            state = .running
            update(page) { entry in
                entry.label = label ?? entry.label
                entry.progress = height.flatMap { $0 > 0 ? min(1, Double(rows) / Double($0)) : nil }
            }
        case .captured(let page, let label):
            update(page) { entry in
                entry.label = label ?? entry.label
                entry.stage = .captured
                entry.progress = nil
            }
        case .skipped(let page):
            pages.append(
                Page(
                    number: (pages.map(\.number).max() ?? 0) + 1, label: page.label,
                    stage: .skipped, problems: [PublicView.words(page.error.message)]))
        case .finished(let summary):
            finished(summary) { $0.finish(summary) }
        case .completing(let count):
            say(.counted(.writing, count))
            if isForShared { place = .uploading }
            // After this, fronts and backs that were captured one after the other alternate.
            if pages.allSatisfy({ $0.stage == .finished }) {
                pages.sort { $0.number < $1.number }
            }
        case .delivered(let receipt): add(receipt)
        case .undelivered(let failure): note(Problem(failure.error))
        }
    }

    /// Records the answer to the question; false when there is none.
    mutating func answered(goesOn: Bool) -> Bool {
        guard question != nil else { return false }
        question = nil
        state = .running
        say(goesOn ? JobMessage(.starting) : .counted(.writing, pages.count))
        return true
    }

    /// Records the job's result.
    mutating func finish(_ result: Result<ScanOutcome, any Error>) {
        // Incomplete pages never arrived.
        pages.removeAll { $0.stage == .capturing }
        question = nil
        // Pages that wait for a worker have left this host.
        if !isLeft { place = .station }
        switch result {
        case .failure(let error):
            fail(Problem(error))
            if goesOn { continuation = id }
        case .success(let outcome):
            // If pages could not be read, the job waits among the stored ones, and no pages are
            // added to it.
            let isUnread = outcome.continuation?.interruption.code == Interruption.unread
            continuation = isUnread ? nil : outcome.continuation?.job
            code = outcome.continuation?.interruption.code
            next = outcome.continuation?.interruption.next
            keptJob = outcome.keptJob ?? (isUnread ? outcome.continuation?.job : nil)
            switch outcome.ending {
            case .deviceFailed(let error): fail(Problem(error))
            case .stopped:
                state = .stopped
                say(.counted(.stopped, outcome.pages.count))
            case .completed:
                state = .completed
                say(.counted(.completed, outcome.pages.count))
            }
            if let failure = outcome.failures.first {
                // Pages that wait for the archive's server are delivered without anyone's help.
                fail(
                    outcome.awaitsArchive
                        ? Problem(503, "archive-unreachable", detail: failure.error.message)
                        : Problem(failure.error))
            }
            if place == .station, keptJob == nil { place = .done }
        }
    }

    private mutating func wait(_ words: JobMessage) {
        state = .waiting
        say(words)
    }

    private mutating func say(_ words: JobMessage) {
        saying = words
        message = words.text
    }

    private mutating func note(_ words: JobMessage) {
        noticeSayings.append(words)
        notices.append(words.text)
    }

    private mutating func note(_ trouble: Problem) {
        problem = PublicView.words(trouble.detail)
        problemCode = trouble.code
    }

    /// Removes a failure that no longer exists.
    mutating func recover(from code: String) {
        guard problemCode == code else { return }
        (problem, problemCode, state) = (nil, nil, .completed)
        say(.counted(.completed, pages.count))
    }

    mutating func fail(_ trouble: Problem) {
        note(trouble)
        state = .failed
        saying = nil
        message = PublicView.words(trouble.detail)
    }

    private mutating func add(_ receipt: Receipt) {
        if receipt.waiting?.isForWorker == true { place = .waiting }
        deliveries.append(
            Delivery(
                sink: receipt.sink.hasPrefix("archive:")
                    ? "archive" : PlaceNames.name(of: receipt.sink),
                document: receipt.sink.hasPrefix("archive:")
                    ? receipt.locations.first : receipt.remoteID.map(PlaceNames.name),
                pages: receipt.pages,
                waiting: receipt.waiting.map { PublicView.words($0.reason) },
                duplicateOf: receipt.duplicateOf))
    }

    /// Records a small picture of the capture with this number.
    mutating func pictured(_ number: Int) {
        update(number) { if $0.stage == .capturing { $0.stage = .captured } }
        for index in pages.indices where pages[index].captured == number {
            pages[index].hasPicture = true
            pages[index].pictureVersion += 1
        }
    }

    /// Changes the pages of the capture with that number, in the order of capture.
    private mutating func update(_ number: Int, _ change: (inout Page) -> Void) {
        if let index = pages.firstIndex(where: { $0.captured == number }) {
            return change(&pages[index])
        }
        var page = Page(number: number, stage: .capturing, captured: number)
        change(&page)
        let place = pages.firstIndex { ($0.captured ?? 0) > number } ?? pages.endIndex
        pages.insert(page, at: place)
    }

    /// Changes the page that a summary describes; one picture may become several pages.
    private mutating func finished(_ summary: PageSummary, _ change: (inout Page) -> Void) {
        let number = summary.captured
        let place = pages.firstIndex { $0.captured == number && $0.stage != .finished }
        if place == nil, let last = pages.lastIndex(where: { $0.captured == number }) {
            var page = pages[last]
            change(&page)
            return pages.insert(page, at: last + 1)
        }
        update(number, change)
    }
}
