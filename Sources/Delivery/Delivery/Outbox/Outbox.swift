import Archive
import Dispatch
import Documents
import ExpectedFailures
import FoundationEssentials
import Glibc
import HTTPClient
import Synchronization
import UserFiles

/// Delivers the waiting documents to their sinks.
///
///     let outbox = Outbox(store: .standard(environment: environment), sinks: registry)
///     for delivery in outbox.deliver(isDue: false) { print(delivery.outcome) }
///
/// Calls block until services have answered, so make them on a thread that may wait.
public struct Outbox: Sendable {
    /// The items.
    public let store: OutboxStore
    private let sinks: SinkRegistry
    private let client: any WebClient
    private let now: @Sendable () -> Double
    private let wait: @Sendable (Double) -> Void
    private let random: @Sendable () -> Double
    private let stop: DeliveryStop
    private let connections = OpenConnections()

    /// Receives the progress of each upload of a megabyte and more, at most twice a second; nil if
    /// nobody does.
    public var onUpload: (@Sendable (Upload) -> Void)?

    /// The progress of an upload.
    public struct Upload: Hashable, Sendable {
        /// The sink's name.
        public var sink: String
        /// The document's title.
        public var title: String
        /// The bytes that were sent.
        public var sent: Int
        /// Bytes of the document.
        public var total: Int

        /// A text such as "34.0 MB of 200.0 MB".
        public var words: String { Self.words(sent, of: total) }

        /// The progress of an upload in words, such as "34.0 MB of 200.0 MB".
        public static func words(_ sent: Int, of total: Int) -> String {
            "\(readable(sent)) of \(readable(total))"
        }
    }

    /// An outbox over a folder of items, for the sinks of a registry.
    ///
    /// - Parameter stop: stops its deliveries when the program is about to end.
    public init(store: OutboxStore, sinks: SinkRegistry, stop: DeliveryStop = DeliveryStop()) {
        self.init(
            store: store, sinks: sinks, client: CurlClient(isStopped: { stop.isDue }),
            now: { Date().timeIntervalSince1970 },
            wait: { stop.wait($0) }, random: { Double.random(in: 0..<1) }, stop: stop)
    }

    init(
        store: OutboxStore, sinks: SinkRegistry, client: any WebClient,
        now: @escaping @Sendable () -> Double, wait: @escaping @Sendable (Double) -> Void,
        random: @escaping @Sendable () -> Double, stop: DeliveryStop = DeliveryStop()
    ) {
        self.stop = stop
        self.store = store
        self.sinks = sinks
        self.client = client
        self.now = now
        self.wait = wait
        self.random = random
    }

    /// The result of delivering an item.
    public struct Delivery: Sendable {
        /// The item's id.
        public var id: String
        /// The sink's name.
        public var sink: String
        /// The document's title.
        public var title: String
        /// The item's owner; nil for everyone.
        public var owner: String?
        /// The result of delivering it.
        public var outcome: Outcome

        fileprivate init(_ item: OutboxItem, _ outcome: Outcome) {
            (id, sink, title) = (item.id, item.sink, item.title)
            (owner, self.outcome) = (item.user?.name, outcome)
        }
    }

    /// The result of delivering an item.
    public enum Outcome: Hashable, Sendable {
        /// The sink has the document, which left the outbox.
        case delivered(Receipt)
        /// The document waits for this reason, and is tried again at this time (seconds since
        /// 1970).
        case waits(String, until: Double)
        /// The sink refused the document for this reason; it stays until it is retried or dropped.
        case refused(String)
    }

    /// Tries the waiting documents, oldest first, those of each sink on a thread of their own: a
    /// service that takes long holds up no other.
    ///
    /// - Parameter isDue: true to try only documents that are due; false to try all, including
    ///   refused ones.
    /// - Returns: the results, in the order of the documents.
    public func deliver(isDue: Bool) -> [Delivery] {
        DeliveredNotes(store).settleAll(now: now())
        let items = store.items().compactMap(\.item.readable)
        let lines = Dictionary(grouping: items, by: \.sink)
        let found = Mutex<[String: Delivery]>([:])
        let group = DispatchGroup()
        for (sink, line) in lines {
            // Each serial queue has a thread, however many others wait.
            DispatchQueue(label: "copystand.outbox").async(group: group) {
                let deliveries = deliver(line, to: sink, isDue: isDue)
                found.withLock { found in for one in deliveries { found[one.id] = one } }
            }
        }
        group.wait()
        return found.withLock { found in items.compactMap { found[$0.id] } }
    }

