import Documents

/// Makes the fields and entries for review from a document's findings.
enum FoundFields {
    /// The document's searchable fields, from the finds on its pages: `barcode`, `barcode-2`,
    /// …; each text once.
    static func fields(_ pages: [Page], _ ids: [PageID]) -> [Field] {
        var fields: [Field] = []
        var counts: [String: Int] = [:]
        var known: Set<String> = []
        for (page, id) in zip(pages, ids) {
            for step in page.provenance.steps {
                for finding in step.found {
                    let kind = finding.kind.rawValue
                    guard known.insert("\(kind) \(finding.text)").inserted else { continue }
                    let count = counts[kind, default: 0] + 1
                    counts[kind] = count
                    fields.append(
                        Field(
                            name: count == 1 ? kind : "\(kind)-\(count)", value: finding.text,
                            source: step.name,
                            confidence: finding.confidence.isFinite ? finding.confidence : nil,
                            box: finding.box, page: id))
                }
            }
        }
        return fields
    }

    /// The entries by their numbers from 1, with `number`, `title` and `text` as fields; what is
    /// empty is left out.
    static func entries(_ found: [FoundEntry], _ pages: [Page], _ ids: [PageID]) -> [Entry] {
        let byNumber = Dictionary(
            zip(pages.map(\.number), ids).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
        return found.enumerated().map { index, entry in
            let page = entry.pages.first.flatMap { byNumber[$0] }
            let values = [("number", entry.number), ("title", entry.title), ("text", entry.text)]
            let fields = values.filter { !$0.1.isEmpty }.map { name, value in
                Field(
                    name: name, value: value, source: "entries", confidence: entry.confidence,
                    box: entry.places.first?.box, page: page)
            }
            return Entry(id: index + 1, page: page, fields: fields + entry.fields)
        }
    }
}
