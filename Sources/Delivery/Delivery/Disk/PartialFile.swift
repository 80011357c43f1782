import ExpectedFailures
import FileNames
import Glibc
import GuardedFiles
import UserFiles

/// A file that is written under a temporary name, and is removed unless it gets its final name.
final class PartialFile {
    let folder: OutputFolder
    /// The final name, for messages.
    let intendedName: String
    /// The number of bytes in the file so far, including those still in memory.
    private(set) var count = 0

    private var temporaryName: String
    private(set) var descriptor: Int32
    /// True if the file is one of the spool, and has a name there as well.
    private(set) var isLinked = false
    private var finalName: String?
    /// The temporary name of the file that this one has replaced.
    private var replacedName: String?
    /// The identity of the file; nil until it is sealed.
    private var sealed: DeliveredFile?
    private var waiting: [UInt8] = []
    /// Bytes that the system has begun to write to the disk.
    private var begun = 0
    /// The number of bytes that the system starts to write at once: see `beginWriting`.
    private static let stretch = 8 << 20

    /// Creates the file in the folder, under a name of ``WorkName``.
    init(_ name: String, in folder: OutputFolder) throws(DeliveryError) {
        self.folder = folder
        intendedName = name
        (temporaryName, descriptor) = try createTemporary(for: name, in: folder)
        PartialFiles.note(self, folder.descriptor, temporaryName)
    }

    deinit {
        PartialFiles.forget(self)
        if descriptor >= 0 { close(descriptor) }
        if finalName == nil { unlinkat(folder.descriptor, temporaryName, 0) }
    }

    /// Continues with another, complete file in the folder instead of the first one.
    func become(linked name: String, _ other: Int32, count: Int) {
        close(descriptor)
        unlinkat(folder.descriptor, temporaryName, 0)
        (temporaryName, descriptor, isLinked) = (name, other, true)
        PartialFiles.note(self, folder.descriptor, temporaryName)
        self.count = count
    }

    /// Adds bytes at the end.
    func append(_ bytes: UnsafeRawBufferPointer) throws(DeliveryError) {
        if waiting.count + bytes.count > 1 << 16 { try flush() }
        if bytes.count > 1 << 16 {
            try put(bytes, at: count)
        } else {
            waiting.append(contentsOf: bytes)
        }
        count += bytes.count
    }

