import Listings
import Workers

/// The schema of a job for the API's description.
extension JobStatus {
    /// The schema of the sheet to continue with.
    static let nextSheet = Schema.record([
        ("sheet", .integer(minimum: 1)), ("isTurned", .boolean), ("hasFront", .boolean),
    ])

    /// The schema of the place of its pages.
    static let placeSchema = Schema.string(choices: JobPlace.allCases.map(\.rawValue))

    /// The schema of the JSON.
    static let schema = Schema.object(
        [
            ("id", .string()), ("owner", .string()), ("profile", .string()),
            ("devices", .array(.string())),
            ("created", .moment), ("isWatch", .boolean), ("region", LiveRegion.schema),
            ("state", .string(choices: State.allCases.map(\.rawValue))), ("message", .string()),
            ("place", placeSchema), ("ahead", .integer(minimum: 0)),
            ("read", .integer(minimum: 0)), ("saying", JobMessage.schema),
            ("question", .string(choices: Question.allCases.map(\.rawValue))),
            ("expected", .integer()), ("notices", .array(.string())),
            ("noticeSayings", .array(JobMessage.schema)),
            (
                "pages",
                .array(
                    .object(
                        [
                            ("number", .integer()), ("label", .string()),
                            ("document", .integer(minimum: 0)),
                            ("stage", .string(choices: Page.Stage.allCases.map(\.rawValue))),
                            ("captured", .integer(minimum: 1)), ("hasPicture", .boolean),
                            ("pictureVersion", .integer(minimum: 0)),
                            ("progress", .number), ("width", .integer()), ("height", .integer()),
                            ("words", .integer()), ("excerpt", .string()),
                            ("problems", .array(.string())),
                        ], required: ["number", "stage", "hasPicture", "problems"]))
            ),
            (
                "deliveries",
                .array(
                    .object(
                        [
                            ("sink", .string()), ("document", .string()), ("pages", .integer()),
                            ("waiting", .string()), ("duplicateOf", .string()),
                        ],
                        required: ["sink", "pages"]))
            ), ("problem", .string()), ("problemCode", .string()), ("continuation", .string()),
            ("code", .string()),
            ("next", nextSheet), ("keptJob", .string()),
        ],
        required: [
            "id", "profile", "devices", "created", "isWatch", "state", "place", "message",
            "notices", "noticeSayings", "pages", "deliveries",
        ])
}
