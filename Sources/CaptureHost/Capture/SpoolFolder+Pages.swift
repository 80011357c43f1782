import CaptureKit
import FoundationEssentials
import Glibc

// A page's note, `page-0001.json`, lets another process take the page up: it is written before the page gets its final name.
extension SpoolFolder {
    /// What a page's note says.
    private struct Note: Codable {
        var description: FrameDescription
        var original: CapturedPage.StoredOriginal?
        var corners: PageCorners?
    }

    /// The finished pages in the folder, in order, such as an interrupted job left them.
    ///
    /// - Throws: ``HostError`` `spoolFailed` when the folder or a page's note can't be read, naming it.
    public func pages() throws -> [CapturedPage] {
        let numbers = try pageFiles().compactMap { name in
            name.hasSuffix(".raw") ? Int(name.dropFirst(5).dropLast(4)) : nil
        }
        return try numbers.sorted().map { number in
            let note = try readNote(number)
            return CapturedPage(
                number: number, description: note.description, pixels: pagePath(number, "raw"),
                original: note.original, corners: note.corners)
        }
    }

    /// Deletes what an interrupted capture left of a page that it did not finish.
    ///
    /// - Throws: ``HostError`` `spoolFailed` when the folder can't be read.
    public func removeUnfinished() throws {
        let files = try pageFiles()
        let finished = Set(files.filter { $0.hasSuffix(".raw") }.map { $0.dropLast(4) })
        for name in files
        where !finished.contains(name.prefix { $0 != "." }) || name.hasSuffix(".part") {
            unlink(path + "/" + name)
        }
    }

    /// The names of all files that belong to pages.
    private func pageFiles() throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { $0.hasPrefix("page-") }
        } catch {
            throw HostError(.spoolFailed, "the spool folder '\(path)' can't be read: \(error)")
        }
    }

    /// The note that belongs to a page's file `page-0001.raw`.
    static func notePath(ofPixels path: String) -> String { String(path.dropLast(4)) + ".json" }

    /// Writes a page's note, synced.
    func writeNote(
        _ number: Int, _ description: FrameDescription, _ original: CapturedPage.StoredOriginal?,
        _ corners: PageCorners? = nil
    ) throws {
        let bytes = try JSONEncoder().encode(
            Note(description: description, original: original, corners: corners))
        let file = try SpoolFile(path: pagePath(number, "json"), size: 0)
        do {
            try bytes.withUnsafeBytes { try file.write($0, at: 0) }
            try file.complete(size: bytes.count)
        } catch {
            file.discard()
            throw error
        }
    }

    private func readNote(_ number: Int) throws -> Note {
        let place = pagePath(number, "json")
        do {
            let note = try JSONDecoder().decode(
                Note.self, from: try Data(contentsOf: URL(filePath: place)))
            if let fault = note.description.impossibility { throw HostError(.spoolFailed, fault) }
            guard note.description.height != nil else { throw HostError(.spoolFailed, "no height") }
            return note
        } catch {
            throw HostError(.spoolFailed, "the note '\(place)' of a page can't be read: \(error)")
        }
    }
}
