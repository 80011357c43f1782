import CaptureHost
import Delivery
import FileNames
import FoundationEssentials
import GuardedFiles
import JobOptions
import Synchronization

/// The record of a job in its folder, written before the first page is captured and after every
/// change.
struct JobRecord: Codable, Sendable {
    /// The order, without passwords.
    var order: ScanOrder
    /// The devices to capture from, as `<backend>:<id>`.
    var devices: [String]
    /// True when the pages can be read again from their files, so that they need not stay in the
    /// spool.
    var isRereadable: Bool
    /// True when the pages come from files; nil in a record of an older version.
    var readsFiles: Bool?
    /// True for a recording that was watched, which can't be read again; nil otherwise.
    var isRecording: Bool?
    /// The number of the first page that was read again from its file; nil for none.
    var rereadFrom: Int?
    /// The folder that relative outputs refer to; nil in a record of an older version.
    var folder: String?
    /// The time when the job began, in seconds since 1970; nil in a record of an older version.
    var begun: Double?
    /// The number of pages in the document when every output and sink had it; nil before that.
    var deliveredPages: Int?
    /// The captures, in order; nil in a record of an older version.
    var runs: [CaptureRun]?
    /// The deliveries to outputs, by the requested output.
    var deliveries: [String: StoredDelivery]?
    /// The places of the documents that can be checked later; nil before the first delivery.
    var places: [DeliveredPlace]?
    /// The places of the archives whose servers did not answer when everything else was delivered;
    /// nil for none.
    var awaitedArchives: [String]?
    /// The reason why the capture ended early, and the place where it continues; nil while it runs,
    /// and after a crash of the host.
    var interruption: Interruption?
    /// The number of blank pages that the delivered files leave out; nil for none.
    var blankPages: Int?

    /// The number of sheets between documents that the delivered documents leave out; nil for none.
    var asidePages: Int?
    /// The roles of the pages of a split stack whose documents are delivered; nil for none.
    var split: SplitJournal?

    /// The files of an output.
    struct StoredDelivery: Codable, Sendable {
        /// The delivered files.
        var left: [DeliveredFile] = []
        /// The files that were about to be delivered.
        var placing: [DeliveredFile] = []
        /// The document's number in the archive; only for lists, because the archive itself knows
        /// the job.
        var document: String?

        /// Records the files that are about to replace the document's.
        ///
        /// Files that a killed process was about to deliver may exist, and this process may be
        /// killed before it replaces them.
        mutating func announce(_ files: [DeliveredFile], isStanding: ([DeliveredFile]) -> Bool) {
            if !placing.isEmpty, isStanding(placing) { left = placing }
            placing = files
        }
    }

    static let fileName = "job.json"
    /// The maximum size of a record in bytes: 256 MiB.
    private static let mostBytes = 256 << 20

    /// The record of a new job in the current folder.
    init(_ order: ScanOrder, _ devices: [String], isRereadable: Bool, at begun: Date) {
        self.begun = begun.timeIntervalSince1970
        self.order = order
        self.devices = devices
        self.isRereadable = isRereadable
        folder = FileNames.currentFolder
        runs = [CaptureRun(first: 1, side: order.options[.collates] ? .fronts : .asTheyCome)]
    }

    /// True when the job's pages can be read from files, including its own.
    var isOfFiles: Bool { readsFiles ?? isRereadable }

    /// The device of a page with that label: among several files, the one with that name.
    func device(of label: String?) -> String {
        let named = devices.first { device in
            label.map { $0 == device.lastComponent || $0.hasPrefix(device.lastComponent + ", ") }
                ?? false
        }
        return named ?? devices.first ?? "spool"
    }

    /// The number of captures that the job has begun.
    var captureCount: Int { runs?.count ?? 1 }

    /// Records that a capture begins with the page of that number.
    mutating func beginCapture(first: Int, side: CaptureRun.Side) {
        runs = runs ?? [CaptureRun(first: 1, side: .asTheyCome)]
        runs?.append(CaptureRun(first: first, side: side))
    }

    /// The order of the pages in the document.
    func arranged(_ captured: [PageOrder.Captured]) -> PageOrder {
        PageOrder(captured, runs: runs ?? [CaptureRun(first: 1, side: .asTheyCome)])
    }

    /// An output as a path with the same meaning in every folder.
    func path(of output: String) -> String {
        guard !output.hasPrefix("/"), !ArchiveSink.isMeant(by: output), let folder,
            folder != FileNames.currentFolder
        else { return output }
        return folder + "/" + output
    }

    /// Sends the document to places other than before; earlier deliveries no longer count.
    mutating func send(to outputs: [String]) {
        order.outputs = outputs
        folder = FileNames.currentFolder
        deliveries = nil
        places = nil
        deliveredPages = nil
    }

    /// Adds the passwords of the PDF to the order again.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` when passwords are needed and missing.
    mutating func unlock(with protection: PDFProtection?) throws(DeliveryError) {
        if let protection { order.pdf.protection = protection }
        _ = try order.pdf.options()
    }

    /// Replaces the record completely and syncs it, or leaves the old one.
    func write(to folder: String) throws(JobError) {
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
        do throws(GuardedFileError) {
            try GuardedFolder.folder(at: folder)
                .replace(Self.fileName, with: Array(bytes), isDurable: true)
        } catch { throw .spool(folder, error) }
    }

    /// A number that no job can have.
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
            let bytes = try GuardedFolder.folder(at: folder).read(fileName, atMost: mostBytes)
            let record = try JSONDecoder().decode(JobRecord.self, from: Data(bytes))
            try record.checkNumbers()
            return record
        } catch let error as GuardedFileError where error.number == 0 {
            throw JobError(.orderDamaged, error.message)
        } catch {
            let fault = (error as? GuardedFileError)?.reason ?? jsonFault(error)
            throw JobError(
                .orderDamaged,
                "The order in \(folder)/\(fileName) can't be read: \(fault). Its pages are untouched. "
                    + "Deliver them as they are with: copystand jobs resume \(folder.lastComponent) -o FILE"
            )
        }
    }
}

/// The record of a job that this process works on, in memory and on the disk.
final class JobLedger: Sendable {
    private let folder: String
    private let state: Mutex<JobRecord>

    /// A ledger that begins with `record`, which is not written yet.
    init(_ record: JobRecord, in folder: String) {
        self.folder = folder
        state = Mutex(record)
    }

    /// The present record.
    var record: JobRecord { state.withLock { $0 } }

    /// Writes the record of a new job; until then, other code may only read it.
    func begin() throws(JobError) { try record.write(to: folder) }

    /// Changes the record, on the disk first and then in memory.
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
    /// The text after the last slash.
    var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
