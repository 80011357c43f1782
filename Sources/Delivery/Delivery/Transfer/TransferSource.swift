import CCurl
import Glibc

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
    private let file: UnsafeMutablePointer<FILE>

    /// Opens a file.
    ///
    /// - Throws: ``DeliveryError`` `inputOutput`.
    init(_ path: String) throws(DeliveryError) {
        var status = stat()
        guard let file = fopen(path, "rbe") else {
            throw DeliveryError.disk(errno, "read", path, in: "")
        }
        self.file = file
        length = fstat(fileno(file), &status) == 0 ? Int(status.st_size) : 0
    }

    deinit { fclose(file) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        isUntouched = false
        let count = fread(buffer.baseAddress, 1, buffer.count, file)
        return count == 0 && ferror(file) != 0 ? Int(CURL_READFUNC_ABORT) : count
    }
}

/// Bytes in memory.
final class BytesSource: TransferSource {
    private var rest: ArraySlice<UInt8>
    let length: Int
    var isUntouched: Bool { rest.count == length }

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
        length = bytes.count
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = rest.prefix(buffer.count)
        rest = rest.dropFirst(part.count)
        buffer.copyBytes(from: part)
        return part.count
    }
}
