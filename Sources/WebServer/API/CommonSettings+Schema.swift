import ScanService

extension CommonSettings {
    /// What its JSON looks like.
    static let schema = Schema.object(
        [
            ("source", .string()),
            ("mode", .string(choices: ["bilevel", "gray", "colour"])),
            ("resolution", .integer(minimum: 1, maximum: 100_000)),
            ("paper", .string()),
            (
                "area",
                .record([
                    ("x", .number), ("y", .number), ("width", .number),
                    ("height", .number),
                ])
            ), ("brightness", .number), ("contrast", .number),
        ], required: [])
}
