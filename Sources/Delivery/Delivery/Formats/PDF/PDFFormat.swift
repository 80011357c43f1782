import Documents
import Imaging

extension FileFormat {
    /// A searchable PDF.
    public static let pdf = Self(
        ".pdf", mediaType: "application/pdf", remark: "searchable", showsPages: true
    ) { try PDFFormat($0) }
}

/// A searchable PDF: the page's pictures, and under them the words, invisible.
///
/// Pictures wait in a spool on disk. The file is written at the end, because a linearized PDF
/// begins with data that is known last.
final class PDFFormat: FormatWriter {
    private let context: FormatContext
    private let spool: NamelessFile
    private let assembly: PDFAssembly
    private let glyphs: GlyphTable
    private var pages = 0
    /// The pages that layers would have harmed.
    private var keptWhole: [Int] = []
    private let kept: KeptPages

    init(_ context: FormatContext, glyphs: GlyphTable = GlyphTable()) throws {
        self.context = context
        self.glyphs = glyphs
        spool = try NamelessFile(for: context.name, in: context.spoolFolder)
        assembly = try PDFAssembly(spool: spool, name: context.name)
        kept = KeptPages(context.options.pdf)
    }

    func add(_ page: DeliveredPage) throws {
        pages += 1
        let place = kept.place(of: page.document)
        if let place, let document = page.document, document.isKept {
            let layer = layer(of: document, page, on: place.file)
            kept.note(place, isChanged: layer != nil || document.turn != nil)
            return try assembly.add(
                place, turnedBy: document.turn,
                layer: layer.map { try spool.append(Array($0.utf8)) })
        }
        kept.note(place, isChanged: true, isRedrawn: true)
        let appearance = try PDFAppearance(page, context.options)
        let size = PDFPageSize(page)
        let layer = TextLayer(text: PlacedText(page), width: size.width, height: size.height)
        let content = layer.operators(glyphs) + appearance.operators(on: size)
        try assembly.add(
            appearance.layers.map { ($0, try spool.append($0.picture.bytes)) },
            content: spool.append(Array(content.utf8)), size: size, insteadOf: place)
        if appearance.keptWhole { keptWhole.append(pages) }
    }

    /// The words that a kept page lacks, with places from the corner of the page as shown; nil for
    /// none.
    private func layer(
        of document: DocumentPage, _ page: DeliveredPage, on file: PDFSourceFile
    ) -> String? {
        guard let added = document.addedText, !added.words.isEmpty,
            var size = file.size(ofPage: document.number)
        else { return nil }
        if let turn = document.turn, turn != .half { size = (size.height, size.width) }
        var page = page
        page.page.text = added
        let area = document.turnedArea
        let layer = TextLayer(
            text: PlacedText(page), width: size.width * area[2], height: size.height * area[3])
        let x = decimal(size.width * area[0], digits: 4)
        let y = decimal(size.height * (1 - area[1] - area[3]), digits: 4)
        return "1 0 0 1 \(x) \(y) cm\n" + layer.operators(glyphs)
    }

    /// The pages that layers did not make smaller, and the fate of the files of kept pages.
    var notes: [String] {
        guard !keptWhole.isEmpty else { return kept.notes }
        let numbers = keptWhole.map(String.init).joined(separator: ", ")
        return kept.notes + [
            keptWhole.count == 1
                ? "Page \(numbers) is kept as a JPEG: it has detail, such as a photograph or pale pencil, that layers would lose."
                : "Pages \(numbers) are kept as JPEGs: they have detail, such as photographs or pale pencil, that layers would lose."
        ]
    }

    func finish() throws -> [PartialFile] {
        let file = try PartialFile(context.name, in: context.folder)
        if let whole = try kept.wholeFile(
            named: context.name, isTitleGiven: context.info.isTitleGiven == true)
        {
            try file.append(contentsOf: whole)
        } else {
            for font in glyphs.fonts { try assembly.add(font: font) }
            try assembly.write(context.info, context.options.pdf, to: file)
            kept.noteDamaged(assembly.damagedFiles)
            kept.notePruned(assembly.pruned)
        }
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
        // ISO 32000-1, annex C: a page has 3 to 14,400 points a side. This limits the longer side,
        // to keep the proportions.
        let scale = min(max(max(across, down), 3), 14_400) / max(across, down)
        width = max(across * scale, 3)
        height = max(down * scale, 3)
    }
}
