import CCurl
import Glibc
import GuardedFiles

/// The bytes to send, for a transfer that requests them piece by piece.
protocol TransferSource: AnyObject {
    /// The number of bytes.
    var length: Int { get }
    /// True as long as nothing was read.
    var isUntouched: Bool { get }
    /// Copies the next bytes; 0 at the end, `CURL_READFUNC_ABORT` when they can't be read.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
}

/// An unchanged file.
final class FileSource: TransferSource {
    let length: Int
    private(set) var isUntouched = true
    private let file: CInt

    /// Opens a file.
    ///
    /// - Throws: ``DeliveryError`` `inputOutput`.
    init(_ path: String) throws(DeliveryError) {
        do throws(GuardedFileError) {
            let (file, status) = try GuardedFolder.openFile(at: path)
            (self.file, length) = (file, Int(status.st_size))
        } catch { throw DeliveryError(error, "read") }
    }

    deinit { close(file) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        isUntouched = false
        let count = retryingInterrupts { Glibc.read(file, buffer.baseAddress, buffer.count) }
        return count < 0 ? Int(CURL_READFUNC_ABORT) : count
    }
}
