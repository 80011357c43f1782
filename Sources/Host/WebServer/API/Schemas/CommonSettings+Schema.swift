import ScanService

extension PlatenArea: Described {
    /// Millimeters of the platen, up to a hundred meters.
    static let schema = Schema.record(["x": side, "y": side, "width": side, "height": side])

    private static let side = Schema.number(from: 0, to: 100_000)
}

extension CommonSettings: Described {
    /// The schema of its JSON; null values do not change the device, and only the device knows
    /// which values it accepts.
    static let schema = Schema.read(
        by: Self.self,
        [
            CodingKeys.mode: .description("bilevel, gray or color"),
            .resolution: .range(1...100_000), .brightness: .range(-1_000...1_000),
            .contrast: .range(-1_000...1_000),
        ], isNullable: true)

    /// The settings; values out of any device's range are refused.
    ///
    /// - Throws: ``Problem`` for an invalid resolution.
    func checked() throws(Problem) -> CommonSettings {
        guard let resolution, !(1...100_000).contains(resolution) else { return self }
        throw Problem.invalid(
            "'common.resolution' is \(resolution): it must be from 1 to 100000 dots per inch.")
    }
}
