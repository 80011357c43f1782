import Archive
import Delivery
import Documents
import Listings
import ScanService

/// The schemas that several routes share.
enum Schemas {
    static let named: [(name: String, schema: Schema)] = [
        ("Device", device), ("DeviceProblem", deviceProblem), ("Option", option),
        ("Job", JobStatus.schema),
        ("StoredJob", storedJob), ("Document", document), ("WholeDocument", wholeDocument),
        ("SearchResult", searchResult), ("ReadPage", readPage),
    ]

    /// The types a document can have.
    static let types = DocumentType.allCases.map(\.rawValue)

    private static let area = Schema.record([("width", .number), ("height", .number)])

    private static let device = Schema.object(
        [
            ("id", .string()), ("backend", .string()), ("name", .string()), ("vendor", .string()),
            ("model", .string()),
            ("kind", .string()), ("connection", .string()), ("path", .string()),
            ("format", .string()), ("controls", .array(.string())), ("sources", .array(.string())),
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
            ("hostPath", .boolean),
        ], required: ["name", "title", "help", "type", "isActive", "isReadOnly", "isAdvanced"])

    private static let storedJob = Schema.object(
        [
            ("id", .string()),
            ("state", .string(choices: StoredJobJSON.State.allCases.map(\.rawValue))),
            ("pages", .integer(minimum: 0)), ("bytes", .integer(minimum: 0)),
            ("isRunning", .boolean), ("outputs", .array(.string())), ("profile", .string()),
            ("delivered", .array(.string())), ("reason", .string()), ("next", JobStatus.nextSheet),
            ("blankPages", .integer(minimum: 0)), ("asidePages", .integer(minimum: 0)),
            ("isReread", .boolean), ("lost", .array(lostPlace)),
            ("undelivered", .integer(minimum: 0)), ("lostPages", .integer(minimum: 0)),
            ("isAtLeast", .boolean), ("awaitsArchive", .boolean), ("problem", .string()),
            ("advice", .array(jobAdvice)),
        ],
        required: [
            "id", "state", "pages", "bytes", "isRunning", "delivered", "isReread", "undelivered",
            "advice",
        ])

    /// A place that has lost a stored job's document.
    private static let lostPlace = Schema.object(
        [
            ("place", .string()), ("document", .string()),
            ("loss", .string(choices: DeliveredPlace.Loss.allCases.map(\.rawValue))),
            ("others", .array(.string())),
        ], required: ["place", "loss", "others"])

    /// The possible actions on a stored job.
    private static let jobAdvice = Schema.record([
        ("action", .string(choices: JobAdvice.Action.allCases.map(\.rawValue))),
        ("command", .string()), ("loses", .integer(minimum: 0)),
    ])

    /// The result of a job.
    static let result = Schema.object(
        [
            ("ending", .string(choices: ["completed", "stopped", "deviceFailed"])),
            ("error", .string()), ("errorCode", .string()), ("pages", .array(.any)),
            ("skipped", .array(.any)), ("delivered", .array(.any)), ("failed", .array(.any)),
            ("keptJob", .string()),
            (
                "kept",
                .record([
                    ("pages", .integer(minimum: 0)), ("unread", .integer(minimum: 0)),
                    ("lost", .integer(minimum: 0)),
                ])
            ), ("blankPagesLeftOut", .integer(minimum: 1)), ("blankPagesJob", .string()),
            ("asidePagesJob", .string()), ("documents", .array(.any)), ("continuation", .any),
            ("collated", .any),
        ], required: ["ending", "pages", "skipped", "delivered", "failed"])

    private static let document = Schema.object(
        [
            ("id", .integer(minimum: 1)), ("title", .string()), ("type", .string(choices: types)),
            ("created", .moment), ("added", .moment),
            ("changed", .moment), ("trashed", .moment), ("reviewed", .boolean),
            ("pages", .integer(minimum: 1)), ("language", .string()),
            ("tags", .array(.string())), ("owner", .string()),
        ],
        required: [
            "id", "title", "type", "created", "added", "changed", "reviewed", "pages", "tags",
        ])

    private static let looks = PageLook.allCases.map(\.rawValue)

    private static let box = Schema.record([
        ("x", .integer()), ("y", .integer()), ("width", .integer()), ("height", .integer()),
    ])

    private static let page = Schema.object(
        [
            ("number", .integer()), ("id", .any), ("width", .integer()), ("height", .integer()),
            ("resolution", .number), ("turn", .any),
            ("crop", box), ("isCut", .boolean), ("look", .string(choices: looks)),
            ("words", .integer(minimum: 0)),
            ("isRead", .boolean),
            ("corrected", .boolean),
            ("device", .string()), ("label", .string()),
            ("problems", .array(.string())), ("image", .string()), ("thumbnail", .string()),
            ("captured", .record([("width", .integer()), ("height", .integer())])),
            ("text", .string()),
        ],
        required: [
            "number", "id", "width", "height", "resolution", "turn", "words", "isRead", "corrected",
            "device",
            "problems", "image", "captured",
        ])

    private static let word = Schema.record([
        ("text", .string()), ("box", box), ("confidence", .number),
    ])

    private static let readPage = Schema.record([
        ("page", page), ("paragraphs", .array(.array(.array(word)))),
    ])

    private static let wholeDocument = Schema.object(
        [
            ("document", .reference("Document")), ("version", .string()),
            ("isTitleGiven", .boolean), ("note", .string()),
            ("fields", .array(.any)), ("entries", .array(.any)),
            ("pages", .array(page)), ("undoable", .integer(minimum: 0)),
            ("redoable", .integer(minimum: 0)),
            (
                "originals",
                .array(
                    .record([
                        ("name", .string()), ("type", .string()), ("bytes", .integer(minimum: 0)),
                        ("hash", .string()),
                    ]))
            ),
        ],
        required: [
            "document", "version", "isTitleGiven", "note", "fields", "entries", "pages", "undoable",
            "redoable",
            "originals",
        ],
        isOpen: true)

    private static let searchResult = Schema.record([
        ("order", .string(choices: ["rank", "newest"])), ("total", .integer(minimum: 0)),
        ("totalIsOpen", .boolean),
        (
            "hits",
            .array(
                .record([
                    ("document", .integer(minimum: 1)), ("title", .string()),
                    ("type", .string(choices: types)), ("created", .moment),
                    ("page", .integer()), ("width", .integer()), ("height", .integer()),
                    ("words", .array(.any)),
                    ("snippet", .array(.record([("text", .string()), ("isMatch", .boolean)]))),
                ]))
        ),
    ])
}
