@testable import SANEBackend

/// Parses a driver's options from the output of `scanimage -A`, as people post it.
struct Listing {
    /// The driver's options, numbered in order.
    let options: NativeOptions

    /// Reads lines such as `--mode Lineart|Gray|Color [Gray]` and `-x 0..215.9mm (in steps of 0.1)
    /// [215.9]`; lines that end in a colon are groups, and everything else is an explanation.
    init(_ text: String) {
        var group: String?
        var all: [NativeOption] = []
        for line in text.split(separator: "\n").map(String.init) {
            let words = line.trimmed
            if words.hasPrefix("-"), let option = Listing.option(words, all.count + 1, group) {
                all.append(option)
            } else if words.hasSuffix(":") {
                group = String(words.dropLast())
            }
        }
        // scanimage shows the far edges as width and height; with the near ones at 0 these are the
        // same.
        options = NativeOptions(all: all)
    }

    private static let edges = ["-l": "tl-x", "-t": "tl-y", "-x": "br-x", "-y": "br-y"]
    private static let units: [(String, NativeOption.Unit)] = [
        ("mm", .millimeters), ("dpi", .dpi), ("%", .percent), ("us", .microseconds),
        ("bit", .bits), ("pel", .pixels),
    ]

    private static func option(_ line: String, _ index: Int, _ group: String?) -> NativeOption? {
        var line = line
        var flags: Set<String> = []
        var value: String?
        // The text in brackets at the end is the value, or the state of the option.
        while line.hasSuffix("]"), let open = line.lastIndex(of: "["),
            !line[open...].hasPrefix("[=")
        {
            let word = String(line[line.index(after: open)...].dropLast())
            if ["inactive", "advanced", "read-only", "hardware"].contains(word) {
                flags.insert(word)
            } else {
                value = word
            }
            line = String(line[..<open]).trimmed
        }
        var step = 0.0
        if let steps = line.range(of: "(in steps of ") {
            step = Double(line[steps.upperBound...].prefix { $0 != ")" }) ?? 0
            line = String(line[..<steps.lowerBound]).trimmed
        }
        let isToggle = line.hasSuffix("[=(yes|no)]")
        if isToggle { line = String(line.dropLast("[=(yes|no)]".count)) }
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let flag = parts.first else { return nil }
        let name = edges[flag] ?? String(flag.drop { $0 == "-" })
        var option = NativeOption(
            index: index, name: name, title: name, group: group, kind: .button)
        option.isActive = !flags.contains("inactive")
        option.isAdvanced = flags.contains("advanced")
        option.isSettable = flags.isDisjoint(with: ["read-only", "hardware"])
        if isToggle {
            option.kind = .toggle
            option.value = .toggle(value == "yes")
        } else if parts.count == 2 {
            option.take(parts[1], step, value, units)
        }
        if !option.isActive { option.value = nil }
        return option
    }
}

extension NativeOption {
    /// Fills in the type and the state that follow an option's name.
    fileprivate mutating func take(
        _ text: String, _ step: Double, _ value: String?, _ units: [(String, Unit)]
    ) {
        var text = text.hasPrefix("auto|") ? String(text.dropFirst(5)) : text
        for (suffix, unit) in units where text.hasSuffix(suffix) {
            let rest = String(text.dropLast(suffix.count))
            if rest.last?.isNumber == true {
                self.unit = unit
                text = rest
                break
            }
        }
        let number = value.flatMap { Double($0) }
        if text == "<string>" {
            (kind, size) = (.text, 64)
            self.value = .text(value ?? "")
        } else if text == "<int>" {
            kind = .integer
            self.value = number.map { .numbers([$0]) }
        } else if let dots = text.range(of: ".."), let lower = Double(text[..<dots.lowerBound]),
            let upper = Double(text[dots.upperBound...])
        {
            let isWhole = !text.replacing("..", with: "").contains(".") && unit != .millimeters
            kind = isWhole ? .integer : .fixed
            constraint = .range(lower: lower, upper: upper, step: step)
            self.value = number.map { .numbers([$0]) }
        } else {
            let choices = text.split(separator: "|").map(String.init)
            let numbers = choices.compactMap { Double($0) }
            if numbers.count == choices.count {
                kind = .integer
                constraint = .numbers(numbers)
                self.value = number.map { .numbers([$0]) }
            } else {
                (kind, size) = (.text, 64)
                constraint = .texts(choices)
                self.value = value.map { .text($0) }
            }
        }
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        String(String(drop { $0.isWhitespace }.reversed()).drop { $0.isWhitespace }.reversed())
    }

    fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
