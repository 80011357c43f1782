import CaptureHost
import Delivery
import FileNames
import FoundationEssentials
import Glibc
import Synchronization

/// The record of a job in its folder, written before the first page is captured and with every
/// change after that.
struct JobRecord: Codable, Sendable {
    /// The order, without secrets.
    var order: ScanOrder
    /// The devices it captures from, as `<backend>:<id>`.
    var devices: [String]
    /// True when the pages can be read again from where they came from (files), so that they do not
    /// stay in the spool.
    var isRereadable: Bool
    /// True when its pages come from files; nil in a record of an older version.
    var readsFiles: Bool?
    /// True for a recording that was watched, which is not read again; nil for anything else.
    var isRecording: Bool?
    /// The number of the first page that was read again from its file; nil if none was.
    var rereadFrom: Int?
    /// The folder that relative outputs refer to; nil in a record of an older version.
    var folder: String?
    /// When it began, in seconds since 1970; nil in a record of an older version.
    var begun: Double?
    /// How many pages its document had when every output and sink had it; nil before.
    var deliveredPages: Int?
    /// The captures, in order; nil in a record of an older version.
    var runs: [CaptureRun]?
    /// What has been delivered, by the output as requested.
    var deliveries: [String: StoredDelivery]?
    /// Where its documents are, as far as that can be checked; nil before the first is delivered.
    var places: [DeliveredPlace]?
    /// The places of the archives whose servers did not answer when everything else was done; nil
    /// for none.
    var awaitedArchives: [String]?
    /// Why the capture ended early and where it continues; nil while it runs, and after a crash of
    /// the host.
    var interruption: Interruption?
    /// How many blank pages were left out of the delivered files; nil for none.
    var blankPages: Int?

    /// How many sheets between documents were left out of the delivered documents; nil for none.
    var asidePages: Int?
    /// What the pages of a split stack were found to be, as far as its documents are delivered; nil
    /// for none.
    var split: SplitJournal?

    /// The states of an output.
    struct StoredDelivery: Codable, Sendable {
        /// The files as they were left.
        var left: [DeliveredFile] = []
        /// The files as they were about to be left.
        var placing: [DeliveredFile] = []
        /// The document's number, where it went into the archive; of use for lists only, since the
        /// archive knows the job.
        var document: String?

        /// Notes the files that are about to take the document's place.
        ///
        /// Those that a killed process was about to leave may be there, and this process may be
        /// killed before it takes their place.
        mutating func announce(_ files: [DeliveredFile], isStanding: ([DeliveredFile]) -> Bool) {
            if !placing.isEmpty, isStanding(placing) { left = placing }
            placing = files
        }
    }

    static let fileName = "job.json"

    /// The record of a job that begins, in the current folder.
    init(_ order: ScanOrder, _ devices: [String], isRereadable: Bool, at begun: Date) {
        self.begun = begun.timeIntervalSince1970
        self.order = order
        self.devices = devices
        self.isRereadable = isRereadable
        folder = FileNames.currentFolder
        runs = [CaptureRun(first: 1, side: order.collates ? .fronts : .asTheyCome)]
    }

    /// True when its pages can be read from files, its own included.
    var isOfFiles: Bool { readsFiles ?? isRereadable }

    /// The device that gave a page of that label: if there are several files, the one with that
    /// name.
    func device(of label: String?) -> String {
        let named = devices.first { device in
            label.map { $0 == device.lastComponent || $0.hasPrefix(device.lastComponent + ", ") }
                ?? false
        }
        return named ?? devices.first ?? "spool"
    }

    /// How many captures it has begun.
    var captureCount: Int { runs?.count ?? 1 }

    /// Notes that a capture begins with the page of that number.
    mutating func beginCapture(first: Int, side: CaptureRun.Side) {
        runs = runs ?? [CaptureRun(first: 1, side: .asTheyCome)]
        runs?.append(CaptureRun(first: first, side: side))
    }

    /// The order of the pages in the document.
    func arranged(_ captured: [PageOrder.Captured]) -> PageOrder {
        PageOrder(captured, runs: runs ?? [CaptureRun(first: 1, side: .asTheyCome)])
    }

