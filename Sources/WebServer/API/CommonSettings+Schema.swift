import ScanService

extension CommonSettings {
    /// What its JSON looks like; what is null is left as the device has it, and whether a device takes a value only the device can say.
    static let schema = Schema.object(
        [
            ("source", .nullable(.string())),
            ("mode", .nullable(.string(description: "bilevel, gray or colour"))),
            ("resolution", .nullable(.integer())),
            ("paper", .nullable(.string())),
            (
                "area",
                .nullable(
                    .object(
                        sides.map { ($0, .number) }, required: sides, isOpen: true))
            ),
            ("brightness", .nullable(.number)), ("contrast", .nullable(.number)),
        ], required: [], isOpen: true)

    /// Millimetres of the platen.
    private static let sides = ["x", "y", "width", "height"]
}
