import CPosix
import CaptureKit
import Glibc

/// A file in memory that is lent to the backend for a frame, filled with a pattern, so that
/// unwritten bytes can be detected.
final class GivenFile {
    /// The name under which the system lists such files.
    static let name = "copystand-check"

    let descriptor: OwnedDescriptor
    /// The byte at which row 0 begins.
    let offset: Int
    /// The number of bytes after `offset` when the file was given to the backend.
    let size: Int

    /// - Parameters:
    ///   - size: the number of the frame's bytes; 0 for a frame whose height is not known yet.
    ///   - offset: the number of bytes before the frame's.
    init(size: Int, offset: Int) throws {
        let raw = cposix_memory_file(GivenFile.name)
        guard raw >= 0 else { throw NotApplicable("no memory for a frame: \(systemMessage())") }
        descriptor = OwnedDescriptor(raw)
        self.size = size
        self.offset = offset
        try write(at: 0, count: offset + size)
    }

    /// The present size of the file in bytes.
    var length: Int {
        var about = stat()
        return fstat(descriptor.raw, &about) == 0 ? Int(about.st_size) : 0
    }

    /// Some bytes of the frame; fewer if the file ends before.
    func bytes(at place: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            let start = off_t(offset + place)
            filled = max(0, pread(descriptor.raw, buffer.baseAddress, buffer.count, start))
        }
    }

    /// True when these bytes are still the pattern.
    func isUntouched(at start: Int, count: Int) -> Bool {
        guard count > 0 else { return true }
        var bytes = [UInt8](repeating: 0, count: count)
        guard pread(descriptor.raw, &bytes, count, off_t(start)) == count else { return false }
        var wanted = [UInt8](repeating: 0, count: count)
        wanted.withUnsafeMutableBytes { GivenFile.fill($0, at: start) }
        return bytes == wanted
    }

    /// Fills a part of the file with the pattern.
    func write(at start: Int, count: Int) throws {
        var place = start
        while place < start + count {
            let piece = min(GivenFile.pattern.count, start + count - place)
            var bytes = [UInt8](repeating: 0, count: piece)
            bytes.withUnsafeMutableBytes { GivenFile.fill($0, at: place) }
            guard pwrite(descriptor.raw, bytes, piece, off_t(place)) == piece else {
                throw NotApplicable("no memory for a frame: \(systemMessage())")
            }
            place += piece
        }
    }

    /// Noise whose length is not a multiple of a row's length, so that no two rows are alike.
    private static let pattern: [UInt8] = {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<65_521).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }()

    private static func fill(_ bytes: UnsafeMutableRawBufferPointer, at start: Int) {
        pattern.withUnsafeBytes { pattern in
            var done = 0
            while done < bytes.count {
                let from = (start + done) % pattern.count
                let piece = min(pattern.count - from, bytes.count - done)
                let source = UnsafeRawBufferPointer(rebasing: pattern[from..<from + piece])
                UnsafeMutableRawBufferPointer(rebasing: bytes[done..<done + piece])
                    .copyMemory(from: source)
                done += piece
            }
        }
    }
}
