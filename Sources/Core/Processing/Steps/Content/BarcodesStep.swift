import Documents
import Imaging
import Recognition

/// Reads the page's barcodes; the picture stays as it is.
struct BarcodesStep: ProcessingStep {
    static let formats = StepOptionKey(
        choice: "formats",
        of: ["all", "linear", "matrix"] + BarcodeFormat.allCases.map(\.rawValue), default: "all",
        help: "Which kinds to look for: all, linear, two-dimensional, or one kind.")

    static let declaration = StepDeclaration(
        name: "barcodes", title: "Read barcodes",
        help:
            "Reads barcodes and QR codes, with their places. Put it after the steps that crop, turn and straighten, since the places refer to the page that it gets.",
        options: [formats.option])

    private let reader: BarcodeReader

    init(_ settings: StepSettings) {
        let wanted = settings[Self.formats]
        reader = BarcodeReader(
            formats: BarcodeFormat(rawValue: wanted).map { [$0] }
                ?? (wanted == "linear"
                    ? BarcodeFormat.linear
                    : wanted == "matrix" ? BarcodeFormat.matrix : BarcodeFormat.allCases))
    }

    func run(on page: StepInput) throws -> StepOutcome {
        let found = try reader.read(page.image)
        var outcome = StepOutcome.left(page.image, Self.summary(found))
        outcome.measurements["barcodes"] = Double(found.count)
        outcome.found = found
        return outcome
    }

    private static func summary(_ found: [Finding]) -> String {
        guard !found.isEmpty else { return "no barcode found" }
        return "read "
            + found.map { finding in
                let text =
                    finding.text.count > 40 ? finding.text.prefix(40) + "…" : finding.text[...]
                return "\(finding.format ?? "a code") '\(text)'"
            }.joined(separator: ", ")
    }
}