    /// Tries the documents of one sink.
    private func deliver(_ items: [OutboxItem], to sink: String, isDue: Bool) -> [Delivery] {
        let isOrdered = sinks.definition(sink)?.isOrdered ?? false
        var deliveries: [Delivery] = []
        for item in items where !stop.isDue {
            let isTried = !isDue || (item.state == .waiting && isDueNow(item))
            let delivery = isTried ? attempt(item) : nil
            if let delivery { deliveries.append(delivery) }
            if case .delivered? = delivery?.outcome { continue }
            // In an ordered sink, a waiting document holds back later ones.
            if isOrdered { break }
        }
        return deliveries
    }

    /// True if an item's wait is over, or was noted by a clock that was far ahead.
    private func isDueNow(_ item: OutboxItem) -> Bool {
        let wait = item.nextTry - now()
        return wait <= 0 || wait > RetryAfter.longest
    }

    /// Tries an item; nil when another process is trying it.
    private func attempt(_ item: OutboxItem) -> Delivery? {
        do {
            return try deliver(item.id)
        } catch  where error.code == .busy {
            return nil
        } catch {
            return Delivery(item, .waits(error.message, until: item.nextTry))
        }
    }

    /// Tries one document now.
    ///
    /// - Throws: ``DeliveryError``: `noSuchItem`; `busy` when another process is doing so;
    ///   `inputOutput` when its note can't be kept.
    public func deliver(_ id: String) throws(DeliveryError) -> Delivery {
        try DeliveredNotes(store).check(id)
        let lock = try store.lock(id)
        defer { withExtendedLifetime(lock) {} }
        var item = try store.item(id)
        if let note = try DeliveredNotes(store).standing(id) {
            // The document was delivered, but the process was killed before it could remove the
            // item.
            DeliveredNotes(store).settle(id)
            store.remove(id)
            return Delivery(item, .delivered(note.receipt))
        }
        guard !stop.isDue else {
            return Delivery(item, .waits(Self.stopped, until: item.nextTry))
        }
        let attempt: DeliveryAttempt
        if let definition = sinks.definition(item.sink) {
            let folder = store.folder(of: id)
            let progress = progress(of: item, in: folder)
            progress.have(item.sentBytes)
            defer { progress.end() }
            let deliverer = try deliverer(for: definition, progress)
            // Counts in an altered record must not overflow.
            item.attempts = max(0, min(item.attempts, 1_000_000)) + 1
            attempt = try deliverer.attempt(&item, in: folder) { (noted) throws(DeliveryError) in
                progress.have(noted.sentBytes)
                try store.save(noted)
            }
        } else {
            attempt = .refused(
                "There is no sink '\(item.sink)' anymore. Add it again, or: copystand outbox drop \(id)"
            )
        }
        let outcome = try conclude(attempt, &item)
        return Delivery(item, outcome)
    }

    private func progress(of item: OutboxItem, in folder: String) -> UploadProgress {
        let onProgress = onUpload.map { onUpload in
            { @Sendable (sent: Int) in
                onUpload(
                    Upload(sink: item.sink, title: item.title, sent: sent, total: item.bytes))
            }
        }
        return UploadProgress(folder: folder, total: item.bytes, onProgress: onProgress)
    }

    private static let stopped = "Copystand was stopped before the delivery was done"

    /// The receipt of an item that was delivered before; nil if it was not, or if its record is
    /// gone or can't be read, which ``deliver(_:)`` then reports.
    func delivered(_ id: String) -> Receipt? {
        let notes = DeliveredNotes(store)
        guard let note = reportedLater({ try notes.standing(id) }) else { return nil }
        notes.settle(id)
        // A process that has the lock is delivering the item, and finds the same record.
        if let lock = reportedLater({ try store.lock(id) }) {
            store.remove(id)
            withExtendedLifetime(lock) {}
        }
        return note.receipt
    }

