import CaptureKit
import Glibc

// Finds out whether a backend has written the last row of a page's file. The file's size does not
// show this: it is right from the start.
extension OpenFrame {
    /// Marks the end of the last row, before the backend gets the file.
    func markEnd() throws {
        guard case .page(let file) = storage, let place = end else { return }
        try Self.mark.withUnsafeBytes {
            try file.write(
                UnsafeRawBufferPointer(rebasing: $0[..<place.count]), at: place.lowerBound)
        }
    }

    /// False while the mark is still there.
    var isEndWritten: Bool {
        guard case .page(let file) = storage, let place = end else { return true }
        var bytes = [UInt8](repeating: 0, count: place.count)
        let count = pread(file.descriptor.raw, &bytes, bytes.count, off_t(place.lowerBound))
        return count != bytes.count || bytes != Array(Self.mark[..<place.count])
    }

    /// The last bytes of the last row's pixels.
    ///
    /// Nil if the height is unknown, or if they are so few that a picture could equal the mark by
    /// chance.
    private var end: Range<Int>? {
        guard !isInline, let height = description.height else { return nil }
        let end = room + description.leastBytes(rows: height)
        let count = min(Self.mark.count, description.format.minimumStride(width: description.width))
        return count >= 8 ? end - count..<end : nil
    }

    /// Random bytes, which no picture contains by chance.
    private static let mark: [UInt8] = [
        0x9C, 0x1E, 0x65, 0xF3, 0x0B, 0xA8, 0x47, 0xD2, 0x36, 0xE9, 0x70, 0x8D, 0xC5, 0x14, 0xBA,
        0x5F,
    ]
}
