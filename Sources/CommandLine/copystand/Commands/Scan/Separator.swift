import CaptureKit
import CommandLine
import Delivery
import Recognition

/// `copystand separator`: the sheet to put between documents.
enum SeparatorCommand {
    private static let output = Option(
        "output", short: "o", value: "FILE", .path,
        help: "Write the sheet here, a .pdf. An existing file is never overwritten.",
        completion: .files)
    private static let paper = Option(
        "paper", value: "NAME", .choice(SeparatorSheet.papers.map(\.name)),
        help: "The paper to print on.", default: SeparatorSheet.papers[0].name)

    static let command = Command(
        name: "separator", summary: "Make a sheet that separates the documents of a stack",
        discussion: """
            Writes a page to print: a Code 128 and a QR code, both with the text \
            \(SplitRule.separatorText), and a few words for people. Put one between the documents \
            of a stack, and scan it with --split-at separator: each document gets its own file, \
            without the sheets and their blank backs.
            """,
        examples: [
            Example("A sheet to print", "copystand separator -o sheet.pdf"),
            Example(
                "Scan a stack with such sheets in it",
                "copystand scan --split-at separator -o 'letter-{n}.pdf'"),
        ],
        options: [output, paper],
        handler: handler { arguments, console in
            guard let path = arguments.text(output) else {
                throw UsageError(
                    .refused("is missing: name the file for the sheet, such as -o sheet.pdf"),
                    argument: output.spelling, path: arguments.path)
            }
            guard try NewFile.check(path) == .pdf else {
                throw UsageError(
                    .refused("must end in .pdf: the sheet is a PDF"), argument: path,
                    path: arguments.path)
            }
            let name = arguments.text(paper)
            let paper = SeparatorSheet.papers.first { $0.name == name } ?? SeparatorSheet.papers[0]
            let file = try NewFile(path: path)
            try SeparatorSheet.pdf(paper).withUnsafeBytes { bytes in
                try file.append(bytes)
            }
            try console.result(try file.finish() + "\n")
            return .done
        })
}
