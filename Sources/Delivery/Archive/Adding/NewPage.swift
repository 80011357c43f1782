public import Documents

/// A picture of a page, as the archive's files.
public struct PagePicture: Sendable {
    /// The picture, as a file.
    public var image: [UInt8]
    /// The picture's media type, such as `image/jpeg`.
    public var media: String
    /// A small JPEG of it; nil for none.
    public var thumbnail: [UInt8]?

    /// A picture, by default without a thumbnail.
    public init(image: [UInt8], media: String, thumbnail: [UInt8]? = nil) {
        self.image = image
        self.media = media
        self.thumbnail = thumbnail
    }

    /// The bytes of its files.
    public var bytes: Int { image.count + (thumbnail?.count ?? 0) }
}

/// A captured page that is being added to the archive.
public struct NewPage: Sendable {
    /// The page's data; its number is its place in the document.
    public var page: Page
    /// Its picture.
    public var picture: PagePicture
    /// The captured picture that the page is a part of; nil for a page that shows all of it.
    public var uncut: Uncut?
    /// The path of the imported file that the page is from, and the page in that file; the file is
    /// kept too.
    ///
    /// Nil for none.
    public var original: (path: String, page: FilePage)?

    /// A captured picture that a page is a part of.
    public struct Uncut: Sendable {
        /// The picture.
        public var picture: PagePicture
        /// Its width in pixels.
        public var width: Int
        /// Its height in pixels.
        public var height: Int
        /// Its dots per inch.
        public var resolution: Double
        /// The turn that makes the picture match the page.
        public var turn: PageTurn
        /// The page's text at its places in the picture; nil for none.
        public var text: PageText?
        /// True when the picture shows the page of an imported file unchanged.
        public var showsFilePage: Bool
        /// The words in the picture that the file's page lacks; nil for none.
        public var addedText: PageText?

        /// A captured picture.
        public init(
            picture: PagePicture, width: Int, height: Int, resolution: Double, turn: PageTurn,
            text: PageText?, showsFilePage: Bool = false, addedText: PageText? = nil
        ) {
            self.picture = picture
            self.width = width
            self.height = height
            self.resolution = resolution
            self.turn = turn
            self.text = text
            self.showsFilePage = showsFilePage
            self.addedText = addedText
        }
    }

    /// A page with its picture.
    public init(
        page: Page, picture: PagePicture, uncut: Uncut? = nil,
        original: (path: String, page: FilePage)? = nil
    ) {
        self.page = page
        self.picture = picture
        self.uncut = uncut
        self.original = original
    }

    /// A page with its picture as a file, by default without a thumbnail.
    public init(page: Page, image: [UInt8], media: String, thumbnail: [UInt8]? = nil) {
        self.init(
            page: page, picture: PagePicture(image: image, media: media, thumbnail: thumbnail))
    }
}
