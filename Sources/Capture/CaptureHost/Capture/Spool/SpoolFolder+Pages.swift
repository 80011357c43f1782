import FileNames
import CaptureKit
import FoundationEssentials
import Glibc

// A page's note, `page-0001.json`, lets another process continue with the page: it is written
// before the page gets its final name.
extension SpoolFolder {
    /// The contents of a page's note.
    struct Note: Codable, Equatable {
        var description: FrameDescription
        var original: CapturedPage.StoredOriginal?
        var corners: PageCorners?
        /// The unused bytes of the page's file before its first row; nil for none.
        var room: Int?
        /// The modification time of the page's file, as the spool has set it; nil in notes of an
        /// older version.
        var modified: FileTime?
        /// The path of the file with the page's own text; nil for none.
        var text: String?
        /// The document and page that the page shows; nil for none.
        var source: CapturedPage.Source?
    }

    /// The finished pages in the folder, in order, for example those of an interrupted job.
    ///
    /// - Throws: ``HostError`` `spoolFailed` when the folder or a page's note can't be read, naming
    ///   it.
    public func pages() throws -> [CapturedPage] {
        return try pageNumbers().map { number in
            let note = try readNote(number)
            try checkUntouched(number, note)
            return CapturedPage(
                number: number, description: note.description, pixels: pagePath(number, "raw"),
                room: note.room ?? 0, original: note.original, text: note.text, source: note.source,
                corners: note.corners)
        }
    }

    /// The numbers of the finished pages, in order, taken only from the names of their files.
    ///
    /// A page counts even if its note can't be read.
    ///
    /// - Throws: ``HostError`` `spoolFailed` when the folder can't be read.
    public func pageNumbers() throws -> [Int] {
        try pageFiles().compactMap { name in
            name.hasSuffix(".raw") ? Int(name.dropFirst(5).dropLast(4)) : nil
        }.sorted()
    }

    /// Checks that no one has changed a page's file which a sink delivered as it is, under a second
    /// name.
    private func checkUntouched(_ number: Int, _ note: Note) throws {
        let place = pagePath(number, "raw")
        var status = stat()
        guard let modified = note.modified, stat(place, &status) == 0, status.st_nlink > 1,
            FileTime(status) != modified
        else { return }
        throw HostError(
            .spoolFailed,
            "page \(number)'s '\(place)' was delivered as it is, and has been changed there since",
            advice:
                "Its document is where it was delivered. 'copystand jobs' says how many pages of the job were never delivered"
        )
    }

    /// Gives a page its own file again if a sink delivered the page's file as it is.
    ///
    /// Otherwise a change to one would change the other.
    ///
    /// Needed for jobs that stay after their delivery.
    ///
    /// Blocks: call it on a thread of its own.
    ///
    /// - Throws: ``HostError`` `noSpace` or `spoolFailed`; every page is intact then, but some
    ///   still share their files.
    public func separatePages() throws {
        for name in try pageFiles() where name.hasSuffix(".raw") {
            var status = stat()
            let place = path + "/" + name
            if stat(place, &status) == 0, status.st_nlink > 1 { try separate(place, status) }
        }
    }

    private func separate(_ place: String, _ status: stat) throws {
        let raw = open(place, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { throw SpoolFile.failure("'\(place)' can't be opened") }
        let source = OwnedDescriptor(raw)
        let copy = try SpoolFile(path: place, size: Int(status.st_size))
        do {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
            defer { buffer.deallocate() }
            var done = 0
            while true {
                let count = retryingInterrupts {
                    pread(source.raw, buffer.baseAddress, buffer.count, off_t(done))
                }
                guard count >= 0 else { throw SpoolFile.failure("'\(place)' can't be read") }
                if count == 0 { break }
                try copy.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: done)
                done += count
            }
            try copy.replace(size: done, modified: FileTime(status))
        } catch {
            copy.discard()
            throw error
        }
        try sync()
    }

    /// Deletes what an interrupted capture left of a page that it did not finish.
    ///
    /// - Throws: ``HostError`` `spoolFailed` when the folder can't be read.
    func removeUnfinished() throws {
        let files = try pageFiles()
        let finished = Set(files.filter { $0.hasSuffix(".raw") }.map { $0.dropLast(4) })
        for name in files
        where !finished.contains(name.prefix { $0 != "." }) || name.hasSuffix(".part")
            || name.hasSuffix(".arrived")
        {
            unlink(path + "/" + name)
        }
    }

    /// The names of all files that belong to pages.
    func pageFiles() throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { $0.hasPrefix("page-") }
        } catch {
            throw HostError(.spoolFailed, "the spool folder '\(path)' can't be read: \(error)")
        }
    }

    /// The path of the note for a page's file `page-0001.raw`.
    static func notePath(ofPixels path: String) -> String { String(path.dropLast(4)) + ".json" }

    /// Writes a page's note, synced.
    func writeNote(_ number: Int, _ note: Note) throws {
        let bytes = try JSONEncoder().encode(note)
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
            guard (0...CapturedPage.mostRoom).contains(note.room ?? 0) else {
                throw HostError(.spoolFailed, "the place of its pixels is missing")
            }
            return note
        } catch {
            throw HostError(
                .spoolFailed, "the note '\(place)' of a page can't be read: \(jsonFault(error))")
        }
    }
}
