import Delivery

/// A document's place in a batch.
package struct DocumentPlace: Hashable, Sendable {
    /// The document's number, from 1; nil for the only document of a job that is not split.
    var number: Int?
    /// The name from a barcode.
    var name: String?
    /// A text that no other document of the batch has: the name or the number, or both if an
    /// earlier document has the same name.
    var mark: String

    /// The only document of a job.
    package static let only = DocumentPlace(number: nil, name: nil, mark: "")
}

/// Names the documents that a batch is split into: `{name}` in an output stands for the document's
/// name from the barcode, `{n}` for its number from 001.
///
///     DocumentNames(["{name}.pdf"]).outputs(place)   // ["ASN0012.pdf"]
///
/// An output without either gets the number before its ending, and a document without a name its
/// number.
package struct DocumentNames: Sendable {
    static let nameMark = "{name}"
    private let outputs: [String]
    private var used: Set<String> = []

    /// Names for the documents of an order with these outputs.
    package init(_ outputs: [String]) { self.outputs = outputs }

    /// The place of the next document.
    package mutating func place(_ number: Int, _ name: String?) -> DocumentPlace {
        let safe = name.map(NameTemplate.safe) ?? ""
        let digits = OutputNumbering.padded(number)
        var mark = safe.isEmpty ? digits : safe
        while !used.insert(mark).inserted { mark += "-" + digits }
        return DocumentPlace(number: number, name: safe.isEmpty ? nil : safe, mark: mark)
    }

    /// The outputs of a document.
    package func outputs(_ place: DocumentPlace) -> [String] {
        guard let number = place.number else { return outputs }
        return outputs.map { output in
            if ArchiveSink.isMeant(by: output) { return output }
            let named = output.replacing(Self.nameMark, with: place.mark)
            if named != output, !named.contains(OutputNumbering.mark) { return named }
            return OutputNumbering([named]).outputs(number)[0]
        }
    }
}
