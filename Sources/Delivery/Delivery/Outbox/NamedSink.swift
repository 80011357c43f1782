import Archive
public import Documents
import ExpectedFailures
import FoundationEssentials
import Glibc
import GuardedFiles
import Imaging
import Suggestions
import Synchronization

/// A named sink as a place for one document: the document goes into the outbox, whole and durable,
/// and is then tried once.
///
/// If the delivery fails, the document waits in the outbox: the receipt states this, with the
/// reason.
public struct NamedSink: Sink {
    /// The sink's name in the registry.
    public let name: String
    /// The settings of the document's file.
    public var fileOptions = FileSinkOptions()
    /// True if the document becomes a PDF.
    public var makesPDF: Bool { definition.fileFormat == "pdf" }
    /// The archive's document that is delivered; nil for a new one.
    var archived: ArchivedSource?
    private let definition: SinkDefinition
    private let outbox: Outbox
    /// The recipients instead of the sink's own; nil for the sink's own.
    private let recipient: String?

    /// The sink with this name, which may be written as `KIND:NAME`, with `http` for any kind that
    /// uses HTTP.
    ///
    /// `email:ada@example.org` is the sink of the kind `email`, for that recipient; the recipient
    /// may also be one of the registry's named addresses. Several are separated by commas.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` when the registry has none, it is of another
    ///   kind, or it is invalid.
    public init(_ text: String, in registry: SinkRegistry, outbox: Outbox) throws(DeliveryError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.last ?? "")
        if parts.count > 1, parts[0] == "email", registry.definition(name)?.kind != .email {
            let recipients = try Self.recipients(name, in: registry)
            let sender = try Self.sender(in: registry)
            (definition, recipient, self.name, self.outbox) = (
                sender.1, recipients, sender.0, outbox
            )
            return
        }
        recipient = nil
        // The archive is not in the registry, so its name may have been mistyped.
        if registry.definition(name) == nil,
            !nearestNames(to: name, among: [ArchiveSink.kindName]).isEmpty,
            let hint = didYouMean(name, among: registry.sinks.keys + [ArchiveSink.kindName])
        {
            throw DeliveryError(.invalidOption, "There is no sink called '\(name)'. \(hint)")
        }
        definition = try registry.sink(name)
        let kind = parts.count > 1 ? String(parts[0]) : definition.kind.name
        guard kind == definition.kind.name || (kind == "http" && definition.kind.isWeb)
        else {
            throw DeliveryError(
                .invalidOption,
                "The sink '\(name)' is of the kind '\(definition.kind.name)', not '\(kind)'.")
        }
        try definition.check()
        self.name = name
        self.outbox = outbox
    }

    /// Addresses, and names that stand for some, as addresses.
    private static func recipients(
        _ text: String, in registry: SinkRegistry
    ) throws(DeliveryError) -> String {
        var addresses: [String] = []
        for word in EmailDeliverer.addresses(text) {
            let found = word.contains("@") ? word : try registry.list.address(word)
            addresses += EmailDeliverer.addresses(found)
        }
        guard !addresses.isEmpty else {
            throw DeliveryError(
                .invalidOption, "'email:' names no recipient, such as email:ada@example.org.")
        }
        for address in addresses { try EmailDeliverer.check(address: address) }
        var seen: Set<String> = []
        return addresses.filter { seen.insert($0).inserted }.joined(separator: ",")
    }

    /// The only sink of the kind `email`; among several, the one with that name.
    private static func sender(in registry: SinkRegistry) throws(DeliveryError) -> (
        String, SinkDefinition
    ) {
        let senders = registry.sinks.filter { $0.value.kind == .email }
        guard
            let sender = senders.count == 1
                ? senders.first : senders.first(where: { $0.key == "email" })
        else {
            let known = senders.keys.sorted().joined(separator: ", ")
            throw DeliveryError(
                .invalidOption,
                senders.isEmpty
                    ? "No mail server is known yet. Add one with: copystand sinks add email -k email …"
                    : "Several sinks send e-mail (\(known)), and none is called 'email'. Give one of them that name."
            )
        }
        try sender.value.check()
        return (sender.key, sender.value)
    }

    /// Begins the document in the outbox.
    ///
    /// - Throws: ``DeliveryError`` for failures of the disk.
    public func begin(_ info: DocumentInfo) throws -> any SinkWriter {
        let staging = try OutboxStaging(in: outbox.store, at: info.created)
        let stem = NameTemplate.safe(info.title)
        let path = "\(staging.folder)/\(stem.isEmpty ? "document" : stem).\(definition.fileFormat)"
        let writer = try FileSink(path: path, options: fileOptions).begin(info)
        return NamedSinkWriter(
            sink: name, recipient: recipient, info: info, staging: staging, writer: writer,
            outbox: outbox, archived: archived, largestSide: definition.largestSide,
            showsPages: try FileFormat(path: path).showsPages && definition.largestSide == nil)
    }
}

