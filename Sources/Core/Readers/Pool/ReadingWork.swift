import Imaging
import Recognition

/// The expected time for a picture.
enum ReadingWork {
    /// Work of a fraction of a second, for which a step waits before the page can be read.
    case short
    /// A page to be read, with the number of strokes that its rows cross.
    case page(strokes: Int)

    var isShort: Bool {
        if case .short = self { true } else { false }
    }

    /// 0 for short work.
    var strokes: Int {
        if case .page(let strokes) = self { strokes } else { 0 }
    }
}

extension HelperRows {
    /// The number of strokes' edges that every sixteenth row crosses: the time to read a page grows
    /// with it.
    var strokes: Int {
        var count = 0
        var row = [UInt8](repeating: 0, count: image.stride)
        for y in stride(from: 0, to: image.height, by: 16) {
            copy(y, to: &row)
            count +=
                image.format == .bilevel ? Self.changes(inBits: row) : Self.changes(inLevels: row)
        }
        return count
    }

    private static func changes(inBits row: [UInt8]) -> Int {
        var count = 0
        var before: UInt8 = 0
        for byte in row {
            count += (byte ^ (byte >> 1 | before << 7)).nonzeroBitCount
            before = byte
        }
        return count
    }

    /// A stroke's edge is a few pixels wide, and at least a quarter of the range of levels.
    private static func changes(inLevels row: [UInt8]) -> Int {
        row.withUnsafeBufferPointer { row in
            var count = 0
            var isDark = false
            for x in stride(from: 3, to: row.count, by: 1) {
                let gap = Int(row[x]) - Int(row[x - 3])
                if isDark ? gap > 64 : gap < -64 {
                    isDark.toggle()
                    count += 1
                }
            }
            return count
        }
    }
}
