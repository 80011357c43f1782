public import CaptureKit

/// The result of a search for a page in one picture.
public struct SearchedPicture: Sendable {
    /// A corner, in pixels of the upright picture from its top left.
    public struct Corner: Hashable, Sendable {
        /// Pixels from the left edge.
        public var x: Double
        /// Pixels from the top edge.
        public var y: Double
    }

    /// A page that was found.
    public struct Found: Hashable, Sendable {
        /// The corners: top left, top right, bottom right, bottom left.
        public var corners: [Corner]
        /// The detector's confidence, 0…1.
        public var confidence: Double
        /// The page's place in the written document, from 1; nil when no document was requested, or
        /// the page's shape is impossible.
        public var place: Int?
    }

    /// The result for the picture.
    public enum Result: Sendable {
        /// The pages in the picture: first the main one, then the others if all were requested.
        /// Never empty.
        case found([Found])
        /// The picture was searched, and has no page.
        case nothing
        /// The picture could not be read.
        case unreadable(CaptureError)
    }

    /// The file's name as the user gave it.
    public var file: String
    /// The picture's number in a file of several, from 1; nil in a file of one.
    public var number: Int?
    /// The result for the picture.
    public var result: Result
    /// The milliseconds that the detector took for the decoded picture; nil for an unreadable one.
    public var milliseconds: Double?
}
