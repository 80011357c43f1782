/// Makes drivers' option names legal for the protocol: lowercase letters, digits and hyphens, each
/// name once.
struct OptionNames {
    private var taken: Set<String>

    /// Names, some of them already used.
    init(taken: Set<String> = []) { self.taken = taken }

    /// A legal name for `name`, or for `title` where the driver gave no name.
    mutating func legal(_ name: String, title: String, index: Int) -> String {
        var base = OptionNames.folded(name)
        if base.isEmpty { base = OptionNames.folded(title) }
        if base.isEmpty { base = "option-\(index)" }
        return unique(base)
    }

    /// `name`, or `name-2` and so on if it is in use.
    mutating func unique(_ name: String) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = "\(name)-\(number)"
            number += 1
        }
        return candidate
    }

    /// `text` in lower case, with a hyphen for each run of characters other than letters and
    /// digits, and at most 80 characters.
    static func folded(_ text: String) -> String {
        var folded: [UInt8] = []
        var isApart = false
        for byte in text.utf8 {
            let byte = (65...90).contains(byte) ? byte + 32 : byte
            guard (97...122).contains(byte) || (48...57).contains(byte) else {
                isApart = true
                continue
            }
            if isApart, !folded.isEmpty { folded.append(UInt8(ascii: "-")) }
            isApart = false
            folded.append(byte)
        }
        return String(decoding: folded.prefix(80), as: UTF8.self)
    }
}
