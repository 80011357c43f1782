import Glibc

/// Memory for a page or a file, from `calloc(3)`, so that a shortage is an error and not a trap.
///
/// Unchecked because only the thread that made the memory fills it, before any other reads it.
final class PixelBuffer: @unchecked Sendable {
    /// The bytes, for filling them.
    let mutableBytes: UnsafeMutableRawBufferPointer

    /// The bytes.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(mutableBytes) }

    /// Zeroed memory of `byteCount` bytes.
    init(byteCount: Int) throws(DecodeFault) {
        guard let memory = calloc(max(byteCount, 1), 1) else { throw .outOfMemory(byteCount) }
        mutableBytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    }

    /// The bytes of row `y`, where all rows are `length` bytes long.
    func row(_ y: Int, length: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: mutableBytes[(y * length)..<((y + 1) * length)])
    }

    /// Calls `body` with the bytes, which live as long as the call.
    func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(DecodeFault) -> Result
    ) throws(DecodeFault) -> Result {
        // The memory is freed with the last reference, which may be released before its bytes are
        // read.
        defer { withExtendedLifetime(self) {} }
        return try body(bytes)
    }

    deinit { free(mutableBytes.baseAddress) }
}