    private func conclude(
        _ attempt: DeliveryAttempt, _ item: inout OutboxItem
    ) throws(DeliveryError) -> Outcome {
        switch attempt {
        case .delivered(let remote):
            var receipt = Receipt(
                sink: item.sink, locations: remote.locations, pages: item.pages,
                bytes: item.bytes,
                hashes: item.files.count == remote.locations.count
                    ? item.files.map(\.sha256) : nil,
                remoteID: remote.remoteID, fields: item.fields.isEmpty ? nil : item.fields,
                notes: remote.notes.isEmpty ? nil : remote.notes)
            if let job = item.job {
                let notes = DeliveredNotes(store)
                try notes.write(
                    .init(
                        receipt: receipt, job: job, made: now(), archive: item.archive,
                        files: remote.files, user: item.user), item.id)
                notes.settle(item.id)
            } else if let failure = keep(receipt, of: item) {
                receipt.notes = (receipt.notes ?? []) + [failure]
            }
            store.remove(item.id)
            return .delivered(receipt)
        case .underway(let seconds, let words):
            return try waits(words, for: seconds, &item)
        case .later where stop.isDue:
            // The sink did nothing wrong, so this does not count as a try, and the next is due
            // immediately.
            item.attempts -= 1
            return try waits(Self.stopped, for: 0, &item)
        case .later(let words, let asked):
            let delay = Backoff.delay(attempts: item.attempts, asked: asked, random: random())
            return try waits(words, for: delay, &item)
        case .refused(let words):
            item.state = .refused
            item.problem = words
            try store.save(item)
            return .refused(words)
        }
    }

    /// Notes the delivery of an archived document in its archive.
    ///
    /// - Returns: why that is impossible, in words for people; nil if it is done, or if there is
    ///   nothing to note.
    private func keep(_ receipt: Receipt, of item: OutboxItem) -> String? {
        guard let archive = item.archive, let document = item.document else { return nil }
        do {
            try Archive.open(archive, .readWrite)
                .used(by: item.user?.seeingAll ?? .ofThisProcess)
                .keep(receipt.kept(made: now()), of: DocumentID(rawValue: document))
        } catch  where error.code != .noSuchDocument {
            return "The archive has no record of this delivery: \(error.message)"
        } catch {
            // The document is gone by now.
        }
        return nil
    }

    private func waits(
        _ words: String, for seconds: Double, _ item: inout OutboxItem
    ) throws(DeliveryError) -> Outcome {
        item.state = .waiting
        item.problem = words
        item.nextTry = now() + seconds
        try store.save(item)
        return .waits(words, until: item.nextTry)
    }

    /// Describes, in words for people, whether a sink can be reached and accepts the credentials.
    ///
    /// - Throws: ``DeliveryError``: `invalidOption` for an invalid setting, `unreachable`.
    public func test(_ definition: SinkDefinition) throws(DeliveryError) -> String {
        try definition.check()
        return try deliverer(for: definition).test()
    }

    private func deliverer(
        for definition: SinkDefinition, _ progress: UploadProgress? = nil
    ) throws(DeliveryError) -> any Deliverer {
        try definition.kind.deliverer(
            definition,
            DeliveryTools(
                client: progress.map { NotingClient(client: client, progress: $0) } ?? client,
                now: now, wait: wait, stop: stop, connections: connections, progress: progress,
                replaceToken: { [sinks] (old, new) throws(DeliveryError) in
                    try Self.replace(old, with: new, in: sinks)
                }))
    }

    private static func replace(
        _ token: String, with new: String, in sinks: SinkRegistry
    ) throws(DeliveryError) {
        var sinks = sinks
        do {
            try sinks.change { $0.replace(token: token, with: new) }
        } catch let error as UserFileError {
            throw DeliveryError(error)
        } catch {
            throw error as? DeliveryError ?? DeliveryError(.inputOutput, "\(error)")
        }
    }
}
