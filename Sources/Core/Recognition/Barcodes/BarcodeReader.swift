import CZXing
public import Documents
import ExpectedFailures
public import Imaging

/// Reads barcodes of every kind that ZXing knows, and Patch T, with their places.
///
/// The unchanged picture is searched first. Then each place that looks like a code and was not read
/// is cut out, turned upright, enlarged and sharpened. ZXing needs this, because it reads bars only
/// along rows and columns, seeks some codes only in the middle of a picture, and fails on blurred
/// ones. If that finds nothing, the whole picture is searched again: with one threshold, at
/// half the size to reduce noise, at twice the size to keep the widths of small bars, and, for
/// bars, at slanted angles. Each search runs in a separate process for a limited time, so that no
/// picture can crash or block the host. A reader stores nothing between pictures; several threads
/// may use it at the same time, and it blocks its caller's thread.
///
///     let codes = try BarcodeReader().read(page)
///     print(codes.map(\.text))  // ["ASN00012"]
public struct BarcodeReader: Sendable {
    /// The maximum number of pixels to search; a larger picture is reduced: 9 million, an A4 page
    /// at 300 dots per inch.
    public static let mostPixels = 9_000_000

    /// The maximum number of milliseconds for one search; a search that takes longer is the last
    /// one.
    private static let patience: Int32 = 5_000

    private let formats: [BarcodeFormat]

    /// A reader for some kinds; for all kinds unless given.
    public init(formats: [BarcodeFormat] = BarcodeFormat.allCases) { self.formats = formats }

    /// The barcodes in a picture, sorted from the top down and from the left.
    ///
    /// - Returns: findings whose corners are in pixels of `picture`; each code once.
    /// - Throws: ``BarcodeError`` when nothing was found and the search was incomplete: it took too
    ///   long, ZXing failed on this picture, or memory ran out.
    public func read(_ picture: Raster) throws(BarcodeError) -> [Finding] {
        let gray = Self.reduced(picture.converted(to: .gray8))
        let scale = Double(picture.width) / Double(gray.width)
        var found = try search(gray, .init(scale: scale), threshold: CZXING_LOCAL)
        found += searchPlaces(gray, scale, but: found)
        if formats.contains(.patchCode), let corners = PatchCode.find(in: gray) {
            found.append(Self.patch(corners, .init(scale: scale)))
        }
        if found.isEmpty { found = try search(gray, .init(scale: scale), threshold: CZXING_GLOBAL) }
        if found.isEmpty, min(gray.width, gray.height) >= 64 {
            let half = gray.resized(to: gray.width / 2, gray.height / 2)
            found = try search(half, .init(scale: scale * 2), threshold: CZXING_LOCAL)
        }
        if found.isEmpty, gray.width * gray.height * 4 <= Self.mostPixels {
            let double = gray.resized(to: gray.width * 2, gray.height * 2, filter: .lanczos3)
            found = try search(
                double, .init(scale: scale / 2), threshold: CZXING_LOCAL,
                lines: Self.fewestEnlargedLines)
        }
        if found.isEmpty, formats.contains(where: \.isLinear) {
            found = try searchSlants(gray, scale)
        }
        return Self.ordered(found)
    }

    // MARK: One search

    /// The map from a searched picture's pixels back to the page's.
    private struct PlaceMap {
        /// The number of the page's pixels, across or down, for one pixel of the resized picture.
        var scale: Double
        /// Maps a point to where it was before the picture was cut out or turned.
        var original: (Point) -> Point = { $0 }

        func corner(_ x: Double, _ y: Double) -> Finding.Corner {
            let point = original(Point(x: x, y: y))
            return Finding.Corner(x: point.x * scale, y: point.y * scale)
        }
    }

