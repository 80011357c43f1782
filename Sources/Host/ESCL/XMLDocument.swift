import CExpat

/// A small XML document from a client, read with strict limits: only elements without inner
/// elements are kept.
///
/// Documents with a document type are refused, so that none can declare entities.
struct XMLDocument {
    /// An element without inner elements.
    struct Leaf: Equatable {
        /// The names from the root to the element, without namespaces.
        var path: [String]
        /// The element's text, without white space around it.
        var text: String
    }

    /// The elements without inner elements, in order; those of other namespaces are left out.
    private(set) var leaves: [Leaf] = []
    /// The name of the outermost element.
    private(set) var root = ""

    /// The deepest nesting of elements.
    static let mostDepth = 12
    /// The maximum number of elements.
    static let mostElements = 1000
    /// The maximum size of a text in bytes.
    static let mostText = 1024

    /// Reads a document.
    ///
    /// - Throws: ``ESCLError`` that describes the mistake.
    init(_ bytes: [UInt8]) throws(ESCLError) {
        // Some clients send a line end before the declaration, which no reader accepts.
        let blank: Set<UInt8> = [9, 10, 13, 32]
        let document = bytes.drop { blank.contains($0) }
        guard !document.isEmpty else { throw ESCLError("The request has no document.") }
        var collector = Collector()
        let result = withUnsafeMutablePointer(to: &collector) { collector in
            var reader = copystand_xml_reader(
                context: collector,
                begin: { context, name in
                    guard let collector = Collector.of(context), let name else { return 1 }
                    return collector.pointee.begin(String(cString: name)) ? 0 : 1
                },
                text: { context, text, count in
                    guard let collector = Collector.of(context) else { return 1 }
                    return collector.pointee.take(
                        UnsafeRawBufferPointer(start: text, count: count)) ? 0 : 1
                },
                end: { context in
                    Collector.of(context)?.pointee.end()
                    return 0
                })
            return document.withUnsafeBytes { bytes in
                copystand_xml_read(
                    bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, &reader)
            }
        }
        switch result {
        case copystand_xml_done: break
        case copystand_xml_has_doctype:
            throw ESCLError("The document has a document type. Leave it out.")
        case copystand_xml_stopped:
            throw ESCLError(
                "The document is too large: at most \(Self.mostElements) elements, \(Self.mostDepth) within one another, and \(Self.mostText) bytes of text in each."
            )
        case copystand_xml_unavailable:
            throw ESCLError(
                "Documents can't be read here. Install the package libexpat1.", isOurs: true)
        default: throw ESCLError("The document is not well-formed XML.")
        }
        (leaves, root) = (collector.leaves, collector.root)
    }
}

/// Collects what the XML reader reports.
private struct Collector {
    private struct Open {
        var isKnown: Bool
        var isLeaf = true
        var text: [UInt8] = []
    }

    var leaves: [XMLDocument.Leaf] = []
    var root = ""
    private var names: [String] = []
    private var open: [Open] = []
    private var count = 0

    static func of(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Collector>? {
        context?.assumingMemoryBound(to: Collector.self)
    }

    /// Handles the start of an element; false when there are too many.
    mutating func begin(_ name: String) -> Bool {
        count += 1
        guard count <= XMLDocument.mostElements, open.count < XMLDocument.mostDepth else {
            return false
        }
        let parts = name.split(separator: " ", maxSplits: 1)
        let local = String(parts.last ?? "")
        // The known namespaces are those of eSCL and PWG; a client may omit namespaces.
        let isKnown = parts.count < 2 || ESCLNames.namespaces.contains(String(parts[0]))
        if !open.isEmpty { open[open.count - 1].isLeaf = false }
        if root.isEmpty { root = local }
        names.append(local)
        open.append(Open(isKnown: isKnown && (open.last?.isKnown ?? true)))
        return true
    }

    mutating func take(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let last = open.indices.last else { return true }
        guard open[last].text.count + text.count <= XMLDocument.mostText else { return false }
        open[last].text += text
        return true
    }

    mutating func end() {
        guard let element = open.popLast() else { return }
        if element.isLeaf, element.isKnown {
            let text = String(decoding: element.text, as: UTF8.self)
            let trimmed = text.drop(while: \.isWhitespace)
            let end = trimmed.lastIndex { !$0.isWhitespace }.map { trimmed.index(after: $0) }
            leaves.append(
                XMLDocument.Leaf(
                    path: names, text: String(trimmed[..<(end ?? trimmed.startIndex)])))
        }
        names.removeLast()
    }
}
