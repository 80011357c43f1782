import FileNames
import Documents
import FoundationEssentials

extension FileFormat {
    /// All data of the document, as JSON.
    public static let json = Self(".json", mediaType: "application/json") { try JSONFormat($0) }
}

/// The whole document as one JSON object, in UTF-8.
///
///     {"format": "copystand-document", "version": 1,
///      "title": "May", "created": "2026-05-01T09:30:00Z", "language": "en",
///      "pages": [
///       {"number": 1, "width": 2480, "height": 3508, "resolution": 300,
///        "provenance": {"device": "file:may.jpg", "label": "may.jpg",
///                       "steps": [{"name": "deskew", "summary": "…", "changed": true,
///                                  "measurements": {"angle": 0.7}, "milliseconds": 12.5}]},
///        "problems": [],
///        "plainText": "…",
///        "tables": [{"box": …, "rows": [["Item", "Price"], ["Paper", "4.20"]]}],
///        "text": {"languages": ["eng"], "blocks": [{"box": …, "paragraphs": [{"box": …,
///          "lines": [{"box": …, "baseline": {"x1": …, "y1": …, "x2": …, "y2": …},
///            "words": [{"text": "May", "confidence": 0.96,
///                       "box": {"x": 10, "y": 20, "width": 90, "height": 40}}]}]}]}]}}]}
///
/// If the document's profile finds entries, `"entries"` follows the pages, each a ``FoundEntry``; a
/// document with fields of its own, such as the number of cards, has `"fields"`.
///
/// Boxes and baselines are in pixels from the page's top left corner. `language`, `label`, `text`
/// (with `plainText`), `tables` and `baseline` are absent when unknown. Measurements that are not
/// finite are left out. A page's object is the encoded ``Page``, with `plainText` and `tables`
/// added.
final class JSONFormat: FormatWriter {
    private let file: PartialFile
    private let encoder = JSONEncoder()
    private var isFirst = true
    private var found = DocumentFindings()

    init(_ context: FormatContext) throws {
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        file = try PartialFile(context.name, in: context.folder)
        let info = context.info
        var head = "{\"format\":\"copystand-document\",\"version\":1,\"title\":"
        head += try encoded(info.title)
        head += ",\"created\":\"\(Timestamp(seconds: info.created).iso8601)\""
        if let language = info.language { head += try ",\"language\":" + encoded(language) }
        try file.append(head + ",\"pages\":[")
    }

    func add(_ page: DeliveredPage) throws {
        try file.append((isFirst ? "\n" : ",\n") + encoded(PageRecord(page: portable(page.page))))
        isFirst = false
    }

    func note(_ found: DocumentFindings) throws { self.found = found }

    func finish() throws -> [PartialFile] {
        var end = "\n]"
        if !found.entries.isEmpty { end += try ",\n\"entries\":" + encoded(found.entries) }
        if !found.fields.isEmpty { end += try ",\n\"fields\":" + encoded(found.fields) }
        try file.append(end + "}\n")
        return [file]
    }

    private func encoded(_ value: some Encodable) throws -> String {
        SafeJSON.text(try encoder.encode(value))
    }
}

private struct PageRecord: Encodable {
    var page: Page

    private enum Key: String, CodingKey { case plainText, tables }

    func encode(to encoder: any Encoder) throws {
        try page.encode(to: encoder)
        guard let text = page.text else { return }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(text.plainText, forKey: .plainText)
        let tables = text.tables
        if !tables.isEmpty { try container.encode(tables, forKey: .tables) }
    }
}

/// The page without numbers that JSON can't express, and without this machine's folders.
private func portable(_ page: Page) -> Page {
    var page = page
    page.problems = page.problems.map(PlaceNames.removed)
    if !page.resolution.isFinite { page.resolution = 0 }
    if page.resolutionDown?.isFinite == false { page.resolutionDown = nil }
    for index in page.provenance.steps.indices {
        let step = page.provenance.steps[index]
        page.provenance.steps[index].summary = PlaceNames.removed(from: step.summary)
        page.provenance.steps[index].measurements = step.measurements.filter(\.value.isFinite)
        if !step.milliseconds.isFinite { page.provenance.steps[index].milliseconds = 0 }
    }
    let isFinite = page.text?.words.allSatisfy(\.confidence.isFinite) ?? true
    guard !isFinite, var text = page.text else { return page }
    for block in text.blocks.indices {
        for paragraph in text.blocks[block].paragraphs.indices {
            let lines = text.blocks[block].paragraphs[paragraph].lines
            text.blocks[block].paragraphs[paragraph].lines = lines.map { line in
                var line = line
                for index in line.words.indices where !line.words[index].confidence.isFinite {
                    line.words[index].confidence = 0
                }
                return line
            }
        }
    }
    page.text = text
    return page
}