    private func search(
        _ gray: Raster, _ places: PlaceMap, threshold: czxing_threshold,
        formats: [BarcodeFormat]? = nil, lines: Int32 = Self.fewestLines,
        confirms: Bool = true
    ) throws(BarcodeError) -> [Finding] {
        let wanted = (formats ?? self.formats).filter(\.isReadByZXing)
        guard !wanted.isEmpty else { return [] }
        let names = wanted.map(\.rawValue).joined(separator: ",")
        let results = gray.withBytes { bytes in
            czxing_read(
                bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), Int32(gray.width),
                Int32(gray.height), Int32(gray.stride), names, threshold, lines,
                Self.patience)
        }
        guard let results else {
            throw BarcodeError(
                "ZXing could not search the picture: \(String(cString: czxing_error()))")
        }
        defer { czxing_free(results) }
        var found: [Finding] = []
        for index in 0..<czxing_count(results) {
            // If only UPC-A is requested, ZXing returns every EAN-13 as well.
            let code = czxing_at(results, index)
            guard let finding = Self.finding(code, places),
                wanted.contains(where: { $0.rawValue == finding.format }),
                !found.contains(where: { Self.isSame($0, finding) })
            else { continue }
            if confirms, !isConfirmed(finding, code, in: gray) { continue }
            found.append(finding)
        }
        if found.isEmpty { try Self.check(results) }
        return found
    }

    /// True if a retail code reads the same again when only its part of the picture is read,
    /// enlarged.
    ///
    /// EAN and UPC have only one check digit, and one in ten misreadings of blurred bars passes
    /// that check.
    private func isConfirmed(
        _ finding: Finding, _ code: czxing_code, in gray: Raster
    ) -> Bool {
        guard BarcodeFormat.trade.contains(where: { $0.rawValue == finding.format }) else {
            return true
        }
        let c = code.corners
        let (xs, ys) = ([c.0, c.2, c.4, c.6], [c.1, c.3, c.5, c.7])
        let margin = 0.2 * max(xs.max()! - xs.min()!, ys.max()! - ys.min()!)
        let left = max(0, Int(xs.min()! - margin))
        let top = max(0, Int(ys.min()! - margin))
        let part = gray.cropped(
            to: PixelRect(
                x: left, y: top, width: min(gray.width, Int(xs.max()! + margin) + 1) - left,
                height: min(gray.height, Int(ys.max()! + margin) + 1) - top))
        let enlarged = part.resized(to: part.width * 2, part.height * 2, filter: .lanczos3)
        // A search that fails confirms nothing.
        let again = ifSupported {
            try search(
                enlarged, .init(scale: 1), threshold: CZXING_LOCAL, formats: BarcodeFormat.trade,
                confirms: false)
        }
        return again.map { Set($0.map(\.text)) == [finding.text] } ?? false
    }

    private static func check(_ results: OpaquePointer) throws(BarcodeError) {
        switch czxing_how_ended(results) {
        case CZXING_LATE:
            throw BarcodeError(
                "the search took longer than \(patience / 1000) seconds and was stopped. Look for fewer kinds with "
                    + "--step barcodes.formats=linear, or scan at a lower resolution.")
        case CZXING_CRASHED:
            let signal = czxing_ending_number(results)
            throw BarcodeError(
                "ZXing \(String(cString: czxing_version())) failed on this picture"
                    + (signal == 0 ? "." : " (signal \(signal)).")
                    + " Look for fewer kinds with --step barcodes.formats=QRCode.")
        default: break
        }
    }

    /// ZXing reads bars along rows and columns only, so the picture is turned for codes between
    /// both directions.
    private func searchSlants(
        _ gray: Raster, _ scale: Double
    ) throws(BarcodeError) -> [Finding] {
        let linear = formats.filter(\.isLinear)
        for degrees in [22.5, 45, 67.5] {
            let slanted = SlantedPicture(of: gray, degrees: degrees)
            let found = try search(
                slanted.picture, .init(scale: scale, original: slanted.original),
                threshold: CZXING_LOCAL,
                formats: linear)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Unread places that look like codes are cut out, turned upright, and sharpened more and more
    /// until they are read.
    ///
    /// Faint places are examined only if the page shows no other code.
    ///
    /// If the search of a place fails, no code is returned, because the place was only a guess.
    private func searchPlaces(_ gray: Raster, _ scale: Double, but known: [Finding]) -> [Finding] {
        let places = CodePlaces(of: gray)
        let plain = places.all(over: CodePlaces.plain)
        let found = searchPlaces(plain, gray, scale, but: known)
        guard found.isEmpty, known.isEmpty else { return found }
        let faint = places.all(over: CodePlaces.faint).filter { place in
            !plain.contains { place.repeats($0) }
        }
        return searchPlaces(faint, gray, scale, but: known)
    }

    private func searchPlaces(
        _ places: [CodePlace], _ gray: Raster, _ scale: Double, but known: [Finding]
    ) -> [Finding] {
        var found: [Finding] = []
        for place in places {
            let wanted = formats.filter { place.isBars ? $0.runsOneWay : $0.runsBothWays }
            let isRead = (known + found).contains { finding in
                let middle = Self.middle(finding)
                return place.contains(Point(x: middle.x / scale, y: middle.y / scale))
            }
            guard !isRead, !wanted.isEmpty, let upright = UprightPlace(place, of: gray) else {
                continue
            }
            for blur in UprightPlace.blurs {
                let codes = ifSupported {
                    try search(
                        upright.sharpened(blur), .init(scale: scale, original: upright.original),
                        threshold: CZXING_LOCAL, formats: wanted, lines: Self.fewestEnlargedLines)
                }
                guard let codes, !codes.isEmpty else { continue }
                found += codes.filter { code in
                    !(known + found).contains { Self.isSame($0, code) }
                }
                break
            }
        }
        return found
    }

    // MARK: Confidence

    /// The minimum number of agreeing scan lines in ZXing; fewer are often noise.
    private static let fewestLines: Int32 = 2
    /// The minimum number of agreeing scan lines in an enlarged picture, where neighboring lines
    /// are nearly copies, so that even noise agrees.
    private static let fewestEnlargedLines: Int32 = 12
    /// The minimum number of rows of pixels with the same bars for a code without a check digit.
    private static let fewestUncheckedLines: Int32 = 8
    /// The minimum number of characters in a code without a check digit: shorter ones are found in
    /// ordinary print.
    private static let fewestUncheckedCharacters = 3

    private static func finding(_ code: czxing_code, _ places: PlaceMap) -> Finding? {
        guard let format = BarcodeFormat(rawValue: String(cString: code.format)) else {
            return nil
        }
        let text = code.text.map { start in
            String(
                decoding: UnsafeRawBufferPointer(start: start, count: code.text_count),
                as: UTF8.self)
        }
        guard let text, !text.isEmpty else { return nil }
        guard code.is_quiet != 0 || !format.needsQuietEnds else { return nil }
        if !format.isChecked {
            guard code.is_quiet != 0, code.lines >= fewestUncheckedLines,
                text.count >= fewestUncheckedCharacters
            else { return nil }
        }
        let c = code.corners
        let corners = [
            places.corner(c.0, c.1), places.corner(c.2, c.3), places.corner(c.4, c.5),
            places.corner(c.6, c.7),
        ]
        return Finding(
            kind: .barcode, format: format.rawValue, text: text,
            confidence: confidence(format, lines: Int(code.lines)), corners: corners)
    }

    /// A Patch T at some place, with the text that sheets with a barcode have.
    private static func patch(_ corners: Quad, _ places: PlaceMap) -> Finding {
        Finding(
            kind: .barcode, format: BarcodeFormat.patchCode.rawValue, text: SplitRule.patchText,
            confidence: 0.9, corners: corners.corners.map { places.corner($0.x, $0.y) })
    }

    /// The confidence in a reading: error correction leaves no doubt, a check digit leaves some,
    /// and further rows of pixels with the same bars reduce the doubt.
    private static func confidence(_ format: BarcodeFormat, lines: Int) -> Double {
        guard format.isLinear else { return 1 }
        let doubt = format.isChecked ? 0.1 : 0.4
        return 1 - doubt * 8 / Double(max(8, lines))
    }

    private static func isSame(_ a: Finding, _ b: Finding) -> Bool {
        guard a.format == b.format, a.text == b.text else { return false }
        let (p, q) = (middle(a), middle(b))
        let reach = max(extent(a), extent(b)) / 2
        return (p.x - q.x).magnitude <= reach && (p.y - q.y).magnitude <= reach
    }

    private static func middle(_ finding: Finding) -> Finding.Corner {
        let count = Double(max(1, finding.corners.count))
        return Finding.Corner(
            x: finding.corners.reduce(0) { $0 + $1.x } / count,
            y: finding.corners.reduce(0) { $0 + $1.y } / count)
    }

    private static func extent(_ finding: Finding) -> Double {
        let xs = finding.corners.map(\.x)
        let ys = finding.corners.map(\.y)
        return max((xs.max() ?? 0) - (xs.min() ?? 0), (ys.max() ?? 0) - (ys.min() ?? 0))
    }

    private static func ordered(_ found: [Finding]) -> [Finding] {
        found.map { (middle($0), $0) }
            .sorted { ($0.0.y, $0.0.x, $0.1.text) < ($1.0.y, $1.0.x, $1.1.text) }
            .map(\.1)
    }

    private static func reduced(_ gray: Raster) -> Raster {
        let pixels = Double(gray.width) * Double(gray.height)
        guard pixels > Double(mostPixels) else { return gray }
        let scale = (Double(mostPixels) / pixels).squareRoot()
        return gray.resized(
            to: max(1, Int(Double(gray.width) * scale)),
            max(1, Int(Double(gray.height) * scale)))
    }
}

/// The error for barcodes that could not be searched.
public struct BarcodeError: Error, Hashable, Sendable {
    /// The failure, for people.
    public let message: String

    init(_ message: String) { self.message = message }
}
