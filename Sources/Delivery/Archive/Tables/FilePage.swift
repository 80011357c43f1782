public import Documents

/// A page of an imported file.
public struct FilePage: Hashable, Sendable {
    /// The similarity of a page's picture and the file's page.
    public enum Likeness: Int, Hashable, Sendable {
        /// The picture shows a part of the page, such as one of several cards.
        case part = 0
        /// The picture replaces the page, for example because it was straightened.
        case redrawn = 1
        /// The picture shows the page as it is.
        case same = 2
        /// The picture shows the page turned by 90° clockwise, and otherwise as it is.
        case clockwise90 = 3
        /// The picture shows the page upside down, and otherwise as it is.
        case half = 4
        /// The picture shows the page turned by 90° counterclockwise, and otherwise as it is.
        case counterclockwise90 = 5

        /// The degrees by which the picture is turned clockwise relative to the page; nil if it
        /// shows something else.
        public var degrees: Int? {
            switch self {
            case .part, .redrawn: nil
            case .same: 0
            case .clockwise90: 90
            case .half: 180
            case .counterclockwise90: 270
            }
        }

        /// A picture that shows its page turned by 0, 90, 180 or 270° clockwise.
        public init(degrees: Int) {
            self =
                switch degrees {
                case 90: .clockwise90
                case 180: .half
                case 270: .counterclockwise90
                default: .same
                }
        }
    }

    /// The file's name, as reported by the import.
    public var name: String
    /// The file's media type, such as `application/pdf`.
    public var media: String
    /// The page's number in the file, from 1.
    public var number: Int
    /// The part that the picture shows: left, top, width and height as fractions of the page as
    /// seen; nil for all of it.
    public var area: [Double]?
    /// The similarity of the picture and the file's page.
    public var likeness: Likeness
    /// The words that the file's page lacks, in pixels of the picture; nil for none.
    public var addedText: PageText?

    /// A page of a file.
    public init(
        name: String, media: String, number: Int, area: [Double]? = nil, likeness: Likeness,
        addedText: PageText? = nil
    ) {
        self.name = name
        self.media = media
        self.number = number
        self.area = area
        self.likeness = likeness
        self.addedText = addedText
    }
}
