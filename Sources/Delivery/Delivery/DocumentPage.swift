public import Documents

/// The page of a PDF file that a delivered page is, so that a PDF can keep the page itself instead
/// of its picture.
public struct DocumentPage: Sendable {
    /// The file's path; it stays until the document is finished.
    public var path: String
    /// The page's number in it, from 1.
    public var number: Int
    /// The part of the page that the picture was of: left, top, width and height in parts of the
    /// page as it is seen; nil for all of it.
    public var area: [Double]?
    /// True when the picture shows the page as it is; false when it takes the page's place.
    public var isKept: Bool
    /// The words that the page lacks, in pixels of the picture; nil for none.
    public var addedText: PageText?
    /// True when the file is kept elsewhere as it was, so that a signature of it may break here;
    /// false unless said otherwise.
    public var isKeptElsewhere: Bool

    /// A page of a file.
    public init(
        path: String, number: Int, area: [Double]? = nil, isKept: Bool, addedText: PageText? = nil,
        isKeptElsewhere: Bool = false
    ) {
        self.path = path
        self.number = number
        self.area = area
        self.isKept = isKept
        self.addedText = addedText
        self.isKeptElsewhere = isKeptElsewhere
    }
}