    /// An output as a path that means the same in every folder.
    func path(of output: String) -> String {
        guard !output.hasPrefix("/"), !ArchiveSink.isMeant(by: output), let folder,
            folder != FileNames.currentFolder
        else { return output }
        return folder + "/" + output
    }

    /// Sends the document to another place than requested; earlier deliveries no longer count.
    mutating func send(to outputs: [String]) {
        order.outputs = outputs
        folder = FileNames.currentFolder
        deliveries = nil
        places = nil
        deliveredPages = nil
    }

    /// Gives the order the passwords of its PDF again.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` when it needs some and gets none.
    mutating func unlock(with protection: PDFProtection?) throws(DeliveryError) {
        if let protection { order.pdf.protection = protection }
        _ = try order.pdf.options()
    }

    /// Replaces the record: completely and on the disk, or not at all.
    func write(to folder: String) throws(JobError) {
        let path = folder + "/" + Self.fileName
        let bytes: Data
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            var record = self
            record.order = order.withoutSecrets
            bytes = try encoder.encode(record)
        } catch {
            throw .spool(folder, error)
        }
        guard written(bytes, to: path + ".part"), rename(path + ".part", path) == 0,
            synced(folder)
        else { throw .spool(folder, String(cString: strerror(errno))) }
    }

    /// A number that no job writes.
    private struct ImpossibleNumber: Error, CustomStringConvertible {
        let description: String
    }

    /// Refuses impossible numbers of pages and sheets, so that later code need not check them.
    private func checkNumbers() throws(ImpossibleNumber) {
        let most = 0...1_000_000
        let numbers: [(name: String, value: Int?)] =
            [
                ("deliveredPages", deliveredPages), ("rereadFrom", rereadFrom),
                ("blankPages", blankPages), ("asidePages", asidePages),
                ("interruption.next.sheet", interruption?.next?.sheet),
            ] + (runs ?? []).map { ("runs.first", $0.first) }
            + (places ?? []).map { ("places.pages", $0.pages) }
        for (name, value) in numbers {
            guard let value, !most.contains(value) else { continue }
            throw ImpossibleNumber(description: "\(name) is \(value), and not within 0…1000000")
        }
    }

    static func read(from folder: String) throws(JobError) -> JobRecord {
        do {
            let data = try Data(contentsOf: URL(filePath: folder + "/" + fileName))
            let record = try JSONDecoder().decode(JobRecord.self, from: data)
            try record.checkNumbers()
            return record
        } catch {
            throw JobError(
                .orderDamaged,
                "The order in \(folder)/\(fileName) can't be read: \(jsonFault(error)). Its pages are untouched. "
                    + "Deliver them as they are with: copystand jobs resume \(folder.lastComponent) -o FILE"
            )
        }
    }
}

/// Replaces a file and syncs it; on failure `errno` says why.
private func written(_ bytes: Data, to path: String) -> Bool {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return fsync(file) == 0
}

/// Syncs the names in a folder; on failure `errno` says why.
private func synced(_ folder: String) -> Bool {
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return fsync(file) == 0
}

/// The record of a job that this process works on, kept in step with the disk.
final class JobLedger: Sendable {
    private let folder: String
    private let state: Mutex<JobRecord>

    /// A ledger that continues with `record`, which is not written yet.
    init(_ record: JobRecord, in folder: String) {
        self.folder = folder
        state = Mutex(record)
    }

    /// The record as it is now.
    var record: JobRecord { state.withLock { $0 } }

    /// Writes the record of a new job, which no one changes before that is done; it can be read
    /// meanwhile.
    func begin() throws(JobError) { try record.write(to: folder) }

    /// Changes the record, on the disk first.
    func update(_ change: (inout JobRecord) -> Void) throws(JobError) {
        try state.withLock { (record) throws(JobError) in
            var changed = record
            change(&changed)
            try changed.write(to: folder)
            record = changed
        }
    }
}

extension String {
    /// What follows the last slash.
    var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
