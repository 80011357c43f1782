import CommandLine
import FoundationEssentials
import JobOptions
import ScanService

/// `copystand capture`: one picture, now.
enum CaptureCommand {
    static let region = Option(
        "region", value: "X,Y,W,H", .name,
        help: """
            Keep only this part of the picture: its left, top, width and height in pixels or, if \
            none of them is above 1, as fractions of the picture.
            """,
        excludes: ["aspect"])
    static let aspect = Option(
        "aspect", value: "W:H", .name,
        help:
            "Keep only the largest centered part of this shape, such as 8:1 for a line of print.",
        excludes: ["region"])
    static let profile = Option(
        "profile", short: "p", value: "NAME", .name,
        help: "What to do with the picture; 'copystand profiles list' lists the profiles.",
        default: "none", completion: .dynamic("profiles"))

    static let command = Command(
        name: "capture", summary: "Take one picture with a camera, now",
        discussion: """
            Writes whatever the camera sees. Unlike 'scan', it leaves the picture as it is unless \
            --profile is given: a JPEG from the camera is written byte for byte to a .jpg file.

            \(ScanOptions.jsonHelp)
            """,
        examples: [
            Example("One picture from the only camera", "copystand capture -o page.jpg"),
            Example(
                "The middle line of what the camera sees, as text",
                "copystand capture --aspect 8:1 --profile document -o line.txt"),
            Example(
                "The left half", "copystand capture --region 0,0,0.5,1 -o left.png"),
        ],
        options: [
            ScanCommand.device, ScanOptions.output, region, aspect, profile, ScanOptions.set,
            ScanOptions.step, ScanOptions.withoutStep,
        ] + Option.of(.capture) + [SharedOptions.json],
        handler: handler { parsed, console in
            var order = try ScanOrder(
                ScanArguments(.device(parsed.text(ScanCommand.device)), parsed, console))
            order.profile = parsed.text(profile) ?? "none"
            order.options[.pages] = 1
            order.area = try area(parsed)
            if parsed.texts(ScanOptions.output).isEmpty {
                order.outputs = [ScanOrder.pictureName(at: Date(), ending: "jpg")]
            }
            let placed = order
            return try await withScanService(console, isJSON: parsed.isGiven(SharedOptions.json)) {
                service, control, show in
                try await service.run(placed, control: control, onEvent: show)
            }
        })

    /// The requested part of the picture; nil for all of it.
    ///
    /// - Throws: ``UsageError`` for numbers that make no rectangle or shape.
    static func area(_ parsed: ParsedArguments) throws(UsageError) -> CaptureArea? {
        if let text = parsed.text(region) {
            guard let area = area(region: text) else {
                throw UsageError(
                    .invalidValue(
                        text,
                        expected:
                            "four numbers such as 100,50,800,600 in pixels or 0,0,0.5,1 as fractions"
                    ),
                    argument: region.spelling, path: parsed.path)
            }
            return area
        }
        guard let text = parsed.text(aspect) else { return nil }
        guard let area = area(aspect: text) else {
            throw UsageError(
                .invalidValue(text, expected: "a shape such as 8:1"), argument: aspect.spelling,
                path: parsed.path)
        }
        return area
    }

    static func area(region text: String) -> CaptureArea? {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = words.compactMap { Double($0) }
        guard words.count == 4, numbers.count == 4,
            numbers.allSatisfy({ $0.isFinite && (0...65_535).contains($0) }), numbers[2] > 0,
            numbers[3] > 0
        else { return nil }
        if numbers.allSatisfy({ $0 <= 1 }) {
            return .parts(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
        let whole = words.compactMap { Int($0) }
        guard whole.count == 4 else { return nil }
        return .pixels(x: whole[0], y: whole[1], width: whole[2], height: whole[3])
    }

    static func area(aspect text: String) -> CaptureArea? {
        let sides = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            (0.001...1000).contains(width), (0.001...1000).contains(height)
        else { return nil }
        return .aspect(width / height)
    }
}
