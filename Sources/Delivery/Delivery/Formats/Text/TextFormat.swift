import Documents

extension FileFormat {
    /// Plain text; a form feed between pages.
    public static let text = Self(".txt", mediaType: "text/plain; charset=utf-8") {
        try TextFormat($0)
    }
}

/// Plain text in reading order, UTF-8: a newline ends a line, an empty line a paragraph, a form
/// feed separates pages.
final class TextFormat: FormatWriter {
    private let file: PartialFile
    private var isFirst = true

    init(_ context: FormatContext) throws {
        file = try PartialFile(context.name, in: context.folder)
    }

    func add(_ page: DeliveredPage) throws {
        if !isFirst { try file.append("\u{0C}") }
        isFirst = false
        var isFirstParagraph = true
        for paragraph in page.page.text?.blocks.flatMap(\.paragraphs) ?? [] {
            let lines = paragraph.lines
                .map {
                    $0.words.map { cleaned($0.text) }.filter { !$0.isEmpty }.joinedAsLine()
                }
                .filter { !$0.isEmpty }
            guard !lines.isEmpty else { continue }
            if !isFirstParagraph { try file.append("\n") }
            isFirstParagraph = false
            try file.append(lines.joined(separator: "\n") + "\n")
        }
    }

    func finish() throws -> [PartialFile] { [file] }
}
