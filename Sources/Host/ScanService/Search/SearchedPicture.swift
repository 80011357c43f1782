public import CaptureKit

/// The result of a search for a page in one picture.
public struct SearchedPicture: Sendable {
    /// A corner, in pixels of the upright picture from its top left.
    public struct Corner: Hashable, Sendable {
        /// Pixels to the right.
        public var x: Double
        /// Pixels down.
        public var y: Double
    }

    /// A page that was found.
    public struct Found: Hashable, Sendable {
        /// Its corners: top left, top right, bottom right, bottom left.
        public var corners: [Corner]
        /// How sure the detector is, 0…1.
        public var confidence: Double
        /// The page's place in the document that was written, from 1; nil when none was asked for,
        /// or its shape makes no sense.
        public var place: Int?
    }

    /// What happened to the picture.
    public enum Result: Sendable {
        /// Pages were found in it: first the main one, then the others if all were requested. Never
        /// empty.
        case found([Found])
        /// It was searched, and no page was seen.
        case nothing
        /// It could not be read.
        case unreadable(CaptureError)
    }

    /// The file as it was named.
    public var file: String
    /// The picture's number in a file of several, from 1; nil in a file of one.
    public var number: Int?
    /// What happened to it.
    public var result: Result
    /// How long the detector took over the decoded picture, in milliseconds; nil when it could not
    /// be read.
    public var milliseconds: Double?
}
