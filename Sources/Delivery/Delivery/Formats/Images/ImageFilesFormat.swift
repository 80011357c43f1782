import Imaging

/// Writes one PNG, JPEG or WebP file for each page.
///
/// A page is encoded, written and synced as it comes.
final class ImageFilesFormat: FormatWriter {
    private let context: FormatContext
    private let format: FileFormat
    private var files: [PartialFile] = []

    init(_ context: FormatContext, _ format: FileFormat) {
        self.context = context
        self.format = format
    }

    func add(_ page: DeliveredPage) throws {
        var image = page.image
        image.resolution = resolution(of: page)
        let file = try PartialFile(context.name, in: context.folder)
        switch format {
        case .jpeg: try file.append(jpeg(page, image))
        case .webp:
            try file.append(image.encodedWebP(quality: context.options.webpQuality))
        default:
            try file.append(
                png: image, resolution: (resolution(of: page), resolutionDown(of: page)))
        }
        try file.seal()
        files.append(file)
    }

    func finish() throws -> [PartialFile] { files }

    /// The captured JPEG, if its pixels are unchanged; otherwise a new one.
    private func jpeg(_ page: DeliveredPage, _ image: Raster) throws -> [UInt8] {
        if let original = page.originalJPEG, let head = JPEGHeader(original),
            head.canStandFor(width: image.width, height: image.height)
        {
            return original
        }
        return try image.encodedJPEG(
            quality: context.options.jpegQuality, resolutionDown: resolutionDown(of: page))
    }
}
