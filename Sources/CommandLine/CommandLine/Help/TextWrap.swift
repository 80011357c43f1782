/// Breaks text into lines of a given width, counted in terminal columns.
public enum TextWrap {
    /// The lines of `text`, broken at spaces; a word wider than a line is on a separate line.
    ///
    /// Line breaks in `text` stay.
    public static func lines(_ text: String, width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { wrapped($0.split(separator: " ").map(String.init), width: width) }
    }

    /// Lines of `parts`, none of which is broken, each line after the first indented by `indent`
    /// spaces.
    static func hanging(_ parts: [String], width: Int, indent: Int) -> String {
        let lines = wrapped(parts, width: max(20, width - indent))
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }

    private static func wrapped(_ words: [String], width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words {
            if line.isEmpty {
                line = word
            } else if line.displayWidth + 1 + word.displayWidth <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = word
            }
        }
        return lines + [line]
    }
}

extension String {
    /// The paragraphs, separated by empty lines, each as one line.
    var paragraphs: [String] {
        var result: [[Substring]] = [[]]
        for line in split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty { result.append([]) } else { result[result.count - 1].append(line) }
        }
        return result.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
    }
}
