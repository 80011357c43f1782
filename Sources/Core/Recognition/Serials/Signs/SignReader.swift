public import Documents
public import Imaging

/// Reads a number's capital letters and digits one by one.
///
/// A text reader expects words: among letters, it mistakes a 5 for an S, an 8 for a B. This reader
/// examines little more than one character at a time, and also returns the other possibilities.
public enum SignReader {
    /// The factors by which capitals may be taller or shorter than their rows, which are inexact
    /// for blurred or tilted lines.
    private static let sizes = [0.85, 1, 1.18]
    /// The space for missed letters before and after the number, in heights of a capital.
    private static let (before, behind) = (1.2, 2.2)
    /// The height of a capital in pixels; below it, characters look alike.
    private static let leastCapital = 10.0
    /// The minimum number of columns without ink between two words, in heights of a capital.
    private static let gap = 0.4

    /// Reads the line at a place in several sizes.
    ///
    /// - Parameters:
    ///   - image: dark letters on white.
    ///   - place: the number's approximate box, in pixels of `image`; slightly too tall or short is
    ///     no problem.
    /// - Returns: a reading for each size with a result.
    public static func read(_ image: Raster, at place: Box) -> [SignReading] {
        let gray = image.format == .gray8 ? image : image.converted(to: .gray8)
        guard let rows = withoutMargins(place, in: gray) else { return [] }
        return sizes.compactMap { size in
            line(gray, rows, capital: max(4, Double(rows.height) * size)).flatMap {
                read($0, at: place)
            }
        }
    }

    /// Reads every row of a label, in case no text reader has found the number.
    ///
    /// A text reader may not recognize a line as text on brushed metal or under reflections. Rows
    /// of eight heights, from a twelfth of the picture's to three quarters, overlap by two thirds.
    /// So a number appears in several readings, and noise in only one.
    ///
    /// - Parameter image: dark letters on white.
    /// - Returns: a reading for each row with a result.
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

    /// The rows of a place that contain its letters; nil for a place outside of the picture.
    ///
    /// A text reader is often off by half a letter if streaks or a reflection are around the
    /// number. Rows of letters are darker than these: the result is the group of neighboring rows
    /// with the most ink, each with at least a quarter of the ink in the darkest row. The rows
    /// between the bars of an E have a third of it.
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

    /// A line's picture for the network.
    private struct Line {
        let dark: [Float]
        let width: Int
        /// The line's left end in the whole picture.
        let left: Double
        /// The number of the line's pixels for one pixel of the whole picture.
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
        // Places outside of the picture are white.
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
            dark: leveled(dark), width: width, left: Double(part.x),
            scale: Double(width) / Double(part.width))
    }

    /// The picture with its darkest twentieth made black, so that weak letters become as black as
    /// strong ones.
    private static func leveled(_ dark: [Float]) -> [Float] {
        let most = max(0.15, dark.sorted()[dark.count * 19 / 20])
        return dark.map { min($0 / most, 1) }
    }

    /// The characters of a line, as a reading whose box is as tall as the place.
    ///
    /// So readings of the same place have overlapping boxes.
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

    /// The groups of neighboring columns for one mark.
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

    /// The longest group of neighboring columns without ink.
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