private final class NamedSinkWriter: SinkWriter {
    private let sink: String
    private let recipient: String?
    private let info: DocumentInfo
    private let outbox: Outbox
    private let archived: ArchivedSource?
    private let writer: any SinkWriter
    private let largestSide: Int?
    private let showsPages: Bool
    private let state: Mutex<State>

    /// `@unchecked Sendable`: the staging is touched under the writer's lock only.
    private struct State: @unchecked Sendable {
        /// The copy on its way to the outbox; nil once the document has arrived or was abandoned.
        var staging: OutboxStaging?
        var text: [String] = []
        /// The names of the pages at their sources, which identify the document.
        var labels: [String] = []
        /// The text of the first barcode; nil for none.
        var barcode: String?
    }

    init(
        sink: String, recipient: String?, info: DocumentInfo, staging: OutboxStaging,
        writer: any SinkWriter,
        outbox: Outbox, archived: ArchivedSource?, largestSide: Int?, showsPages: Bool
    ) {
        self.sink = sink
        self.recipient = recipient
        self.info = info
        self.outbox = outbox
        self.archived = archived
        self.writer = writer
        self.largestSide = largestSide
        self.showsPages = showsPages
        state = Mutex(State(staging: staging))
    }

    func add(_ page: DeliveredPage) throws {
        var page = page
        if let largestSide, largestSide < max(page.image.width, page.image.height) {
            page.image = page.image.thumbnail(longSide: largestSide)
            page.originalJPEG = nil
        }
        try writer.add(page)
        let text = page.page.text?.plainText ?? ""
        let label = page.page.provenance.label ?? ""
        let barcode = page.page.barcodes.first?.text
        state.withLock { state in
            state.text.append(text)
            state.labels.append(label)
            state.barcode = state.barcode ?? barcode
        }
    }

    func note(_ found: DocumentFindings) throws { try writer.note(found) }

    func finish() throws -> Receipt {
        let receipt = try writer.finish()
        let id = try state.withLock { state -> String in
            guard let staging = state.staging else {
                throw DeliveryError(.inputOutput, "The document was given up before.")
            }
            var files: [OutboxItem.File] = []
            for path in receipt.locations {
                let name = String(path.split(separator: "/").last ?? "")
                guard let status = GuardedFolder.status(at: path) else {
                    throw DeliveryError.disk(errno, "read", path, in: "")
                }
                files.append(
                    OutboxItem.File(
                        name: name, mediaType: try FileFormat(path: path).mediaType,
                        bytes: Int(status.st_size),
                        sha256: try fileHash(path)))
            }
            var item = OutboxItem(
                id: staging.id(
                    sink: sink + (recipient.map { "\n" + $0 } ?? ""), job: info.job,
                    pages: state.labels), sink: sink,
                title: info.title, created: info.created, pages: receipt.pages, files: files)
            item.recipient = recipient
            (item.job, item.archive, item.barcode) = (info.job, info.archive, state.barcode)
            item.user = info.user
            if let archived { (item.archive, item.document) = (archived.archive, archived.number) }
            // A resumed job finds the deliveries made before it was killed.
            // If the record can't be read, the delivery that follows reports that.
            let notes = DeliveredNotes(outbox.store)
            guard reportedLater({ try notes.standing(item.id) }) == nil else {
                state.staging = nil
                return item.id
            }
            let text = state.text.joined(separator: "\u{c}")
            item.text = text.isEmpty ? nil : text
            try staging.place(item)
            state.staging = nil
            return item.id
        }
        var outcome = try outcome(of: id, receipt)
        outcome.location = .outbox(
            root: outbox.store.root, item: id, showsPages: showsPages)
        return outcome
    }

    /// Tries the delivery once.
    ///
    /// The document is already safe in the outbox, so a failed delivery is not an error.
    private func outcome(of id: String, _ receipt: Receipt) throws -> Receipt {
        var waiting = Receipt(
            sink: sink, locations: ["outbox:" + id], pages: receipt.pages, bytes: receipt.bytes)
        if let delivered = outbox.delivered(id) { return delivered }
        do {
            switch try outbox.deliver(id).outcome {
            case .delivered(let delivered): return delivered
            case .waits(let words, _): waiting.waiting = .init(words)
            case .refused(let words): waiting.waiting = .init(words, isRefused: true)
            }
        } catch {
            waiting.waiting = .init(error.message)
        }
        return waiting
    }

    func cancel() {
        writer.cancel()
        state.withLock { $0.staging = nil }
    }
}

extension Sink {
    /// The same sink; a named one makes its file with these settings.
    package func making(_ options: FileSinkOptions) -> any Sink {
        guard var named = self as? NamedSink else { return self }
        named.fileOptions = options
        return named
    }

    /// The same sink; a named one keeps the receipt with the archive's document that it delivers.
    func delivering(_ document: DocumentID, of archive: String) -> any Sink {
        guard var named = self as? NamedSink else { return self }
        named.archived = ArchivedSource(archive: archive, number: document.rawValue)
        return named
    }
}

/// The document of an archive that is delivered to a sink.
struct ArchivedSource: Sendable {
    /// The archive's place.
    var archive: String
    /// The document's number.
    var number: Int64
}
