import Delivery
import Glibc

/// Names the documents of one watch: `{n}` in an output stands for the number of the document,
/// from 001.
///
///     OutputNumbering(["scan-{n}.pdf"]).outputs(7)   // ["scan-007.pdf"]
///
/// An output without `{n}` gets the number before its ending.
public struct OutputNumbering: Sendable {
    static let mark = "{n}"
    private let templates: [String]

    /// The names for outputs; empty for no outputs.
    public init(_ outputs: [String]) {
        templates = outputs.map(Self.template)
    }

    /// The outputs of the document with that number, from 1.
    public func outputs(_ number: Int) -> [String] {
        templates.map { $0.replacing(Self.mark, with: Self.padded(number)) }
    }

    /// A number in the form for names, such as `007`.
    static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }

    /// The first number, from `number` on, without an existing file.
    public func firstFree(from number: Int) -> Int {
        var number = number
        while number < 1_000_000, outputs(number).contains(where: { access($0, F_OK) == 0 }) {
            number += 1
        }
        return number
    }

    private static func template(_ output: String) -> String {
        // All documents go into the same archive.
        if output.contains(mark) || ArchiveSink.isMeant(by: output) { return output }
        let name = output.utf8.lastIndex(of: UInt8(ascii: "/")).map { output.utf8.index(after: $0) }
        let start = name ?? output.startIndex
        // An extension may have two parts, so it begins at the first dot; the dot at the beginning
        // of a hidden file's name does not count.
        let rest = output[start...].dropFirst()
        guard let dot = rest.firstIndex(of: ".") else { return output + "-" + mark }
        return output[..<dot] + "-" + mark + output[dot...]
    }
}
