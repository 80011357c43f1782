public import Documents
public import Imaging

/// Reads the characters of a number, its capital letters and digits, one by one.
///
/// A reader of text expects words: among letters it takes a 5 for an S, an 8 for a B. This one sees
/// little more than one character at a time, and reports what else it may be.
public enum SignReader {
    /// How much taller or lower the capitals may be than their rows, which are inexact where they
    /// are blurred or lean.
    private static let sizes = [0.85, 1, 1.18]
    /// The room for missed letters before and after the number, in heights of a capital.
    private static let (before, behind) = (1.2, 2.2)
    /// The height of a capital, in pixels, below which characters look alike.
    private static let leastCapital = 10.0
    /// Columns without ink that separate two words, in heights of a capital.
    private static let gap = 0.4

    /// Reads the line at a place, in several sizes.
    ///
    /// - Parameters:
    ///   - image: dark letters on white.
    ///   - place: about the number, in pixels of `image`; somewhat too tall or too low does no
    ///     harm.
    /// - Returns: a reading for each size in which anything was found.
    public static func read(_ image: Raster, at place: Box) -> [SignReading] {
        let gray = image.format == .gray8 ? image : image.converted(to: .gray8)
        guard let rows = withoutMargins(place, in: gray) else { return [] }
        return sizes.compactMap { size in
            line(gray, rows, capital: max(4, Double(rows.height) * size)).flatMap {
                read($0, at: place)
            }
        }
    }

    /// Reads every row of a label in which capitals may be, for labels on which no reader of text
    /// has found any.
    ///
    /// On brushed metal and under reflections, a reader of text may not recognize a line as text.
    /// Rows of eight heights, from a twelfth of the picture's to three quarters, overlap by two
    /// thirds; what is between them is read again nearby, so that a number comes up in several
    /// readings and noise in one.
    ///
    /// - Parameter image: dark letters on white.
    /// - Returns: a reading for each row in which anything was found.
    public static func readRows(of image: Raster) -> [SignReading] {
        let gray = image.format == .gray8 ? image : image.converted(to: .gray8)
        var readings: [SignReading] = []
        var capital = max(leastCapital, Double(gray.height) / 12)
        while capital <= 0.75 * Double(gray.height) {
            var top = 0.0
            while top + capital <= Double(gray.height) {
                let place = Box(
                    x: 0, y: Int(top), width: gray.width, height: Int(capital))
                let found = line(gray, place, capital: capital).flatMap { read($0, at: place) }
                if let found { readings.append(found) }
                top += capital / 3
            }
            capital *= 1.3
        }
        return readings
    }

    /// The rows of a place that hold its letters; nil for a place beyond the picture.
    ///
    /// A reader of text is often off by half a letter where streaks or a reflection are around the
    /// number. Rows of letters are darker than those: the result is the group of neighboring rows
    /// with most ink, each with at least a quarter of the ink of the darkest. Between the bars of
    /// an E there is a third of it.
    static func withoutMargins(_ place: Box, in gray: Raster) -> Box? {
        let room = place.height / 3
        let wanted = PixelRect(
            x: place.x, y: place.y - room, width: place.width, height: place.height + 2 * room)
        guard let part = wanted.intersection(gray.bounds) else { return nil }
        let ink = gray.withBytes { bytes in
            (part.y..<part.y + part.height).map { y in
                (part.x..<part.x + part.width).count { bytes[y * gray.stride + $0] < 128 }
            }
        }
        let least = ink.sorted()[ink.count * 9 / 10] / 4
        var best: (rows: Range<Int>, ink: Int) = (0..<0, 0)
        var (start, sum) = (0, 0)
        for (row, count) in (ink + [-1]).enumerated() {
            if count >= least {
                sum += count
            } else {
                if sum > best.ink { best = (start..<row, sum) }
                (start, sum) = (row + 1, 0)
            }
        }
        guard !best.rows.isEmpty else { return place }
        return Box(
            x: place.x, y: part.y + best.rows.lowerBound, width: place.width,
            height: best.rows.count)
    }

    /// A line's picture as the network sees it.
    private struct Line {
        let dark: [Float]
        let width: Int
        /// Where its left end is in the whole picture, and how many of its pixels make one of the
        /// whole picture's.
        let left: Double
        let scale: Double
    }

