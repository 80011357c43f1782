/// Memory for pixels between the driver and the host.
///
/// `@unchecked Sendable`: it is filled on SANE's thread and then read by the capturing task, which
/// first waits for the thread, so the two never use it at the same time.
final class ScanBuffer: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) { bytes = .allocate(byteCount: count, alignment: 64) }

    deinit { bytes.deallocate() }

    /// The first `count` bytes.
    func prefix(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[..<count])
    }
}
