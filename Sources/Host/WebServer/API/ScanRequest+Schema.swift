import CaptureHost
import Listings
import ScanService

extension ScanRequest.Watch {
    /// What its JSON looks like.
    static let schema = Schema.object(
        [
            ("manual", .boolean),
            (
                "idle",
                .number(from: 1, to: 86_400)
            ),
            ("stills", .string(choices: LiveOptions.Stills.allCases.map(\.rawValue))),
            ("region", LiveRegion.schema),
        ], required: [])
}

extension ScanRequest {
    /// What its JSON looks like.
    static let schema = Schema.object(
        [
            (
                "device",
                .string(description: "The device's id or alias; the default one unless given")
            ),
            ("profile", .string(description: "document unless given")),
            ("common", CommonSettings.schema),
            ("settings", .dictionary(.string(pattern: "^[^/]*$"))),
            ("pages", .integer(minimum: 1, maximum: 1_000_000)),
            ("languages", .array(.string())), ("title", .string()),
            ("sinks", .some(.string())),
            ("steps", .dictionary(.string())), ("omittedSteps", .array(.string())),
            ("waitsForPaper", .boolean), ("asksForMore", .boolean), ("watch", Watch.schema),
            ("uploads", .some(.string())), ("splitAt", .array(.string())),
            ("splitPages", .string(choices: SplitPages.allCases.map(\.rawValue))),
            ("pdf", .nullable(PDFRequest.schema)),
            (
                "pageTimeout",
                .limited(
                    .number, [("minimum", .integer(1)), ("maximum", .integer(86_400))])
            ),
        ], required: [])

    /// Uploads are scanned without a device, and a watch requests each page in its own way.
    static let described = Schema.limited(
        schema,
        [
            (
                "not",
                .object([
                    (
                        "anyOf",
                        .array(
                            [
                                ["uploads", "device"], ["uploads", "watch"],
                                ["uploads", "asksForMore"], ["watch", "asksForMore"],
                            ].map {
                                .object([("required", .array($0.map { .string($0) }))])
                            })
                    )
                ])
            )
        ])
}
