public import Archive
import CaptureHost
import Delivery
import FileNames
import FoundationEssentials
import JobOptions
import Processing
import Recognition
public import WorkQueue

/// The order for a worker: all it needs besides the pages of a left job.
struct LeftOrder: Codable, Sendable {
    /// The job's record on its station.
    var record: JobRecord
    /// The profile's name.
    var profile: String
    /// The profile with the order's changes, as its file would be.
    var definition: String

    /// What only the station needs, such as its folders, is left out: others read the database.
    init(_ record: JobRecord, _ profile: Profile) throws {
        self.record = record
        self.record.order = record.order.withoutSecrets
        self.record.order.outputs = []
        self.record.order.profile = PlaceNames.name(of: record.order.profile)
        self.record.folder = nil
        (self.record.deliveries, self.record.places) = (nil, nil)
        self.record.awaitedArchives = nil
        self.profile = PlaceNames.name(of: profile.name)
        definition = try profile.json()
    }

    /// The order as JSON.
    func text() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }
}

// Leaving captured pages to workers, and processing pages left by others.
extension ScanService {
    /// The sink that leaves a job's pages to workers, if the order asks for that.
    ///
    /// - Parameter profile: the profile with the order's changes.
    func leavingSink(_ ledger: JobLedger, _ profile: Profile) -> LeavingSink? {
        let record = ledger.record
        guard !record.isOfFiles, let place = record.order.leavingPlace else { return nil }
        return LeavingSink(place: place, urgency: record.order.urgency) {
            try LeftOrder(ledger.record, profile).text()
        }
    }

    /// Processes a job that a station left to workers, and adds its documents to the archive.
    ///
    /// Documents are added only while the claim holds. Each transaction with a document checks the
    /// claim, and the last one also ends the job.
    ///
    /// - Parameters:
    ///   - job: the claimed job's pages.
    ///   - archive: the archive that it was left in.
    ///   - onEvent: gets the progress.
    /// - Returns: the outcome; its failures explain why nothing was added.
    /// - Throws: the reason why a page could not be processed; its document was then not added.
    public func process(
        _ job: LeftJob, of archive: Archive, as claim: ClaimedJob, control: ScanControl,
        onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) async throws -> ScanOutcome {
        guard JobID.isValid(job.name) else {
            throw JobError(.orderDamaged, "'\(job.name)' is not the name of a job.")
        }
        let left: LeftOrder
        do {
            left = try JSONDecoder().decode(LeftOrder.self, from: Data(job.order.utf8))
        } catch {
            throw JobError(
                .orderDamaged,
                "The order of the left job '\(job.name)' can't be read: \(jsonFault(error)).")
        }
        var profile = try ProfileLibrary.profile(Data(left.definition.utf8))
        profile.name = left.profile
        try Self.requireLanguages(profile)
        try prewarm(profile)
        var record = left.record
        record.order.outputs = [ArchiveSink(folder: archive.place).name]
        record.order.sinks = []
        record.order.options[.processing] = .here
        record.order.explanation = nil
        (record.isRereadable, record.readsFiles, record.rereadFrom) = (false, nil, nil)
        (record.deliveries, record.places, record.awaitedArchives) = (nil, nil, nil)
        let spool = try TemporarySpool()
        let path = spool.path + "/" + job.name
        try makePrivateFolder(path)
        let folder = try JobFolder(path: path)
        let outcome = try await run(
            LeftFeed(job.pages, of: archive, in: spool.path, window: holding.most + 2), profile,
            ledger: JobLedger(record, in: path), folder: folder, control: control,
            onEvent: onEvent, claim: claim)
        if outcome.failures.isEmpty, !record.order.options[.splitAt].isEmpty {
            try archive.complete(claim)
        }
        withExtendedLifetime(spool) {}
        return outcome
    }

    /// Refuses a profile whose languages this machine lacks: another worker may have them, and
    /// pages without text would not be read again.
    private static func requireLanguages(_ profile: Profile) throws(RecognitionError) {
        guard let text = profile.text, [nil, "auto", "tesseract"].contains(text.reader) else {
            return
        }
        try TessdataFolder.require(text.languages)
    }
}
