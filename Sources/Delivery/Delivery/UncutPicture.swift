public import Documents
public import Imaging

/// A captured picture of which a page is a part, for a sink that keeps it with the page.
public struct UncutPicture: Sendable {
    /// How the picture must be turned to match the page.
    public var turn: PageTurn
    /// The page's text at its places in the picture; nil for none.
    public var text: PageText?
    /// The words in it that are missing on the file's page that it shows; nil for none.
    public var addedText: PageText?
    /// Dots per inch of the picture at the page's place.
    public var resolution: Double
    /// True when it shows the page of a file as it is.
    public var showsFilePage: Bool
    /// Reads the picture, and the JPEG that it was captured as; blocks.
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