    private static func line(_ gray: Raster, _ place: Box, capital: Double) -> Line? {
        let scale = Double(SignNetwork.capital) / capital
        let high = Int((Double(SignNetwork.height) / scale).rounded())
        let middle = place.y + place.height / 2
        let wanted = PixelRect(
            x: place.x - Int(before * capital), y: middle - high / 2,
            width: place.width + Int((before + behind) * capital), height: high)
        guard let part = wanted.intersection(gray.bounds) else { return nil }
        let step = SignNetwork.step
        let width = Int(Double(part.width) * scale) / step * step
        let rows = Int((Double(part.height) * scale).rounded())
        guard width >= SignNetwork.height, width <= SignNetwork.longest, rows >= 1 else {
            return nil
        }
        let small = gray.cropped(to: part).resized(
            to: width, min(rows, SignNetwork.height), filter: scale < 1 ? .area : .bilinear)
        // Places beyond the picture are white.
        let top = min(
            max(0, Int((Double(part.y - wanted.y) * scale).rounded())),
            SignNetwork.height - small.height)
        var dark = [Float](repeating: 0, count: width * SignNetwork.height)
        small.withBytes { bytes in
            for y in 0..<small.height {
                for x in 0..<width {
                    dark[(top + y) * width + x] = 1 - Float(bytes[y * small.stride + x]) / 255
                }
            }
        }
        return Line(
            dark: levelled(dark), width: width, left: Double(part.x),
            scale: Double(width) / Double(part.width))
    }

    /// The picture with its darkest twentieth made black, so that weak letters are as black as
    /// strong ones.
    private static func levelled(_ dark: [Float]) -> [Float] {
        let most = max(0.15, dark.sorted()[dark.count * 19 / 20])
        return dark.map { min($0 / most, 1) }
    }

    /// The characters of a line, as high as the place where it was sought: readings of one place
    /// are recognized by how their boxes overlap.
    private static func read(_ line: Line, at place: Box) -> SignReading? {
        guard let columns = SignNetwork.columns(line.dark, width: line.width) else { return nil }
        let capital = Double(SignNetwork.capital)
        var words: [[SignReading.Sign]] = []
        var isParted = true
        var end = 0
        for run in runs(columns) {
            let middle = (run.lowerBound + run.upperBound) * SignNetwork.step / 2
            if end > 0, widestGap(line, end..<middle) > gap * capital { isParted = true }
            end = middle
            let weights = run.map { columns[$0].mark }
            let all = weights.reduce(0, +)
            let classes = (0...SignNetwork.signs.count).map { index in
                zip(run, weights).reduce(0.0) { sum, item in
                    let column = columns[item.0]
                    return sum + item.1 * Double(column.classes[column.classes.startIndex + index])
                } / all
            }
            guard classes.dropLast().max() ?? 0 > classes[SignNetwork.signs.count] else {
                isParted = true
                continue
            }
            let half = 0.4 * capital
            let x = line.left + (Double(middle) - half) / line.scale
            let sign = SignReading.Sign(
                chances: Dictionary(
                    uniqueKeysWithValues: zip(SignNetwork.signs, classes).filter { $0.1 > 1e-4 }),
                box: Box(
                    x: Int(x), y: place.y, width: max(1, Int(2 * half / line.scale)),
                    height: place.height))
            if isParted { words.append([]) }
            isParted = false
            words[words.count - 1].append(sign)
        }
        return words.isEmpty ? nil : SignReading(words: words)
    }

    /// The neighboring columns that show one mark.
    private static func runs(_ columns: [SignNetwork.Column]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var first: Int?
        for (index, column) in columns.enumerated() {
            if column.mark > 0.5 {
                first = first ?? index
            } else if let start = first {
                runs.append(start..<index)
                first = nil
            }
        }
        if let start = first { runs.append(start..<columns.count) }
        return runs
    }

    /// The most neighboring columns without ink.
    private static func widestGap(_ line: Line, _ columns: Range<Int>) -> Double {
        let rows = SignNetwork.height / 6..<SignNetwork.height * 5 / 6
        var (widest, length) = (0, 0)
        for x in columns {
            let hasInk = rows.contains { line.dark[$0 * line.width + x] > 0.35 }
            length = hasInk ? 0 : length + 1
            widest = max(widest, length)
        }
        return Double(widest)
    }
}
