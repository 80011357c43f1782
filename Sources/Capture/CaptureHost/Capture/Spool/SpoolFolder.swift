import CPosix
import CaptureKit
import Glibc
import GuardedFiles
import Synchronization
import UserFiles

/// The folder in which a job's pages are kept, and the number its next page gets.
///
/// A finished page is `page-0001.raw`, with `page-0001.jpg` or the like next to it if the page came
/// with an encoded original. An unfinished page ends in `.part`; see ``takeUp()`` for what happens
/// to it when no capture is running.
public struct SpoolFolder: Codable, Hashable, Sendable {
    /// The folder's path; it must exist.
    public var path: String
    /// The number of the first page of the next capture, at least 1; several captures may share a
    /// folder.
    public var firstNumber: Int
    /// False for pages that no later process needs: they have no notes, and nothing waits until
    /// they are on the disk.
    public var isKept = true

    private enum CodingKeys: CodingKey { case path, firstNumber }

    /// The folder at `path`, in which captured pages are numbered from `firstNumber`.
    public init(path: String, firstNumber: Int = 1, isKept: Bool = true) {
        self.path = path
        self.firstNumber = firstNumber
        self.isKept = isKept
    }

    func pagePath(_ number: Int, _ ending: String) -> String {
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
        return "\(path)/page-\(zeros)\(digits).\(ending)"
    }

    /// Syncs renamed files to the disk (`fsync` on the folder).
    func sync() throws {
        guard isKept else { return }
        try spooling { () throws(GuardedFileError) in try folder().sync() }
    }

    /// The open folder.
    func folder() throws(GuardedFileError) -> GuardedFolder { try GuardedFolder.folder(at: path) }
}

/// A file of the spool while it is written; it gets its final name once it is complete and on the
/// disk.
final class SpoolFile: Sendable {
    let descriptor: OwnedDescriptor
    private let part: String
    private let path: String
    /// The number of bytes that the system has begun to write to the disk.
    private let begun = Mutex(0)
    private let placed = Mutex(false)
    /// The minimum amount to write at once, 4 MiB: the disk starts soon, and writes long
    /// stretches.
    private static let stretch = 4 << 20

    /// Makes `path.part`, and reserves `size` bytes on the disk.
    init(path: String, size: Int) throws {
        let part = path + ".part"
        (self.path, self.part) = (path, part)
        let made = try spooling(part) { () throws(GuardedFileError) in
            let (folder, name) = try GuardedFolder.above(part)
            try folder.checkFile(name)
            return try folder.create(name)
        }
        descriptor = OwnedDescriptor(made)
        if size > 0 && !(SpoolFile.hasRoom(made, size) && cposix_reserve(made, off_t(size)) == 0) {
            let failure = SpoolFile.failure(
                "'\(part)' can't be sized to \(size) bytes", in: part, needed: size)
            discard()
            throw failure
        }
    }

    /// The file that a killed process had begun.
    init(unfinished path: String) throws {
        let part = path + ".part"
        (self.path, self.part) = (path, part)
        let opened = try spooling { () throws(GuardedFileError) in
            try GuardedFolder.openFile(at: part, O_RDWR)
        }
        descriptor = OwnedDescriptor(opened.descriptor)
    }

    /// True if the disk has `size` bytes free; else sets `errno`.
    ///
    /// The check comes before reserving, because reserving too much would fill the disk for every
    /// process for a moment.
    private static func hasRoom(_ file: Int32, _ size: Int) -> Bool {
        var information = statvfs()
        guard fstatvfs(file, &information) == 0 else { return true }
        let (free, overflow) = UInt64(information.f_bavail)
            .multipliedReportingOverflow(by: UInt64(information.f_frsize))
        if overflow || free >= UInt64(size) { return true }
        errno = ENOSPC
        return false
    }

