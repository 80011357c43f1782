import CaptureKit

// Compares a page with its encoded original.
extension SeenFrame {
    /// The mistake in the picture that was sent with a page; nil for none.
    ///
    /// Decoders differ by a few tones. A picture counts as different when more than a
    /// fiftieth of the pixels differ by a fifth of the way from black to white.
    func fault(of original: [UInt8], _ form: FrameDescription, _ rows: Int) -> String? {
        guard original.starts(with: [0xFF, 0xD8]) else {
            return "\(original.count) bytes of something else with \(name)"
        }
        // A picture that was kept only in part can't be decoded.
        if let bytes = self.original, bytes > original.count { return nil }
        guard let picture = JPEGPicture(original) else {
            return "\(original.count) bytes with \(name) that can't be decoded"
        }
        guard picture.width == form.width, picture.height == rows else {
            return
                "a picture of \(picture.width) × \(picture.height) pixels with \(name) of \(form.width) × \(rows)"
        }
        if picture.tones.isEmpty { return nil }
        let (differing, seen) = compare(picture, form, rows)
        guard seen > 0, differing * 50 > seen else { return nil }
        return "another picture with \(name): \(differing * 100 / seen) % of its pixels differ"
    }

    /// Counts different pixels among those that are compared: at most 256 rows with 1,024 pixels
    /// each.
    private func compare(
        _ picture: JPEGPicture, _ form: FrameDescription, _ rows: Int
    ) -> (differing: Int, seen: Int) {
        let wide = form.format.minimumStride(width: form.width)
        var (differing, seen) = (0, 0)
        let (down, across) = (max(1, rows / 256), max(1, form.width / 1_024))
        for row in stride(from: 0, to: rows, by: down) {
            let bytes = pixels(at: row * form.stride, count: wide)
            // Not all inline pixels may have been kept.
            guard bytes.count == wide else { break }
            for column in stride(from: 0, to: form.width, by: across) {
                guard let tone = form.format.tone(of: column, in: bytes) else { return (0, 0) }
                let other = Int(picture.tones[row * form.width + column])
                if abs(tone - other) > 51 { differing += 1 }
                seen += 1
            }
        }
        return (differing, seen)
    }
}

extension FrameFormat {
    /// The tone of a pixel, 0 for black to 255, by the weights of ITU-R BT.601; nil for a format
    /// that pages do not have.
    fileprivate func tone(of column: Int, in row: [UInt8]) -> Int? {
        func weighed(_ red: Int, _ next: Int) -> Int {
            let (green, blue) = (red + next, red + 2 * next)
            return (Int(row[red]) * 299 + Int(row[green]) * 587 + Int(row[blue]) * 114) / 1_000
        }
        switch self {
        case .bilevel: return row[column / 8] >> UInt8(7 - column % 8) & 1 == 1 ? 0 : 255
        case .gray8: return Int(row[column])
        // The higher byte of little-endian samples.
        case .gray16: return Int(row[2 * column + 1])
        case .rgb8: return weighed(3 * column, 1)
        case .rgb16: return weighed(6 * column + 1, 2)
        default: return nil
        }
    }
}
