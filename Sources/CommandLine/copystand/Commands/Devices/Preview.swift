import CommandLine
import FoundationEssentials
import ScanService

/// `copystand preview`: shows a quick picture of the platen.
enum PreviewCommand {
    static let output = Option(
        "output", short: "o", value: "FILE", .path,
        help: """
            Write the picture here; the extension chooses the format, such as .png or .jpg. An \
            existing file is never \
            overwritten.
            """,
        default: "preview.png", completion: .files)

    static let command = Command(
        name: "preview", summary: "Show quickly what is on the scanner's glass",
        discussion: """
            Scans the whole platen once at about 75 dpi, and prints which part of it the picture \
            shows, in millimeters from its top left corner, as 'scan --area' expects it.

            With --json the result is an object with "files", "device", "width" and "height" in \
            pixels and, if the device reports them, "resolution" in dots per inch and "area" with \
            "x", "y", "width" and "height" in millimeters.
            """,
        examples: [
            Example("Look", "copystand preview -o glass.png"),
            Example("Then scan a part", "copystand scan --area 10,20,100,150 -o part.pdf"),
        ],
        options: [ScanCommand.device, output] + ScannerOptions.settings
            + [ScanOptions.set, SharedOptions.json],
        handler: handler(run))

    private struct PreviewJSON: Encodable {
        var files: [String]
        var device: String
        var width: Int
        var height: Int
        var resolution: Double?
        var area: PlatenArea?
    }

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let change = ScanOrder.Change(
            common: try CommonSettings(arguments),
            settings: arguments.pairs(ScanOptions.set).map {
                .init(option: $0.name, value: $0.value)
            })
        let output = arguments.text(output) ?? "preview.png"
        let display = ScanDisplay(console)
        let preview = try await withDisplayedService(console, display) { service, control, show in
            try await service.preview(
                arguments.text(ScanCommand.device).map(absoluteDevice), to: output, change,
                control: control,
                onEvent: show)
        }
        display.clear()
        if arguments.isGiven(SharedOptions.json) {
            try console.json(
                PreviewJSON(
                    files: preview.locations, device: preview.device, width: preview.width,
                    height: preview.height, resolution: preview.resolution, area: preview.area))
        } else {
            for file in preview.locations { try console.result(file + "\n") }
            write(preview, console)
        }
        return .done
    }

    private static func write(_ preview: Preview, _ console: Console) {
        let dots = preview.resolution.map { " at \(millimeters($0)) dpi" } ?? ""
        guard let area = preview.area else {
            return console.say("\(preview.width) × \(preview.height) pixels\(dots).")
        }
        console.say(
            "It shows \(millimeters(area.width)) × \(millimeters(area.height)) mm, "
                + "beginning at \(millimeters(area.x)),\(millimeters(area.y))\(dots). "
                + "Scan a part of that with: copystand scan --area X,Y,W,H")
    }
}
