import Imaging

extension FileFormat {
    /// One PNG for each page.
    public static let png = images(".png", mediaType: "image/png") { page, image, file, _ in
        try file.append(
            png: image, resolution: (resolution(of: page), resolutionDown(of: page)))
    }
    /// One JPEG for each page.
    public static let jpeg = images(".jpg", ".jpeg", mediaType: "image/jpeg") {
        try $2.append(jpeg($0, $1, $3))
    }
    /// One WebP for each page.
    public static let webp = images(".webp", mediaType: "image/webp") { _, image, file, options in
        try file.append(image.encodedWebP(quality: options.webpQuality))
    }

    private static func images(
        _ endings: String..., mediaType: String, write: @escaping ImageFilesFormat.Write
    ) -> FileFormat {
        FileFormat(
            endings, mediaType: mediaType, remark: "one file per page", isOneFileAPage: true,
            showsPages: true
        ) { ImageFilesFormat($0, write) }
    }

    /// The captured JPEG, if its pixels are unchanged; otherwise a new one.
    private static func jpeg(
        _ page: DeliveredPage, _ image: Raster, _ options: FileSinkOptions
    ) throws -> [UInt8] {
        if let original = page.originalJPEG, let head = JPEGHeader(original),
            head.canStandFor(width: image.width, height: image.height)
        {
            return original
        }
        return try image.encodedJPEG(
            quality: options.jpegQuality, resolutionDown: resolutionDown(of: page))
    }
}

/// Writes one file with a picture for each page.
///
/// A page is encoded, written and synced as it comes.
final class ImageFilesFormat: FormatWriter {
    /// Writes a page with its picture into its file.
    typealias Write =
        @Sendable (DeliveredPage, Raster, PartialFile, FileSinkOptions) throws -> Void

    private let context: FormatContext
    private let write: Write
    private var files: [PartialFile] = []

    init(_ context: FormatContext, _ write: @escaping Write) {
        self.context = context
        self.write = write
    }

    func add(_ page: DeliveredPage) throws {
        var image = page.image
        image.resolution = resolution(of: page)
        let file = try PartialFile(context.name, in: context.folder)
        try write(page, image, file, context.options)
        try file.seal()
        files.append(file)
    }

    func finish() throws -> [PartialFile] { files }
}
