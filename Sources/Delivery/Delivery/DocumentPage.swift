public import Documents
public import Imaging

/// The page of a PDF file that a delivered page comes from, so that a PDF can keep the page itself
/// instead of its picture.
public struct DocumentPage: Sendable {
    /// The file's path; it stays until the document is finished.
    public var path: String
    /// The page's number in it, from 1.
    public var number: Int
    /// The part of the page in the picture: left, top, width and height as fractions of the visible
    /// page; nil for the whole page.
    public var area: [Double]?
    /// True when the picture shows the unchanged page, except for a turn; false when it replaces
    /// the page.
    public var isKept: Bool
    /// The turn of the page in the picture; nil for none.
    public var turn: QuarterTurn?
    /// The words that the page lacks, in pixels of the picture; nil for none.
    public var addedText: PageText?
    /// True when the unchanged file is stored elsewhere, so that its signature may be broken here;
    /// false by default.
    public var isKeptElsewhere: Bool

    /// A page of a file.
    public init(
        path: String, number: Int, area: [Double]? = nil, isKept: Bool,
        turn: QuarterTurn? = nil, addedText: PageText? = nil, isKeptElsewhere: Bool = false
    ) {
        self.path = path
        self.number = number
        self.area = area
        self.isKept = isKept
        self.turn = turn
        self.addedText = addedText
        self.isKeptElsewhere = isKeptElsewhere
    }

    /// The part of the page that the picture shows, as fractions of the turned page.
    var turnedArea: [Double] {
        guard let area, area.count == 4 else { return [0, 0, 1, 1] }
        let (left, top, width, height) = (area[0], area[1], area[2], area[3])
        return switch turn {
        case nil: area
        case .clockwise90: [1 - top - height, left, height, width]
        case .half: [1 - left - width, 1 - top - height, width, height]
        case .counterclockwise90: [top, 1 - left - width, height, width]
        }
    }
}
