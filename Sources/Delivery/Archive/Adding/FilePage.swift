public import Documents

/// A page of an imported file.
public struct FilePage: Hashable, Sendable {
    /// How similar a page's picture and the file's page are.
    public enum Likeness: Int, Hashable, Sendable {
        /// The picture shows a part of it, such as one of several cards.
        case part = 0
        /// The picture takes its place: it was straightened, for example.
        case redrawn = 1
        /// The picture shows it as it is.
        case same = 2
    }

    /// The file's name, as reported by the import.
    public var name: String
    /// What sort of file it is, such as `application/pdf`.
    public var media: String
    /// The page's number in it, from 1.
    public var number: Int
    /// The part that the picture shows: left, top, width and height as fractions of the page as
    /// seen; nil for all of it.
    public var area: [Double]?
    /// How similar the two are.
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
