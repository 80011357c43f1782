import FoundationEssentials

/// What a job's folder says of the job, written before the first page is captured.
struct JobRecord: Codable, Sendable {
    /// What was ordered, without secrets.
    var order: ScanOrder
    /// The devices it captures from, as `<backend>:<id>`.
    var devices: [String]
    /// True when the pages can be read again from where they came from (files), so that they do not stay in the spool.
    var isRereadable: Bool

    static let fileName = "job.json"

    func write(to folder: String) throws(JobError) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            var record = self
            record.order = order.withoutSecrets
            try encoder.encode(record).write(
                to: URL(filePath: folder + "/" + Self.fileName), options: .atomic)
        } catch {
            throw .spool(folder, error)
        }
    }

    static func read(from folder: String) throws(JobError) -> JobRecord {
        do {
            let data = try Data(contentsOf: URL(filePath: folder + "/" + fileName))
            return try JSONDecoder().decode(JobRecord.self, from: data)
        } catch {
            throw JobError(
                .orderDamaged,
                "The order in \(folder)/\(fileName) can't be read: \(error). Its pages are untouched; "
                    + "discard it with: copystand jobs discard \(folder.lastComponent)")
        }
    }
}

extension String {
    /// What follows the last slash.
    var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
