/// An item that a step found on a page, such as a barcode: its text, its confidence and its place.
public struct Finding: Codable, Hashable, Sendable {
    /// The kind of an item.
    ///
    /// More kinds may be added, so an unknown one is kept.
    public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
        /// The name in JSON, such as `barcode`.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A barcode of any kind; ``Finding/format`` names the kind.
        public static let barcode = Kind(rawValue: "barcode")
        /// A device's own number; ``Finding/format`` names its kind, such as `imei`.
        public static let serial = Kind(rawValue: "serial")
        /// The merchant of a receipt.
        public static let merchant = Kind(rawValue: "merchant")
        /// A day, as `2026-11-22`.
        public static let date = Kind(rawValue: "date")
        /// The sum that was paid, as `12.50`; ``Finding/format`` is its currency, such as `EUR`.
        public static let total = Kind(rawValue: "total")
        /// The currency of the sum, such as `EUR` (ISO 4217).
        public static let currency = Kind(rawValue: "currency")
        /// The tax that the sum includes, as `1.20`; ``Finding/format`` is its currency.
        public static let tax = Kind(rawValue: "tax")
        /// The name of a card.
        public static let name = Kind(rawValue: "name")
        /// The value of a card, as `12.50`; ``Finding/format`` is its currency.
        public static let value = Kind(rawValue: "value")
    }

    /// A point on the page, in pixels from the top left corner of the step's input picture.
    public struct Corner: Codable, Hashable, Sendable {
        /// Pixels from the left edge.
        public var x: Double
        /// Pixels from the top edge.
        public var y: Double

        /// The point at `x`, `y`.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// The kind of item.
    public var kind: Kind
    /// The form, such as `Code128` or `QRCode`; nil for a kind that has only one.
    public var format: String?
    /// The item's text; bytes that are not text become hexadecimal digits.
    public var text: String
    /// The confidence, 0…1.
    public var confidence: Double
    /// The item's four corners, clockwise from its own top left one.
    public var corners: [Corner]
    /// Other possible readings, with the likeliest first; empty if there is no doubt, or none are
    /// known.
    public var alternatives: [String]

    /// A finding, by default without alternatives.
    public init(
        kind: Kind, format: String? = nil, text: String, confidence: Double, corners: [Corner],
        alternatives: [String] = []
    ) {
        self.alternatives = alternatives
        self.kind = kind
        self.format = format
        self.text = text
        self.confidence = confidence
        self.corners = corners
    }

    /// A finding with its place as a rectangle.
    public init(
        kind: Kind, format: String? = nil, text: String, confidence: Double, box: Box,
        alternatives: [String] = []
    ) {
        let (left, top) = (Double(box.x), Double(box.y))
        let (right, bottom) = (left + Double(box.width), top + Double(box.height))
        self.init(
            kind: kind, format: format, text: text, confidence: confidence,
            corners: [
                Corner(x: left, y: top), Corner(x: right, y: top), Corner(x: right, y: bottom),
                Corner(x: left, y: bottom),
            ], alternatives: alternatives)
    }

    private enum CodingKeys: String, CodingKey {
        case kind, format, text, confidence, corners, alternatives
    }

    /// Reads a finding, which may be from a version without alternatives.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        kind = try fields.decode(Kind.self, forKey: .kind)
        format = try fields.decodeIfPresent(String.self, forKey: .format)
        text = try fields.decode(String.self, forKey: .text)
        confidence = try fields.decode(Double.self, forKey: .confidence)
        corners = try fields.decode([Corner].self, forKey: .corners)
        alternatives = try fields.decodeIfPresent([String].self, forKey: .alternatives) ?? []
    }

    /// Writes the finding; its alternatives only if there are any.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(kind, forKey: .kind)
        try fields.encodeIfPresent(format, forKey: .format)
        try fields.encode(text, forKey: .text)
        try fields.encode(confidence, forKey: .confidence)
        try fields.encode(corners, forKey: .corners)
        if !alternatives.isEmpty { try fields.encode(alternatives, forKey: .alternatives) }
    }

    /// The smallest upright rectangle of whole pixels around the item; nil for an item without a
    /// place.
    public var box: Box? {
        let within = -1e6...1e6
        guard let first = corners.first,
            corners.allSatisfy({ within.contains($0.x) && within.contains($0.y) })
        else { return nil }
        var (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
        for corner in corners {
            (left, right) = (min(left, corner.x), max(right, corner.x))
            (top, bottom) = (min(top, corner.y), max(bottom, corner.y))
        }
        let (x, y) = (Int(left.rounded(.down)), Int(top.rounded(.down)))
        return Box(
            x: x, y: y, width: Int(right.rounded(.up)) - x, height: Int(bottom.rounded(.up)) - y)
    }
}

extension Page {
    /// The findings of all steps, in the order of the steps.
    public var findings: [Finding] { provenance.steps.flatMap(\.found) }

    /// The barcodes that the step `barcodes` read, from the top down; empty when the step did not
    /// run.
    public var barcodes: [Finding] { findings.filter { $0.kind == .barcode } }
}
