import Glibc

/// Writes all bytes at a file's place.
///
/// - Returns: 0, or the number of the error (errno(3)), which `errno` also has.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32 {
    writeAll(bytes) { rest, _ in write(file, rest.baseAddress, rest.count) }
}

/// Writes all bytes, in as many calls as it takes.
///
/// - Parameter write: writes bytes as `write(2)` does; also gets their offset among all bytes.
/// - Returns: 0, or the number of the error; `ENOSPC` when a call writes nothing.
package func writeAll(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer, _ offset: Int) -> Int
) -> Int32 {
    var done = 0
    while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = retryingInterrupts { write(rest, done) }
        if count <= 0 { return count == 0 ? ENOSPC : errno }
        done += count
    }
    return 0
}

/// Passes a file to `body` piece by piece, until it returns an error number; the descriptor's own
/// position does not change.
///
/// - Returns: that number, or the one of a failed `pread(2)`; 0 for none.
package func eachPiece(of file: Int32, _ body: (UnsafeRawBufferPointer) -> Int32) -> Int32 {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
        let count = retryingInterrupts {
            pread(file, buffer.baseAddress, buffer.count, off_t(offset))
        }
        if count <= 0 { return count == 0 ? 0 : errno }
        let failure = body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        guard failure == 0 else { return failure }
        offset += count
    }
}

/// Repeats a system call that a signal interrupted.
func retryingInterrupts<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
