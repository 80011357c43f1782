import Documents
import Imaging

/// A searchable PDF: the page's pictures, and under them the words, invisible.
///
/// Pictures wait in a spool on disk; the file is written at the end, since a linearised PDF begins with what is known last.
final class PDFFormat: FormatWriter {
    private let context: FormatContext
    private let spool: SpoolFile
    private let assembly: PDFAssembly
    private let glyphs: GlyphTable
    private var pages = 0
    /// The pages that layers would have harmed.
    private var keptWhole: [Int] = []

    init(_ context: FormatContext, glyphs: GlyphTable = GlyphTable()) throws {
        self.context = context
        self.glyphs = glyphs
        spool = try SpoolFile(for: context.name, in: context.spoolFolder)
        assembly = try PDFAssembly(spool: spool, name: context.name)
    }

    func add(_ page: DeliveredPage) throws {
        let appearance = try PDFAppearance(page, context.options)
        let size = PDFPageSize(page)
        let layer = TextLayer(text: PlacedText(page), width: size.width, height: size.height)
        let content = layer.operators(glyphs) + appearance.operators(on: size)
        try assembly.add(
            appearance.layers.map { ($0, try spool.append($0.picture.bytes)) },
            content: spool.append(Array(content.utf8)), size: size)
        pages += 1
        if appearance.keptWhole { keptWhole.append(pages) }
    }

    /// Which pages are no smaller than without layers, and why.
    var notes: [String] {
        guard !keptWhole.isEmpty else { return [] }
        let numbers = keptWhole.map(String.init).joined(separator: ", ")
        return [
            keptWhole.count == 1
                ? "Page \(numbers) is kept as a JPEG: it has detail, such as a photograph or pale pencil, that layers would lose."
                : "Pages \(numbers) are kept as JPEGs: they have detail, such as photographs or pale pencil, that layers would lose."
        ]
    }

    func finish() throws -> [PartialFile] {
        for font in glyphs.fonts { try assembly.add(font: font) }
        let file = try PartialFile(context.name, in: context.folder)
        try assembly.write(context.info, context.options.pdf, to: file)
        return [file]
    }
}

/// A page's size in points, 72 to the inch, from its picture and resolution.
struct PDFPageSize {
    var width: Double
    var height: Double

    init(_ page: DeliveredPage) {
        let across = Double(page.image.width) * 72 / resolution(of: page)
        let down = Double(page.image.height) * 72 / resolutionDown(of: page)
        // ISO 32000-1, annex C: a page has 3 to 14,400 points a side. The longer side is held to it, so that
        // proportions stay.
        let scale = min(max(max(across, down), 3), 14_400) / max(across, down)
        width = max(across * scale, 3)
        height = max(down * scale, 3)
    }
}
