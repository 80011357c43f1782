import CaptureKit
import CommandLine

/// The output of `copystand options`: every option with its value, its accepted values, and its
/// help.
///
/// An option is a row with its name, value and accepted values, with its help below, so that lines
/// stay readable at 80 columns:
///
///     Scan
///       source          feeder          flatbed, feeder, feeder-duplex, auto
///                       Where pages are taken from.
///       resolution      300 dpi         75, 100, 150, 200, 300, 600
///                       How finely pages are scanned.
struct OptionsPage {
    let options: [DeviceOption]
    let terminal: Terminal

    /// The maximum number of columns of a line; longer lines are hard to read.
    private static let widest = 120
    private static let indent = 2
    private static let gap = 2

    /// The page; every line ends in a line break.
    var text: String {
        groups.map { group, options in
            let heading = group.isEmpty ? "" : terminal.styled(Sanitized.line(group), .bold) + "\n"
            return heading + options.map(entry).joined()
        }.joined(separator: "\n")
    }

    private var groups: [(String, [DeviceOption])] {
        var names: [String] = []
        for option in options where !names.contains(option.group ?? "") {
            names.append(option.group ?? "")
        }
        return names.map { name in (name, options.filter { ($0.group ?? "") == name }) }
    }

    private var width: Int { max(40, min(terminal.width - 1, Self.widest)) }

    /// Columns of the longest of `texts` that is no longer than `most`.
    private func column(_ texts: [String], most: Int) -> Int {
        texts.map(\.displayWidth).filter { $0 <= most }.max() ?? most
    }

    private var nameWidth: Int { column(options.map(\.name), most: 22) }
    private var valueWidth: Int { column(options.map(value), most: max(10, width / 5)) }

    private func value(_ option: DeviceOption) -> String {
        guard let value = option.value?.words, !value.isEmpty else { return "-" }
        return Sanitized.line(value) + (option.unit.map { " \($0.words)" } ?? "")
    }

    private func entry(_ option: DeviceOption) -> String {
        let name = Sanitized.line(option.name)
        let value = value(option)
        let start = Self.indent + nameWidth + Self.gap
        let second = start + valueWidth + Self.gap
        var first = String(repeating: " ", count: Self.indent)
        first += option.isActive ? terminal.styled(name, .bold) : terminal.styled(name, .faint)
        // A name or value that is too wide for its column gets its own row.
        first += spaces(max(Self.gap, start - Self.indent - name.displayWidth))
        first += value
        let takes = Sanitized.line(option.takes)
        let isWide =
            name.displayWidth > nameWidth || value.displayWidth > valueWidth
        var lines: [String] = []
        if isWide {
            lines.append(first)
            lines += TextWrap.lines(takes, width: width - start).map { spaces(start) + $0 }
        } else {
            let wrapped = TextWrap.lines(takes, width: max(16, width - second))
            lines.append(first + spaces(second - start - value.displayWidth) + wrapped[0])
            lines += wrapped.dropFirst().map { spaces(second) + $0 }
        }
        let help = TextWrap.lines(Sanitized.line(notes(option)), width: width - start)
        lines += help.map { spaces(start) + terminal.styled($0, .faint) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The option's help, its default, and hints for setting it.
    private func notes(_ option: DeviceOption) -> String {
        var marks: [String] = []
        if let usual = option.defaultValue, !usual.words.isEmpty {
            marks.append("default: \(usual.words)")
        }
        if option.isReadOnly { marks.append("read-only") }
        if !option.isActive { marks.append("not in use now") }
        if option.hostPath { marks.append("not over the network") }
        if option.isAdvanced { marks.append("for experts") }
        let help = option.help.isEmpty ? option.title : option.help
        let end = marks.isEmpty ? "" : " (\(marks.joined(separator: "; ")))"
        return help + end
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