    /// Adds bytes at the end.
    func append(_ bytes: [UInt8]) throws(DeliveryError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(DeliveryError) in
            try append(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Adds text as UTF-8 at the end.
    func append(_ text: String) throws(DeliveryError) {
        try append(Array(text.utf8))
    }

    /// Adds the bytes of another file at the end.
    func append(contentsOf path: String) throws(DeliveryError) {
        let source = try reading { () throws(GuardedFileError) in
            try GuardedFolder.openFile(at: path).descriptor
        }
        defer { close(source) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = retryingInterrupts { Glibc.read(source, buffer.baseAddress, buffer.count) }
            guard count >= 0 else { throw .disk(errno, "read", path, in: "") }
            if count == 0 { return }
            try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Writes bytes at a place, for writers that go back.
    ///
    /// Such a writer does not append.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DeliveryError) {
        try put(bytes, at: offset)
        count = max(count, offset + bytes.count)
    }

    /// Reads bytes from a place.
    ///
    /// - Returns: the number of bytes that were read; −1 on failure.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        retryingInterrupts { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// Writes the bytes that are still in memory.
    private func flush() throws(DeliveryError) {
        guard !waiting.isEmpty else { return }
        let start = count - waiting.count
        defer { waiting.removeAll(keepingCapacity: true) }
        try waiting.withUnsafeBufferPointer { (bytes) throws(DeliveryError) in
            try put(UnsafeRawBufferPointer(bytes), at: start)
        }
    }

    private func put(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DeliveryError) {
        try writeAll(bytes, at: offset, to: descriptor, disk: folder.disk) {
            .disk($0, "write", intendedName, in: folder.path, written: count)
        }
        beginWriting(upTo: offset + bytes.count)
    }

    /// Starts to write the present bytes to the disk, so that the final sync has little left to do.
    ///
    /// The sync reports a failure.
    private func beginWriting(upTo end: Int) {
        let whole = end / Self.stretch * Self.stretch
        guard whole > begun else { return }
        _ = folder.disk.beginWriting(descriptor, begun, whole - begun)
        begun = whole
    }

    /// Makes the bytes durable, and closes the file.
    ///
    /// The file keeps its temporary name until it is placed.
    func seal() throws(DeliveryError) {
        guard descriptor >= 0 else { return }
        try flush()
        guard retryingInterrupts({ folder.disk.sync(descriptor) }) == 0 else {
            throw .disk(errno, "write", intendedName, in: folder.path, written: count)
        }
        var status = stat()
        if fstat(descriptor, &status) == 0 { sealed = DeliveredFile(name: temporaryName, status) }
        // Network file systems report a failed write as late as here.
        let closed = close(descriptor)
        let number = errno
        descriptor = -1
        if closed != 0 && number != EINTR {
            throw .disk(number, "write", intendedName, in: folder.path, written: count)
        }
    }

    /// Gives the file a final name, if that is free.
    func place(as name: String) throws(DeliveryError) -> Bool {
        guard try folder.place(temporaryName, as: name) else { return false }
        finalName = name
        return true
    }

    /// Gives the file its final name, replacing our own file with that name (`renameat`).
    func replace(_ name: String) throws(DeliveryError) {
        do throws(GuardedFileError) {
            try GuardedFolder(folder.path.isEmpty ? "." : folder.path).checkFile(name)
        } catch { throw DeliveryError(error, "write") }
        guard renameat(folder.descriptor, temporaryName, folder.descriptor, name) == 0 else {
            throw .disk(errno, "write", name, in: folder.path)
        }
        finalName = name
    }

    /// Replaces a file of an earlier delivery, if its state is unchanged.
    func place(insteadOf earlier: DeliveredFile) throws(DeliveryError) -> Bool {
        let aside = temporaryName + ".replaced"
        // After this, the replaced file may have the temporary name.
        PartialFiles.forget(self)
        guard
            let old = try folder.exchange(temporaryName, with: earlier, aside: aside)
        else { return false }
        finalName = earlier.name
        replacedName = old
        return true
    }

    /// Removes the file that this one has replaced.
    func dropReplaced() {
        if let replacedName { unlinkat(folder.descriptor, replacedName, 0) }
        replacedName = nil
    }

    /// The file's identity with the name `name`; nil before it is sealed.
    func delivered(as name: String) -> DeliveredFile? {
        var file = sealed
        file?.name = name
        return file
    }

    /// Removes the final name again, when another file of the same document could not be placed; a
    /// replaced file is put back.
    func withdraw() {
        guard let name = finalName else { return }
        if let old = replacedName {
            if old == temporaryName {
                guard folder.disk.exchange(folder.descriptor, temporaryName, name) == 0 else {
                    return
                }
            } else {
                guard renameat(folder.descriptor, name, folder.descriptor, temporaryName) == 0,
                    ifSupported({ try folder.place(old, as: name) }) == true
                else { return }
            }
            (finalName, replacedName) = (nil, nil)
            return
        }
        if renameat(folder.descriptor, name, folder.descriptor, temporaryName) == 0 {
            finalName = nil
        }
    }
}

/// Writes all bytes, in as many calls as it takes.
func writeAll(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, to descriptor: Int32, disk: Disk,
    failure: (Int32) -> DeliveryError
) throws(DeliveryError) {
    let number = writeAll(bytes) { disk.write(descriptor, $0, offset + $1) }
    if number != 0 { throw failure(number) }
}

/// Creates an empty file under a name nobody else has.
func createTemporary(
    for name: String, in folder: OutputFolder
) throws(DeliveryError) -> (name: String, descriptor: Int32) {
    folder.removeLeftovers()
    for _ in 0..<100 {
        let temporary = WorkName.new(for: name)
        let descriptor = retryingInterrupts { folder.disk.create(folder.descriptor, temporary) }
        if descriptor >= 0 {
            // While the lock is held, nobody mistakes the file for a leftover.
            flock(descriptor, LOCK_SH | LOCK_NB)
            return (temporary, descriptor)
        }
        guard errno == EEXIST else { throw .disk(errno, "write", name, in: folder.path) }
    }
    throw .disk(EEXIST, "write", name, in: folder.path)
}
