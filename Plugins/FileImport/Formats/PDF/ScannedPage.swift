import CPDFReader
import CaptureKit

/// Decides from a page's pictures whether one of them is the whole page, and at which resolution it
/// was scanned.
struct ScannedPage {
    private let page: PDFPage
    private let pictures: [PlacedPicture]
    private let isNothingElse: Bool

    /// The fraction by which a page may be wider or taller than its picture if it shows nothing
    /// else.
    private static let edgeTolerance = 0.02
    /// The minimum fraction of a scanned page that pictures cover.
    private static let scannedShare = 0.5
    /// The resolutions of scanners, in dots per inch; a picture with another one was scaled.
    private static let scannersOwn = 10.0...9_600.0
    /// The minimum number of dots per inch; with fewer, letters that are drawn over a picture can't
    /// be read.
    private static let legible = 150.0
    /// The maximum fraction of the page that a stamp or a footer over a scan takes.
    private static let mostMarked = 0.1

    init(_ page: PDFPage) {
        self.page = page
        pictures = page.pictures.map(PlacedPicture.init)
        isNothingElse = !page.hasMarks
    }

    /// The picture that is the whole page; nil if the page shows more, or no picture that fills it.
    var onlyPicture: PlacedPicture? {
        guard isNothingElse, pictures.count == 1, let only = pictures.first, only.picture.isPlain,
            only.turn != nil, isOwn(only)
        else { return nil }
        let area = only.area
        // Nothing outside the page is visible. Rounding may move its sides by a point.
        let isWithin =
            area.x0 >= -1 && area.y0 >= -1 && area.x1 <= page.width + 1
            && area.y1 <= page.height + 1
        let isAll =
            area.x1 - area.x0 >= page.width * (1 - Self.edgeTolerance)
            && area.y1 - area.y0 >= page.height * (1 - Self.edgeTolerance)
        return isWithin && isAll ? only : nil
    }

    /// The rectangles of the pictures in points.
    var areas: [cpdfr_box] { pictures.map(\.area) }

    /// The resolution for drawing the page: that of its scan if it has one, or else `usual`.
    func resolution(usually usual: Double) -> PDFResolution {
        guard let largest = pictures.max(by: { $0.area.area < $1.area.area }), largest.turn != nil,
            pictures.reduce(0, { $0 + $1.area.area })
                >= Self.scannedShare * page.width * page.height
        else { return PDFResolution(x: usual, y: usual) }
        guard isOwn(largest) else {
            return PDFResolution(
                x: usual, y: usual,
                reduction:
                    "Its picture of \(largest.picture.width) × \(largest.picture.height) pixels was drawn at \(Int(usual)) dpi."
            )
        }
        let (x, y) = largest.resolution
        let isAlike = pictures.allSatisfy {
            abs($0.resolution.x / x - 1) < 0.01 && abs($0.resolution.y / y - 1) < 0.01
        }
        if isNothingElse, isAlike { return PDFResolution(x: x, y: y) }
        let finer = max(x, y)
        let others = pictures.reduce(-largest.area.area) { $0 + $1.area.area }
        let added = page.markedShare + others / (page.width * page.height)
        return finer >= Self.legible || added <= Self.mostMarked
            ? PDFResolution(x: finer, y: finer) : PDFResolution(x: usual, y: usual)
    }

    /// True if a picture's resolution is a scanner's: in fax modes, one direction may have half of
    /// the other's.
    private func isOwn(_ picture: PlacedPicture) -> Bool {
        let (x, y) = picture.resolution
        return Self.scannersOwn.contains(x) && Self.scannersOwn.contains(y)
            && (0.4...2.5).contains(x / y)
    }
}

/// A picture with its place on a page.
struct PlacedPicture {
    let picture: EmbeddedPicture

    /// The picture's rectangle in points.
    var area: cpdfr_box {
        let m = picture.place
        return cpdfr_box(
            x0: m.e + min(0, m.a) + min(0, m.c), y0: m.f + min(0, m.b) + min(0, m.d),
            x1: m.e + max(0, m.a) + max(0, m.c), y1: m.f + max(0, m.b) + max(0, m.d))
    }

    /// The turn that makes the picture match the page; nil for a skewed picture.
    var turn: Turn? {
        let m = picture.place
        let slack = 0.001 * max(abs(m.a), abs(m.b), abs(m.c), abs(m.d))
        if abs(m.b) <= slack, abs(m.c) <= slack {
            return switch (m.a > 0, m.d > 0) {
            case (true, true): Turn.none
            case (false, true): .mirrored
            case (false, false): .half
            case (true, false): .flipped
            }
        }
        guard abs(m.a) <= slack, abs(m.d) <= slack else { return nil }
        return switch (m.b > 0, m.c > 0) {
        case (true, true): Turn.transposed
        case (true, false): .right
        case (false, false): .transversed
        case (false, true): .left
        }
    }

    /// Dots per inch along the page's sides.
    var resolution: (x: Double, y: Double) {
        let area = area
        let swaps = turn?.swapsSides ?? false
        let (columns, rows) =
            swaps ? (picture.height, picture.width) : (picture.width, picture.height)
        return (
            Double(columns) * 72 / (area.x1 - area.x0), Double(rows) * 72 / (area.y1 - area.y0)
        )
    }

    /// The pixels as the page shows them, at their own resolution; nil if they can't be decoded, or
    /// are too many.
    ///
    /// A damaged JPEG is read as far as possible. A complete one keeps its bytes.
    func pixels(limits: ImportLimits) throws(DecodeFault) -> DecodedPage? {
        do throws(DecodeFault) {
            try limits.check(width: picture.width, height: picture.height, bytesPerPixel: 9)
        } catch {
            return nil
        }
        guard let turn, let stored = try decode(limits: limits) else { return nil }
        var pixels = try stored.turned(turn, limits: limits)
        pixels.damage = stored.damage
        pixels.resolution = plausible(x: resolution.x, y: resolution.y)
        pixels.facts.size = .measured
        return pixels
    }

    private func decode(limits: ImportLimits) throws(DecodeFault) -> DecodedPage? {
        do throws(DecodeFault) {
            if let bytes = picture.jpeg {
                let decoded = try decodeJPEG(
                    bytes, markers: JPEGMarkers(bytes), profile: picture.profile?.bytes,
                    limits: limits)
                if decoded.width == picture.width, decoded.height == picture.height {
                    return decoded
                }
            }
            return try picture.decode(limits: limits)
        } catch {
            if case .damaged = error { throw error }
            return nil
        }
    }
}