    /// Writes all of `bytes` at `offset` (`pwrite`).
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        let rest = writeWhole(bytes, to: descriptor.raw, at: offset)
        guard rest == 0 else {
            throw SpoolFile.failure("'\(part)' can't be written", in: part, needed: rest)
        }
    }

    /// Writes `count` zeros at the start.
    func writeZeros(count: Int) throws {
        try [UInt8](repeating: 0, count: count).withUnsafeBytes { try write($0, at: 0) }
    }

    /// Starts to write the first `count` bytes to the disk, so that the final sync has little left
    /// to do.
    ///
    /// This may wait for a busy disk. A failure is ignored, because the sync will report it.
    func beginWriting(upTo count: Int) {
        let (start, end) = begun.withLock { begun in
            let (start, end) = (begun, count / Self.stretch * Self.stretch)
            begun = max(begun, end)
            return (start, end)
        }
        if end > start {
            _ = cposix_begin_writing(descriptor.raw, off_t(start), off_t(end - start))
        }
    }

    /// The file's size in bytes.
    func size() throws -> Int {
        var information = stat()
        guard fstat(descriptor.raw, &information) == 0 else {
            throw SpoolFile.failure("'\(part)' can't be examined")
        }
        return Int(information.st_size)
    }

    /// Cuts the file to `size` bytes, syncs it to the disk and gives it its final name, which must
    /// be unused.
    ///
    /// - Parameters:
    ///   - modified: the file's new modification time; nil for the current time.
    ///   - isKept: false for a file that is never synced.
    func complete(size: Int, modified: FileTime? = nil, isKept: Bool = true) throws {
        guard cut(to: size), modified?.set(on: descriptor.raw) ?? true,
            !isKept || fsync(descriptor.raw) == 0
        else {
            throw SpoolFile.failure("'\(part)' can't be synced")
        }
        guard cposix_rename_new(part, path) == 0 else {
            throw SpoolFile.failure("'\(part)' can't be renamed to '\(path)'")
        }
        placed.withLock { $0 = true }
    }

    /// Cuts the file if it is longer than `size`; sets `errno` on failure.
    ///
    /// Even with nothing to cut, `ftruncate` would wait for the last block to be on the disk.
    private func cut(to size: Int) -> Bool {
        var information = stat()
        guard fstat(descriptor.raw, &information) == 0 else { return false }
        return information.st_size == size || ftruncate(descriptor.raw, off_t(size)) == 0
    }

    /// True if the file has its final name.
    var isComplete: Bool { placed.withLock { $0 } }

    /// Does the same as ``complete(size:modified:)``, but replaces a file that has the final name.
    func replace(size: Int, modified: FileTime) throws {
        guard cut(to: size), modified.set(on: descriptor.raw), fsync(descriptor.raw) == 0
        else { throw SpoolFile.failure("'\(part)' can't be synced") }
        try spooling { () throws(GuardedFileError) in
            let (folder, name) = try GuardedFolder.above(path)
            try folder.rename(name + ".part", replacing: name)
        }
    }

    /// Deletes the unfinished file.
    func discard() { GuardedFolder.removeFile(at: part) }

    /// The error for a failure, according to `errno`; for a disk that can't be written with its
    /// free space.
    ///
    /// - Parameters:
    ///   - file: the file that can't be written; nil when reading failed.
    ///   - needed: the bytes that should have been written; nil if unknown.
    static func failure(_ what: String, in file: String? = nil, needed: Int? = nil) -> HostError {
        let number = errno
        let folder = file.map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) } ?? ""
        guard let refusal = DiskRefusal(number, at: folder, needed: needed), !folder.isEmpty else {
            return HostError(
                number == ENOSPC || number == EDQUOT ? .noSpace : .spoolFailed,
                "\(what): \(systemMessage(number))")
        }
        return HostError(
            refusal.reason == .full ? .noSpace : .spoolFailed,
            "the spool folder '\(folder)' can't be written: \(refusal.cause)",
            advice:
                "Free space on its disk, or name another folder in COPYSTAND_SPOOL, then try again. Pages that were captured before are kept: copystand jobs"
        )
    }
}

/// Writes all of `bytes` at `offset` of a file (`pwrite`).
///
/// - Returns: the bytes that could not be written; `errno` has the reason.
func writeWhole(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int) -> Int {
    var done = 0
    while done < bytes.count {
        let count = CaptureKit.retryingInterrupts {
            pwrite(
                descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                off_t(offset + done))
        }
        guard count > 0 else { break }
        done += count
    }
    return bytes.count - done
}
