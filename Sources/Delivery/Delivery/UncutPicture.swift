public import Documents
public import Imaging

/// A captured picture that contains a page, for a sink that keeps it with the page.
public struct UncutPicture: Sendable {
    /// The turn that makes the picture match the page.
    public var turn: PageTurn
    /// The page's text at its places in the picture; nil for none.
    public var text: PageText?
    /// The words in the picture that the file's page lacks; nil for none.
    public var addedText: PageText?
    /// Dots per inch of the picture at the page's place.
    public var resolution: Double
    /// True when the picture shows the unchanged page of a file.
    public var showsFilePage: Bool
    /// Reads the picture, and its captured JPEG; blocks.
    public var read: @Sendable () throws -> (image: Raster, originalJPEG: [UInt8]?)

    /// A captured picture.
    public init(
        turn: PageTurn, text: PageText?, addedText: PageText? = nil, resolution: Double,
        showsFilePage: Bool = false,
        read: @escaping @Sendable () throws -> (image: Raster, originalJPEG: [UInt8]?)
    ) {
        self.turn = turn
        self.text = text
        self.addedText = addedText
        self.resolution = resolution
        self.showsFilePage = showsFilePage
        self.read = read
    }
}
