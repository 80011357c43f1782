/// What a backend knows for certain about a page, so that it need not be guessed from the picture.
///
/// Every fact may be absent. A word that the host does not know counts as absent, but is passed on.
public struct PageFacts: Codable, Hashable, Sendable {
    /// Where the picture comes from; nil if unknown.
    public var origin: Origin?
    /// How reliably the resolution gives the page's size on paper; nil if unknown.
    public var size: Size?
    /// True when the picture's edges are the page's own, so that nothing surrounds it; false when
    /// something does; nil if unknown.
    public var edgesArePaper: Bool?

    /// Facts; none unless given.
    public init(origin: Origin? = nil, size: Size? = nil, edgesArePaper: Bool? = nil) {
        self.origin = origin
        self.size = size
        self.edgesArePaper = edgesArePaper
    }

    /// Where a picture comes from.
    public struct Origin: RawRepresentable, Codable, Hashable, Sendable {
        /// The word on the wire.
        public let rawValue: String

        /// An origin by its word; one that is not known means nothing.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A scanner captured it from paper.
        public static let scan = Origin(rawValue: "scan")
        /// A camera captured it.
        public static let photo = Origin(rawValue: "photo")
        /// It shows a screen.
        public static let screenshot = Origin(rawValue: "screenshot")
        /// It was drawn from a description of a page, such as a PDF's.
        public static let rendered = Origin(rawValue: "rendered")
        /// A program made it; it was never on paper.
        public static let digital = Origin(rawValue: "digital")

        /// The words that the protocol has.
        package static let all: [Origin] = [.scan, .photo, .screenshot, .rendered, .digital]
    }

    /// How well a resolution is known.
    public struct Size: RawRepresentable, Codable, Hashable, Sendable {
        /// The word on the wire.
        public let rawValue: String

        /// A certainty by its word; one that is not known means nothing.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The device, the format or the user guarantees it: it is never doubted.
        public static let measured = Size(rawValue: "measured")
        /// A file says so, which is not always true.
        public static let stated = Size(rawValue: "stated")
        /// The backend assumed it.
        public static let guessed = Size(rawValue: "guessed")

        /// The words that the protocol has.
        package static let all: [Size] = [.measured, .stated, .guessed]
    }

    /// The first word that the protocol does not have, or a contradiction with the frame; nil if
    /// there is none.
    package func oddity(in frame: FrameDescription) -> String? {
        if let origin, !Origin.all.contains(origin) { return "the origin '\(origin.rawValue)'" }
        if let size, !Size.all.contains(size) { return "the size '\(size.rawValue)'" }
        if size != nil, frame.resolution == nil { return "a size without a resolution" }
        return nil
    }
}
