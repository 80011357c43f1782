import Archive
import Documents
import Glibc

/// Tasks of a process that uses an archive along with other processes.
enum Work {
    /// Adds documents, and prints the number of each after it is in the archive.
    static func add(_ folder: String, documents: String, pages: String, seed: String) throws {
        let archive = try openedArchive(folder)
        var generator = GeneratedPages(seed: UInt64(seed) ?? 0)
        for number in 0..<(Int(documents) ?? 0) {
            let addition = try archive.begin(
                DocumentInfo(title: "Document \(number)", created: Double(number)))
            for _ in 0..<(Int(pages) ?? 0) { try addition.add(generator.next(image: nil)) }
            tell("\(try addition.finish())")
        }
    }

    /// Runs random operations: adds, changes, undoes, splits, merges, searches, deletes, compacts.
    ///
    /// If other processes have changed a document, the archive may refuse an operation with one of
    /// the expected errors, and no other.
    static func mix(_ folder: String, steps: String, seed: String) throws {
        let archive = try Archive(folder: folder, .create)
        var generator = GeneratedPages(seed: UInt64(seed) ?? 0)
        var random = SplitMix(state: (UInt64(seed) ?? 0) &+ 77)
        for step in 0..<(Int(steps) ?? 0) {
            do {
                try one(archive, Int.random(in: 0..<12, using: &random), &generator, &random)
            } catch let error as ArchiveError
                where [.refused, .noSuchDocument].contains(error.code)
                || (error.code == .busy && error.message.contains("adding"))
            {
                continue
            }
            tell("\(step)")
        }
    }

    private static func one(
        _ archive: Archive, _ kind: Int, _ generator: inout GeneratedPages,
        _ random: inout SplitMix
    ) throws {
        guard let id = try archive.documents().randomElement(using: &random)?.id, kind > 2 else {
            let addition = try archive.begin(DocumentInfo(title: "Mixed", created: 0))
            for _ in 0..<3 { try addition.add(generator.next(image: nil)) }
            _ = try addition.finish()
            return
        }
        let review = try archive.document(id, withText: false).review
        guard let page = review.pages.randomElement(using: &random)?.id else { return }
        switch kind {
        case 3: try archive.perform([.rotate(pages: [page], by: .clockwise90)], on: id)
        case 4: try archive.perform([.select(pages: [page]), .deleteSelected], on: id)
        case 5: try archive.undo(id)
        case 6: try archive.redo(id)
        case 7: _ = try archive.split(id, after: page)
        case 8:
            if let other = try archive.documents().randomElement(using: &random)?.id {
                try archive.merge(id, with: other)
            }
        case 9: try archive.trash(id)
        case 10: _ = try archive.compact()
        default: _ = try archive.search("half")
        }
    }

    /// Writes a line at once.
    private static func tell(_ line: String) {
        print(line)
        fflush(nil)
    }
}

/// Opens the archive at the address of a database, with its images in a folder, or that in a
/// folder, which is made if there is none.
func openedArchive(_ place: String) throws(ArchiveError) -> Archive {
    guard Archive.isShared(place) else { return try Archive(folder: place, .create) }
    return try Archive(database: place, .readWrite) { settings throws(ArchiveError) in
        throw ArchiveError(.refused, "The images are in '\(settings.place)', not in a folder.")
    }
}
