import FileNames
import CaptureKit
import FoundationEssentials
import Glibc
import GuardedFiles

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
                room: note.room ?? 0,
                original: note.original.map {
                    .init(path: own($0.path), mediaType: $0.mediaType)
                }, text: note.text.map(own),
                source: note.source.map {
                    .init(path: own($0.path), page: $0.page, area: $0.area)
                }, corners: note.corners)
        }
    }

    /// The path of a file of a page that a note names: every such file is in this folder.
    func own(_ file: String) -> String {
        path + "/" + (file.split(separator: "/").last.map(String.init) ?? "")
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

    /// Checks that no one has changed a page's file that a sink delivered unchanged, under a second
    /// name.
    private func checkUntouched(_ number: Int, _ note: Note) throws {
        let place = pagePath(number, "raw")
        guard let modified = note.modified, let status = GuardedFolder.status(at: place),
            status.st_nlink > 1, FileTime(status) != modified
        else { return }
        throw HostError(
            .spoolFailed,
            "page \(number)'s '\(place)' was delivered as it is, and has been changed there since",
            advice:
                "Its document is where it was delivered. 'copystand jobs' shows how many pages of the job were never delivered"
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
            let place = path + "/" + name
            if GuardedFolder.status(at: place).map({ $0.st_nlink > 1 }) ?? false {
                try separate(place)
            }
        }
    }

    private func separate(_ place: String) throws {
        let (descriptor, status) = try spooling { () throws(GuardedFileError) in
            try GuardedFolder.openFile(at: place)
        }
        let source = OwnedDescriptor(descriptor)
        let copy = try SpoolFile(path: place, size: Int(status.st_size))
        do {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
            defer { buffer.deallocate() }
            var done = 0
            while true {
                let count = CaptureKit.retryingInterrupts {
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
            GuardedFolder.removeFile(at: path + "/" + name)
        }
    }

    /// The names of all files that belong to pages.
    func pageFiles() throws -> [String] {
        try spooling { () throws(GuardedFileError) in try folder().names() }
            .filter { $0.hasPrefix("page-") }
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

    /// The maximum size of a note in bytes: 16 MiB.
    static let mostNoteBytes = 16 << 20

    private func readNote(_ number: Int) throws -> Note {
        let place = pagePath(number, "json")
        let bytes = try spooling { () throws(GuardedFileError) in
            try GuardedFolder.readFile(at: place, atMost: Self.mostNoteBytes)
        }
        do {
            let note = try JSONDecoder().decode(Note.self, from: Data(bytes))
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
