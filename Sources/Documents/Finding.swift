/// Something that a step found on a page, such as a barcode: what it says, how sure that is, and where it stands.
public struct Finding: Codable, Hashable, Sendable {
    /// What sort of thing it is; more sorts may come, so an unknown one is kept as it is.
    public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
        /// The name in JSON, such as `barcode`.
        public let rawValue: String

        /// The sort of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A barcode of any kind; ``Finding/format`` says which.
        public static let barcode = Kind(rawValue: "barcode")
    }

    /// A point on the page: pixels from the top left corner of the picture the step was given.
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

    /// What sort of thing it is.
    public var kind: Kind
    /// Its form, such as `Code128` or `QRCode`; nil where its sort has none.
    public var format: String?
    /// What it says; bytes that are no text are shown as hexadecimal digits.
    public var text: String
    /// How sure that is, 0…1.
    public var confidence: Double
    /// Its four corners, clockwise from its own top left one.
    public var corners: [Corner]

    /// A finding.
    public init(
        kind: Kind, format: String? = nil, text: String, confidence: Double, corners: [Corner]
    ) {
        self.kind = kind
        self.format = format
        self.text = text
        self.confidence = confidence
        self.corners = corners
    }
}

extension Page {
    /// What the steps found on the page, in the order they found it.
    public var findings: [Finding] { provenance.steps.flatMap(\.found) }

    /// The barcodes that the step `barcodes` read, the topmost first; empty when it did not run.
    public var barcodes: [Finding] { findings.filter { $0.kind == .barcode } }
}
