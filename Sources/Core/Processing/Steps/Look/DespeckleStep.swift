import Imaging

/// Removes isolated specks.
struct DespeckleStep: ProcessingStep {
    static let size = StepOptionKey(
        number: "size", in: 0.05...1, unit: "mm", default: 0.25,
        help: "The diameter of the largest speck to remove.")

    static let declaration = StepDeclaration(
        name: "despeckle", title: "Remove specks",
        help:
            "Removes dust and grain. Specks near something larger stay, since they may be the dot of an i or a period.",
        done: "specks removed",
        options: [size.option])

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        let image = page.image
        let resolution = image.plausibleResolution ?? 300
        let largest = max(1, Int((settings[Self.size] / 25.4 * resolution).rounded(.down)))
        let mask = try image.binarized(.sauvola(radius: BinarizeStep.radius(2.1, in: image)))
        let ink = InkComponents(of: mask)
        // A speck within half a line's height of a word belongs to the word.
        let neighbors = Neighborhood(
            ink, largerThan: largest, reach: max(2, Int(resolution / 25.4 * 2)), in: mask)
        let specks = ink.components.filter {
            max($0.box.width, $0.box.height) <= largest && !neighbors.reaches($0.box)
        }
        guard !specks.isEmpty else { return .left(image, "unchanged: no specks", ["specks": 0]) }
        return .changed(
            image.painted(over: specks.flatMap { ink.runs[$0.runs] }, room: largest + 2),
            "removed \(counted(specks.count, "speck"))", ["specks": Double(specks.count)])
    }
}

/// The places of larger marks, in squares of a few millimeters.
private struct Neighborhood {
    private let side: Int
    private let columns: Int
    private let rows: Int
    private var isTaken: [Bool]

    init(_ ink: InkComponents, largerThan limit: Int, reach: Int, in mask: Raster) {
        side = reach
        columns = mask.width / reach + 1
        rows = mask.height / reach + 1
        isTaken = Array(repeating: false, count: columns * rows)
        for component in ink.components
        where max(component.box.width, component.box.height) > limit {
            for run in ink.runs[component.runs] {
                for column in run.start / side...(run.end - 1) / side {
                    isTaken[run.y / side * columns + column] = true
                }
            }
        }
    }

    /// True when a larger mark is in the squares around `box`.
    func reaches(_ box: PixelRect) -> Bool {
        let (x, y) = (box.x / side, box.y / side)
        for row in max(0, y - 1)...min(rows - 1, y + 1) {
            for column in max(0, x - 1)...min(columns - 1, x + 1)
            where isTaken[row * columns + column] {
                return true
            }
        }
        return false
    }
}
