import CPDFReader
import CaptureKit

extension PDFPage {
    /// The page's own text in the pixels of a picture of it; nil when it has none that can be read.
    ///
    /// - Parameters:
    ///   - area: the part of the page that the picture shows, in points.
    ///   - width: pixels in a row.
    ///   - height: rows.
    ///   - scans: the parts of the page that pictures take, in points.
    func text(
        on area: cpdfr_box, width: Int, height: Int, scans: [cpdfr_box]
    ) -> FrameText? {
        let words = words()
        guard Self.isReadable(words) else { return nil }
        let x = Double(width) / (area.x1 - area.x0)
        let y = Double(height) / (area.y1 - area.y0)
        var placed = words.prefix(FrameText.mostWords).compactMap { word in
            FrameText.Word(
                word, left: (word.box.x0 - area.x0) * x, top: (word.box.y0 - area.y0) * y,
                right: (word.box.x1 - area.x0) * x, bottom: (word.box.y1 - area.y0) * y, width,
                height)
        }
        guard !placed.isEmpty else { return nil }
        placed[placed.count - 1].ends = .block
        return FrameText(words: placed, isPartial: isPartial(words, scans))
    }

    /// A scan with at least this many letters has its text on the page; stamps and page numbers
    /// have fewer.
    private static let fewestLetters = 100
    /// The minimum fraction of the page that a picture with its own text covers.
    private static let scannedShare = 0.25

    /// True if pictures fill much of the page and hardly any text is on them, as when a scan was
    /// stamped.
    private func isPartial(_ words: [PDFWord], _ scans: [cpdfr_box]) -> Bool {
        let large = scans.filter { $0.area >= Self.scannedShare * width * height }
        guard !large.isEmpty else { return false }
        let letters = words.reduce(0) { sum, word in
            let x = (word.box.x0 + word.box.x1) / 2
            let y = (word.box.y0 + word.box.y1) / 2
            let isOnScan = large.contains {
                $0.x0 <= x && x <= $0.x1 && $0.y0 <= y && y <= $0.y1
            }
            return isOnScan ? sum + word.text.count : sum
        }
        return letters < Self.fewestLetters
    }

    /// The maximum fraction of meaningless letters in text that is believed.
    private static let mostUnknown = 0.1

    /// True if the letters have meanings: fonts without a table for these give replacement
    /// characters, or private ones.
    private static func isReadable(_ words: [PDFWord]) -> Bool {
        var (all, unknown) = (0, 0)
        for word in words {
            for scalar in word.text.unicodeScalars {
                all += 1
                let isUnknown =
                    scalar == "\u{FFFD}" || scalar.properties.generalCategory == .privateUse
                if isUnknown { unknown += 1 }
            }
        }
        return all > 0 && Double(unknown) <= mostUnknown * Double(all)
    }
}

extension cpdfr_box {
    /// The area in square points.
    var area: Double { (x1 - x0) * (y1 - y0) }
}

extension FrameText.Word {
    /// A word of a PDF within a frame; nil when nothing usable of it is left.
    fileprivate init?(
        _ word: PDFWord, left: Double, top: Double, right: Double, bottom: Double, _ width: Int,
        _ height: Int
    ) {
        func within(_ value: Double, _ side: Int) -> Int {
            value.isFinite ? Int(min(max(value.rounded(), 0), Double(side))) : 0
        }
        let text = String(
            word.text.unicodeScalars.filter { $0.properties.generalCategory != .control })
        let x = min(within(left, width), width - 1)
        let y = min(within(top, height), height - 1)
        guard !text.isEmpty else { return nil }
        self.init(
            text: text, x: x, y: y, width: max(1, within(right, width) - x),
            height: max(1, within(bottom, height) - y),
            ends: word.end == CPDFR_LINE ? .line : word.end == CPDFR_BLOCK ? .block : nil)
    }
}
