/// Memory for pixels between the driver and the host.
///
/// `@unchecked Sendable`: SANE's thread fills the buffer. Then the capturing task reads it, after
/// waiting for the thread, so they never use it at the same time.
final class ScanBuffer: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) { bytes = .allocate(byteCount: count, alignment: 64) }

    deinit { bytes.deallocate() }

    /// The first `count` bytes.
    func prefix(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[..<count])
    }
}
