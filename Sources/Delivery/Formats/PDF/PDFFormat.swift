import Documents
import Imaging

/// A searchable PDF: the page's picture, and under it the words, invisible.
///
/// Pictures wait in a spool on disk; the file is written at the end, since a linearised PDF begins with what is known last.
final class PDFFormat: FormatWriter {
    private let context: FormatContext
    private let spool: SpoolFile
    private let assembly: PDFAssembly
    private let glyphs: GlyphTable

    init(_ context: FormatContext, glyphs: GlyphTable = GlyphTable()) throws {
        self.context = context
        self.glyphs = glyphs
        spool = try SpoolFile(for: context.name, in: context.spoolFolder)
        assembly = try PDFAssembly(spool: spool, name: context.name)
    }

    func add(_ page: DeliveredPage) throws {
        let picture = try PDFPicture(page, quality: context.options.pdfQuality)
        let size = PDFPageSize(page)
        let layer = TextLayer(text: PlacedText(page), width: size.width, height: size.height)
        let width = decimal(size.width, digits: 4)
        let height = decimal(size.height, digits: 4)
        let content = layer.operators(glyphs) + "q \(width) 0 0 \(height) 0 0 cm /Im Do Q\n"
        try assembly.add(
            picture, image: spool.append(picture.bytes), content: spool.append(Array(content.utf8)),
            width: size.width, height: size.height)
    }

    func finish() throws -> [PartialFile] {
        for font in glyphs.fonts { try assembly.add(font: font) }
        let file = try PartialFile(context.name, in: context.folder)
        try assembly.write(context.info, to: file)
        return [file]
    }
}

/// A page's size in points, 72 to the inch, from its picture and resolution.
struct PDFPageSize {
    var width: Double
    var height: Double

    init(_ page: DeliveredPage) {
        let columns = Double(page.image.width)
        let rows = Double(page.image.height)
        // ISO 32000-1, annex C: a page has 3 to 14,400 points a side. The longer side is held to it, so that
        // proportions stay.
        let points = max(columns, rows) * 72 / resolution(of: page)
        let scale = min(max(points, 3), 14_400) / max(columns, rows)
        width = max(columns * scale, 3)
        height = max(rows * scale, 3)
    }
}
