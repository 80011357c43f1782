import ScanService

extension CommonSettings {
    /// What its JSON looks like; what is null is left as the device has it.
    static let schema = Schema.object(
        [
            ("source", .nullable(.string())),
            ("mode", .nullable(.string(choices: ["bilevel", "gray", "colour"]))),
            ("resolution", .nullable(.integer(minimum: 1, maximum: 100_000))),
            ("paper", .nullable(.string())),
            (
                "area",
                .nullable(
                    .record([
                        ("x", .number), ("y", .number), ("width", .number), ("height", .number),
                    ]))
            ),
            ("brightness", .nullable(.number)), ("contrast", .nullable(.number)),
        ], required: [])
}
