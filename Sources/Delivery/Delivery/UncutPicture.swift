public import Documents
public import Imaging

/// A captured picture of which a page is a part, for a place that keeps it beside the page.
public struct UncutPicture: Sendable {
    /// How the picture is turned to lie as the page does.
    public var turn: PageTurn
    /// The page's text at its places in the picture; nil for none.
    public var text: PageText?
    /// Dots per inch of the picture where the page lies.
    public var resolution: Double
    /// Reads the picture, and the JPEG that it was captured as; blocks.
    public var read: @Sendable () throws -> (image: Raster, originalJPEG: [UInt8]?)

    /// A captured picture.
    public init(
        turn: PageTurn, text: PageText?, resolution: Double,
        read: @escaping @Sendable () throws -> (image: Raster, originalJPEG: [UInt8]?)
    ) {
        self.turn = turn
        self.text = text
        self.resolution = resolution
        self.read = read
    }
}
