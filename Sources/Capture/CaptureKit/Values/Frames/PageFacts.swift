/// Facts about a page that the backend knows for certain, and that need not be guessed from the
/// picture.
///
/// Every fact may be absent. An unknown word counts as absent, but is passed on.
public struct PageFacts: Codable, Hashable, Sendable {
    /// The origin of the picture; nil if unknown.
    public var origin: Origin?
    /// The reliability of the resolution as a measure of the page's size on paper; nil if unknown.
    public var size: Size?
    /// True when the picture's edges are the page's own, so that nothing surrounds it; false when
    /// something does; nil if unknown.
    public var edgesArePaper: Bool?

    /// Facts; none by default.
    public init(origin: Origin? = nil, size: Size? = nil, edgesArePaper: Bool? = nil) {
        self.origin = origin
        self.size = size
        self.edgesArePaper = edgesArePaper
    }

    /// The origin of a picture.
    public struct Origin: RawRepresentable, Codable, Hashable, Sendable {
        /// The word on the wire.
        public let rawValue: String

        /// An origin by its word; an unknown word has no meaning.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A scanner captured the page from paper.
        public static let scan = Origin(rawValue: "scan")
        /// A camera captured the page.
        public static let photo = Origin(rawValue: "photo")
        /// The page shows a screen.
        public static let screenshot = Origin(rawValue: "screenshot")
        /// The page was drawn from a description, such as a PDF's.
        public static let rendered = Origin(rawValue: "rendered")
        /// A program made the page; it was never on paper.
        public static let digital = Origin(rawValue: "digital")

        /// The words that the protocol has.
        package static let all: [Origin] = [.scan, .photo, .screenshot, .rendered, .digital]
    }

    /// The reliability of a resolution.
    public struct Size: RawRepresentable, Codable, Hashable, Sendable {
        /// The word on the wire.
        public let rawValue: String

        /// A reliability by its word; an unknown word has no meaning.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The device, the format or the user guarantees the resolution, so no one doubts it.
        public static let measured = Size(rawValue: "measured")
        /// A file states the resolution, which is not always true.
        public static let stated = Size(rawValue: "stated")
        /// The backend assumed the resolution.
        public static let guessed = Size(rawValue: "guessed")

        /// The words that the protocol has.
        package static let all: [Size] = [.measured, .stated, .guessed]
    }

    /// The first unknown word, or a contradiction with the frame; nil for none.
    package func oddity(in frame: FrameDescription) -> String? {
        if let origin, !Origin.all.contains(origin) { return "the origin '\(origin.rawValue)'" }
        if let size, !Size.all.contains(size) { return "the size '\(size.rawValue)'" }
        if size != nil, frame.resolution == nil { return "a size without a resolution" }
        return nil
    }
}
