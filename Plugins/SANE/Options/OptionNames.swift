/// Makes drivers' option names legal for the protocol: lower-case letters, digits and hyphens, each name once.
struct OptionNames {
    private var taken: Set<String>

    /// Names of which some are given away already.
    init(taken: Set<String> = []) { self.taken = taken }

    /// A legal name for `name`, or for `title` where the driver gave no name.
    mutating func legal(_ name: String, title: String, index: Int) -> String {
        var base = OptionNames.folded(name)
        if base.isEmpty { base = OptionNames.folded(title) }
        if base.isEmpty { base = "option-\(index)" }
        return unique(base)
    }

    /// `name`, or `name-2` and so on when it is given away.
    mutating func unique(_ name: String) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = "\(name)-\(number)"
            number += 1
        }
        return candidate
    }

    /// `text` in lower case with everything else than letters and digits become single hyphens, at most 80 characters.
    static func folded(_ text: String) -> String {
        let parts = text.lowercased().utf8.split {
            !(97...122).contains($0) && !(48...57).contains($0)
        }
        let joined = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
        return String(joined.prefix(80))
    }
}
