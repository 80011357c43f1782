import ScanService

extension CommonSettings {
    /// The schema of its JSON; null values leave the device as it is, and only the device knows
    /// whether it accepts a value.
    static let schema = Schema.object(
        [
            ("source", .nullable(.string())),
            ("mode", .nullable(.string(description: "bilevel, gray or color"))),
            ("resolution", .nullable(.integer(minimum: 1, maximum: 100_000))),
            ("paper", .nullable(.string())),
            (
                "area",
                .nullable(
                    .object(
                        sides.map { ($0, length) }, required: sides))
            ),
            ("brightness", .nullable(percent)), ("contrast", .nullable(percent)),
        ], required: [])

    /// Millimeters of the platen.
    private static let sides = ["x", "y", "width", "height"]
    /// Up to a hundred metres.
    private static let length = Schema.number(from: 0, to: 100_000)
    /// A device takes the nearest that it has.
    private static let percent = Schema.number(from: -1_000, to: 1_000)

    /// The settings; values out of any device's range are refused.
    ///
    /// - Throws: ``Problem`` for an invalid resolution.
    func checked() throws(Problem) -> CommonSettings {
        guard let resolution, !(1...100_000).contains(resolution) else { return self }
        throw Problem.invalid(
            "'common.resolution' is \(resolution): it must be from 1 to 100000 dots per inch.")
    }
}
