import FoundationEssentials

/// An artificial gray photograph: a sheet with known corners on a darker desk.
struct PaperPhoto {
    var width = 640
    var height = 480
    /// Top left, top right, bottom right, bottom left; empty for a desk without a sheet.
    var corners: [(x: Double, y: Double)] = []
    /// The level of the desk without its grain.
    var desk = 60

    /// The pixels, row by row; a dark bar along the sheet's upper edge marks the top.
    var pixels: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let place = (x: Double(x) + 0.5, y: Double(y) + 0.5)
                let grain = (x &* 7919 &+ y &* 104_729) % 11 - 5
                var level = desk + grain
                if depth(of: place, over: 0..<4) > 0 {
                    level = 225 + grain / 3
                    let below = depth(of: place, over: 0..<1)
                    if below > 30, below < 50, depth(of: place, over: 1..<4) > 40 { level = 70 }
                }
                bytes[y * width + x] = UInt8(clamping: level)
            }
        }
        return bytes
    }

    /// The distance to the nearest of the sides in pixels, positive within the sheet.
    private func depth(of place: (x: Double, y: Double), over sides: Range<Int>) -> Double {
        guard corners.count == 4 else { return -1 }
        return sides.map { side -> Double in
            let (a, b) = (corners[side], corners[(side + 1) % 4])
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            return (dx * (place.y - a.y) - dy * (place.x - a.x)) / (dx * dx + dy * dy).squareRoot()
        }.min() ?? -1
    }

    /// The photograph as a PGM file.
    var pgm: [UInt8] { Array("P5 \(width) \(height) 255\n".utf8) + pixels }

    /// Photographs as the pages of one TIFF 6.0 file.
    ///
    /// - Parameters:
    ///   - orientation: Tag 274; 6 means that a quarter turn clockwise makes the picture upright.
    ///   - resolution: Dots per inch across and down; nil for none.
    static func tiff(
        _ photos: [PaperPhoto], orientation: Int = 1, resolution: (x: Int, y: Int)? = nil
    ) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
        func long(_ value: Int) -> [UInt8] { word(value & 0xFFFF) + word(value >> 16) }
        var file: [UInt8] = Array("II".utf8) + word(42) + long(0)
        /// The offset in the file at which the offset of the next directory is stored.
        var link = 4
        for photo in photos {
            let pixels = photo.pixels
            let start = file.count
            file += pixels
            let ratios = file.count
            if let resolution {
                file += long(resolution.x) + long(1) + long(resolution.y) + long(1)
            }
            if !file.count.isMultiple(of: 2) { file.append(0) }
            var entries: [(tag: Int, isLong: Bool, value: Int)] = [
                (256, true, photo.width), (257, true, photo.height), (258, false, 8),
                (259, false, 1), (262, false, 1), (273, true, start), (274, false, orientation),
                (277, false, 1), (278, true, photo.height), (279, true, pixels.count),
            ]
            if resolution != nil {
                entries += [(282, true, ratios), (283, true, ratios + 8), (296, false, 2)]
            }
            file.replaceSubrange(link..<link + 4, with: long(file.count))
            file += word(entries.count)
            for entry in entries {
                let isRatio = entry.tag == 282 || entry.tag == 283
                file += word(entry.tag) + word(isRatio ? 5 : entry.isLong ? 4 : 3) + long(1)
                file += entry.isLong ? long(entry.value) : word(entry.value) + word(0)
            }
            link = file.count
            file += long(0)
        }
        return file
    }
}

extension TemporaryFolder {
    /// Writes a file of any bytes and returns its path.
    func write(_ name: String, bytes: [UInt8]) throws -> String {
        let file = try write(name)
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }
}
