public import Archive
import Glibc

extension Archive {
    /// Writes an imported file as it was, byte for byte; an existing file is never replaced.
    ///
    /// - Returns: its path, the next free one when a file of that name has appeared.
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
