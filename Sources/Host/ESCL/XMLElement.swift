/// An XML element of an answer.
///
/// Prefixes are written as given, because clients look for them.
struct XMLElement {
    let name: String
    var text = ""
    var children: [XMLElement] = []

    init(_ name: String, _ text: String) {
        (self.name, self.text) = (name, text)
    }

    init(_ name: String, _ number: Int) { self.init(name, "\(number)") }

    init(_ name: String, _ children: [XMLElement?]) {
        self.name = name
        self.children = children.compactMap(\.self)
    }

    /// The document with this element as the outermost one.
    var document: [UInt8] {
        var result = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        write(
            to: &result,
            attributes: " xmlns:scan=\"\(ESCLNames.escl)\" xmlns:pwg=\"\(ESCLNames.pwg)\"",
            indent: "")
        return Array(result.utf8)
    }

    private func write(to result: inout String, attributes: String = "", indent: String) {
        result += "\(indent)<\(name)\(attributes)>"
        if children.isEmpty {
            result += Self.escaped(text)
        } else {
            result += "\n"
            for child in children { child.write(to: &result, indent: indent + " ") }
            result += indent
        }
        result += "</\(name)>\n"
    }

    /// Text for XML 1.0: control characters and invalid characters are left out.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default:
                let isCharacter = scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE
                if isCharacter, !(0x7F..<0xA0).contains(scalar.value) {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
