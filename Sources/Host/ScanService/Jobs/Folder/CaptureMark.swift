import ExpectedFailures
import FoundationEssentials
import GuardedFiles

/// A note that a job's capture ended normally, and not because the host was killed.
///
/// The note is not synced. A power cut may lose it; the stack then counts as unfinished, and no
/// page is lost.
struct CaptureMark: Codable, Equatable {
    /// The number of captures so far; a later capture makes the note invalid.
    var captures: Int
    /// The number of captured pages so far.
    var pages: Int

    private static let fileName = "captured"

    /// Writes the note; a failure is harmless, like a power cut.
    func write(to folder: String) {
        asHint {
            let bytes = try JSONEncoder().encode(self)
            let folder = try GuardedFolder.folder(at: folder)
            folder.discard(Self.fileName)
            try folder.write(Array(bytes), new: Self.fileName)
        }
    }

    /// The note in a job's folder, if it matches the job's record.
    static func read(from folder: String, for record: JobRecord) -> CaptureMark? {
        let mark = asHint {
            let bytes = try GuardedFolder.folder(at: folder).read(fileName, atMost: 1000)
            return try JSONDecoder().decode(CaptureMark.self, from: Data(bytes))
        }
        return mark?.captures == record.captureCount ? mark : nil
    }
}
