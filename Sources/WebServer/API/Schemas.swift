/// The schemas that several routes share.
enum Schemas {
    static let named: [(name: String, schema: Schema)] = [
        ("Device", device), ("DeviceProblem", deviceProblem), ("Option", option),
        ("Job", JobStatus.schema),
        ("StoredJob", storedJob),
    ]

    private static let area = Schema.record([("width", .number), ("height", .number)])

    private static let device = Schema.object(
        [
            ("id", .string()), ("backend", .string()), ("name", .string()), ("vendor", .string()),
            ("model", .string()),
            ("kind", .string()), ("connection", .string()), ("sources", .array(.string())),
            ("maximumArea", area),
            ("state", .string()), ("advice", .string()), ("aliases", .array(.string())),
            ("isDefault", .boolean),
        ], required: ["id", "backend", "name", "kind", "sources", "state", "aliases", "isDefault"])

    private static let deviceProblem = Schema.object(
        [
            ("backend", .string()), ("code", .string()), ("message", .string()),
            ("advice", .string()),
        ],
        required: ["code", "message"])

    private static let option = Schema.object(
        [
            ("name", .string()), ("title", .string()), ("help", .string()), ("group", .string()),
            ("type", .any),
            ("unit", .string()), ("defaultValue", .any), ("value", .any), ("isActive", .boolean),
            ("isReadOnly", .boolean), ("isAdvanced", .boolean), ("sensor", .string()),
        ], required: ["name", "title", "help", "type", "isActive", "isReadOnly", "isAdvanced"])

    private static let storedJob = Schema.object(
        [
            ("id", .string()),
            ("state", .string(choices: ["running", "interrupted", "continuable"])),
            ("pages", .integer(minimum: 0)), ("bytes", .integer(minimum: 0)),
            ("profile", .string()), ("reason", .string()),
        ], required: ["id", "state", "pages", "bytes"])
}
