import Archive
import Glibc
import GuardedFiles
import Hashing

/// The SHA-256 (FIPS 180-4) of a file, as 64 lowercase hexadecimal digits.
///
/// - Parameter most: the maximum number of bytes to read; all of them unless given.
/// - Throws: ``DeliveryError`` when the file can't be read.
package func fileHash(_ path: String, first most: Int = .max) throws(DeliveryError) -> String {
    let descriptor = retryingInterrupts { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw .disk(errno, "read", path, in: "") }
    defer { close(descriptor) }
    return try fileHash(descriptor, path, first: most)
}

/// The SHA-256 of the rest of an open file, as 64 lowercase hexadecimal digits.
///
/// - Parameters:
///   - path: the file's path, for messages.
///   - most: the maximum number of bytes to read; all of them unless given.
/// - Throws: ``DeliveryError`` when the file can't be read.
package func fileHash(
    _ descriptor: Int32, _ path: String, first most: Int = .max
) throws(DeliveryError) -> String {
    var hasher = SHA256()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var left = most
    while true {
        let wanted = min(left, buffer.count)
        let count = retryingInterrupts { read(descriptor, buffer.baseAddress, wanted) }
        guard count >= 0 else { throw .disk(errno, "read", path, in: "") }
        if count == 0 { return hasher.hexadecimal() }
        left -= count
        hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
}

/// The SHA-256 (FIPS 180-4) of a text in UTF-8, as 64 lowercase hexadecimal digits.
package func textHash(_ text: String) -> String {
    var hasher = SHA256()
    Array(text.utf8).withUnsafeBytes { hasher.update($0) }
    return hasher.hexadecimal()
}
