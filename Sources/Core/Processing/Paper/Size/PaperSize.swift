/// The known sizes of paper and cards (ISO 216, ISO/IEC 7810, ANSI/ASME Y14.1).
struct PaperSize: Hashable, Sendable {
    /// The name in profiles.
    let name: String
    /// The name for people.
    let title: String
    /// The longer side in millimeters.
    let long: Double
    /// The shorter side in millimeters.
    let short: Double

    static let a4 = PaperSize(name: "a4", title: "A4", long: 297, short: 210)
    static let letter = PaperSize(name: "letter", title: "Letter", long: 279.4, short: 215.9)
    static let legal = PaperSize(name: "legal", title: "Legal", long: 355.6, short: 215.9)
    static let id1 = PaperSize(name: "id1", title: "ID card", long: 85.6, short: 53.98)
    static let businessCard = PaperSize(
        name: "business-card", title: "Business card", long: 85, short: 55)
    static let tradingCard = PaperSize(
        name: "trading-card", title: "Trading card", long: 88, short: 63)

    static let all: [PaperSize] = [
        a4, letter, legal,
        PaperSize(name: "a3", title: "A3", long: 420, short: 297),
        PaperSize(name: "a5", title: "A5", long: 210, short: 148),
        PaperSize(name: "a6", title: "A6", long: 148, short: 105),
        PaperSize(name: "b5", title: "B5", long: 250, short: 176),
        id1, businessCard, tradingCard,
    ]

    /// The sizes of cards.
    static let cards = [id1, businessCard, tradingCard]

    /// The sizes of paper, without those of cards.
    static let sheets = all.filter { !cards.contains($0) }

    /// The longer side over the shorter.
    var aspect: Double { long / short }

    /// True for a rectangle that differs from the sheet by at most 5 % in shape.
    func fits(aspect other: Double) -> Bool {
        (0.95...1.05).contains(max(other, 1 / other) / aspect)
    }

    /// The size in the sheet's orientation, for a summary: `A4 (210 × 297 mm)`.
    func shown(isWide: Bool) -> String {
        let sides = isWide ? [long, short] : [short, long]
        return "\(title) (\(sides.map { rounded($0, places: 1) }.joined(separator: " × ")) mm)"
    }

    /// The known size of a sheet with these millimeters, with both sides within 2 %; nil when none
    /// matches.
    static func matching(width: Double, height: Double) -> PaperSize? {
        let (long, short) = (max(width, height), min(width, height))
        func difference(_ size: PaperSize) -> Double {
            max((long / size.long - 1).magnitude, (short / size.short - 1).magnitude)
        }
        return all.min { difference($0) < difference($1) }.flatMap {
            difference($0) <= 0.02 ? $0 : nil
        }
    }

    /// The likeliest size of a photographed sheet, from its shape only; nil when no shape is within
    /// 2 %.
    ///
    /// All A sizes have the same shape, so the most common, A4, stands for them. Other sheets, such
    /// as Executive, are at least 2.4 % away.
    static func matching(aspect: Double, of target: Profile.Target) -> PaperSize? {
        let aspect = max(aspect, 1 / aspect)
        let candidates =
            target == .card ? [id1, businessCard, tradingCard] : [a4, letter, legal, id1]
        func difference(_ size: PaperSize) -> Double { (aspect / size.aspect - 1).magnitude }
        return candidates.min { difference($0) < difference($1) }.flatMap {
            difference($0) <= 0.02 ? $0 : nil
        }
    }
}

/// The assumed size on paper of a picture with unknown resolution.
struct AssumedSize {
    /// Dots per inch, 1…10,000.
    let resolution: Double
    /// The assumption for users, such as `taken to be A4 (210 × 297 mm)`.
    let summary: String

    /// The size of a page that fills a picture of `width` × `height` pixels.
    ///
    /// A picture without the shape of a known size gets a typical length: a card is as long as a
    /// bank card; a strip more than twice as long as wide is 80 mm wide, like most receipts; and a
    /// page is as long as A4.
    init(width: Int, height: Int, target: Profile.Target, size known: PaperSize? = nil) {
        let (long, short) = (Double(max(width, height)), Double(min(width, height)))
        let exact: Double
        if let size = known ?? PaperSize.matching(aspect: long / short, of: target) {
            exact = long / size.long * 25.4
            summary = "taken to be \(size.shown(isWide: width > height))"
        } else if target == .card {
            exact = long / PaperSize.id1.long * 25.4
            summary = "of unknown size, taken to be 85.6 mm long"
        } else if long > 2 * short {
            exact = short / 80 * 25.4
            summary = "of unknown size, taken to be 80 mm wide"
        } else {
            exact = long / PaperSize.a4.long * 25.4
            summary = "of unknown size, taken to be 297 mm long"
        }
        resolution = min(max(exact, 1), 10_000)
    }
}

/// The size of a page with this many pixels, for people: its paper's name, such as "A4", otherwise
/// its sides in millimeters.
///
/// - Parameter resolution: dots per inch.
public func paperTitle(width: Int, height: Int, resolution: Double) -> String {
    let sides = [width, height].map { Double($0) / max(resolution, 1) * 25.4 }
    return PaperSize.matching(width: sides[0], height: sides[1])?.title
        ?? sides.map { rounded($0, places: 0) }.joined(separator: " × ") + " mm"
}
