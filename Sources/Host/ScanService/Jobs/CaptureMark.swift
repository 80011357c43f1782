import FoundationEssentials

/// The note that a job's capture ended normally, and not because the host was killed.
///
/// It is not synced. A power cut may lose it, and the pile then counts as unfinished, which loses
/// nothing.
struct CaptureMark: Codable, Equatable {
    /// The captures there were by then: one that is begun later makes the note void.
    var captures: Int
    /// The pages that had been captured by then.
    var pages: Int

    private static let fileName = "captured"

    /// Writes the note; a failure has the effect of a power cut.
    func write(to folder: String) {
        try? JSONEncoder().encode(self).write(to: URL(filePath: folder + "/" + Self.fileName))
    }

    /// The note in a job's folder, if it matches the job's record.
    static func read(from folder: String, for record: JobRecord) -> CaptureMark? {
        guard let data = try? Data(contentsOf: URL(filePath: folder + "/" + fileName)),
            let mark = try? JSONDecoder().decode(CaptureMark.self, from: data),
            mark.captures == record.captureCount
        else { return nil }
        return mark
    }
}
