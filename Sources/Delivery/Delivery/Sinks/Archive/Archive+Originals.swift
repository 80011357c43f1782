public import Archive
import Glibc
import GuardedFiles

extension Archive {
    /// Writes an imported file in its original form, byte for byte; an existing file is never
    /// replaced.
    ///
    /// - Returns: the path, which is the next unused one if a file with that name has appeared.
    /// - Throws: ``ArchiveError`` `damaged`, ``DeliveryError``.
    public func write(_ original: KeptOriginal, to path: String) throws -> String {
        let (descriptor, _) = try openImage(original.file)
        defer { close(descriptor) }
        let file = try NewFile(path: path)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = retryingInterrupts { read(descriptor, buffer.baseAddress, buffer.count) }
            guard count >= 0 else { throw DeliveryError.disk(errno, "read", path, in: "") }
            if count == 0 { break }
            try file.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        guard file.count == original.bytes else {
            throw DeliveryError(
                .inputOutput, "'\(path)' was not written: its original changed while it was read.")
        }
        return try file.finish()
    }
}
