import CNettle
import Glibc

/// The SHA-256 (FIPS 180-4) of a file, with nettle's `sha256_update`, as 64 hexadecimal digits in small letters.
///
/// - Throws: ``DeliveryError`` when the file can't be read.
func fileHash(_ path: String) throws(DeliveryError) -> String {
    let descriptor = retryingInterrupts { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .disk(errno, "read", path, in: "") }
    defer { close(descriptor) }
    var context = sha256_ctx()
    nettle_sha256_init(&context)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while true {
        let count = retryingInterrupts { read(descriptor, buffer.baseAddress, buffer.count) }
        guard count >= 0 else { throw .disk(errno, "read", path, in: "") }
        if count == 0 { break }
        nettle_sha256_update(
            &context, count, buffer.assumingMemoryBound(to: UInt8.self).baseAddress)
    }
    return hexadecimal(&context)
}

/// The SHA-256 of bytes, in the same form.
func bytesHash(_ bytes: [UInt8]) -> String {
    var context = sha256_ctx()
    nettle_sha256_init(&context)
    nettle_sha256_update(&context, bytes.count, bytes)
    return hexadecimal(&context)
}

private func hexadecimal(_ context: inout sha256_ctx) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    nettle_sha256_digest(&context, digest.count, &digest)
    let digits = Array("0123456789abcdef".utf8)
    return String(
        decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
