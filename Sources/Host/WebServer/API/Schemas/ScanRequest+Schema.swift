import Listings
import ScanService

extension ScanRequest.Watch {
    /// The schema of the JSON.
    static let schema = Schema.read(
        by: Self.self,
        [
            CodingKeys.idle: .range(1...86_400),
            .stills: .choices(LiveOptions.Stills.allCases.map(\.rawValue)),
        ])
}

extension ScanRequest {
    /// The schema of the JSON.
    static let schema = Schema.read(
        by: Self.self,
        [
            CodingKeys.device: .description(
                "The device's id or alias; the default one unless given"),
            .profile: .description("document unless given"), .pages: .range(1...1_000_000),
            .sinks: .notEmpty, .uploads: .notEmpty, .pdf: .nullable,
            .pageTimeout: .range(1...86_400),
        ])

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
