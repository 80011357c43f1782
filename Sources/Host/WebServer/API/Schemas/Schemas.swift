import Archive
import Delivery
import Documents
import Listings
import ScanService

/// The schemas that several routes share.
enum Schemas {
    /// The schemas by name, with that of a job.
    static func named(job: Schema) -> [(name: String, schema: Schema)] {
        [
            ("Device", device), ("DeviceProblem", deviceProblem), ("Option", option),
            ("Job", job), ("StoredJob", storedJob), ("Document", document),
            ("WholeDocument", wholeDocument), ("SearchResult", searchResult),
            ("ReadPage", readPage),
        ]
    }

    /// The sheet to continue with.
    static let nextSheet = Schema.record([
        "sheet": .integer(minimum: 1), "isTurned": .boolean, "hasFront": .boolean,
    ])

    /// The types a document can have.
    static let types = DocumentType.allCases.map(\.rawValue)

    private static let area = Schema.record(["width": .number, "height": .number])

    private static let device = Schema.record(
        [
            "id": .string(), "backend": .string(), "name": .string(), "kind": .string(),
            "sources": .array(.string()), "state": .string(), "aliases": .array(.string()),
            "isDefault": .boolean,
        ],
        optional: [
            "vendor": .string(), "model": .string(), "connection": .string(), "path": .string(),
            "format": .string(), "controls": .array(.string()), "maximumArea": area,
            "advice": .string(),
        ])

    private static let deviceProblem = Schema.record(
        ["code": .string(), "message": .string()],
        optional: ["backend": .string(), "advice": .string()])

    private static let option = Schema.record(
        [
            "name": .string(), "title": .string(), "help": .string(), "type": .any,
            "isActive": .boolean, "isReadOnly": .boolean, "isAdvanced": .boolean,
        ],
        optional: [
            "group": .string(), "unit": .string(), "defaultValue": .any, "value": .any,
            "sensor": .string(), "hostPath": .boolean,
        ])

    private static let storedJob = Schema.record(
        [
            "id": .string(),
            "state": .string(choices: StoredJobJSON.State.allCases.map(\.rawValue)),
            "pages": .integer(minimum: 0), "bytes": .integer(minimum: 0), "isRunning": .boolean,
            "delivered": .array(.string()), "isReread": .boolean,
            "undelivered": .integer(minimum: 0), "advice": .array(jobAdvice),
        ],
        optional: [
            "outputs": .array(.string()), "profile": .string(), "reason": .string(),
            "next": nextSheet, "blankPages": .integer(minimum: 0),
            "asidePages": .integer(minimum: 0), "lost": .array(lostPlace),
            "lostPages": .integer(minimum: 0), "isAtLeast": .boolean, "awaitsArchive": .boolean,
            "problem": .string(),
        ])

    /// A place that has lost a stored job's document.
    private static let lostPlace = Schema.record(
        [
            "place": .string(),
            "loss": .string(choices: DeliveredPlace.Loss.allCases.map(\.rawValue)),
            "others": .array(.string()),
        ],
        optional: ["document": .string()])

    /// The possible actions on a stored job.
    private static let jobAdvice = Schema.record([
        "action": .string(choices: JobAdvice.Action.allCases.map(\.rawValue)), "command": .string(),
        "loses": .integer(minimum: 0),
    ])

    /// The result of a job.
    static let result = Schema.record(
        [
            "ending": .string(choices: ["completed", "stopped", "deviceFailed"]),
            "pages": .array(.any), "skipped": .array(.any), "delivered": .array(.any),
            "failed": .array(.any),
        ],
        optional: [
            "error": .string(), "errorCode": .string(), "keptJob": .string(),
            "kept": .record([
                "pages": .integer(minimum: 0), "unread": .integer(minimum: 0),
                "lost": .integer(minimum: 0),
            ]),
            "blankPagesLeftOut": .integer(minimum: 1), "blankPagesJob": .string(),
            "asidePagesJob": .string(), "documents": .array(.any), "continuation": .any,
            "collated": .any,
        ])

    private static let document = Schema.record(
        [
            "id": .integer(minimum: 1), "title": .string(), "type": .string(choices: types),
            "created": .moment, "added": .moment, "changed": .moment, "reviewed": .boolean,
            "pages": .integer(minimum: 1), "tags": .array(.string()),
        ],
        optional: ["trashed": .moment, "language": .string(), "owner": .string()])

    private static let looks = PageLook.allCases.map(\.rawValue)

    private static let box = Schema.record([
        "x": .integer(), "y": .integer(), "width": .integer(), "height": .integer(),
    ])

    private static let page = Schema.record(
        [
            "number": .integer(), "id": .any, "width": .integer(), "height": .integer(),
            "resolution": .number, "turn": .any, "words": .integer(minimum: 0), "isRead": .boolean,
            "corrected": .boolean, "device": .string(), "problems": .array(.string()),
            "image": .string(), "captured": .record(["width": .integer(), "height": .integer()]),
        ],
        optional: [
            "crop": box, "isCut": .boolean, "look": .string(choices: looks), "label": .string(),
            "thumbnail": .string(), "text": .string(),
        ])

    private static let word = Schema.record(["text": .string(), "box": box, "confidence": .number])

    private static let readPage = Schema.record([
        "page": page, "paragraphs": .array(.array(.array(word))),
    ])

    private static let wholeDocument = Schema.record(
        [
            "document": .reference("Document"), "version": .string(), "isTitleGiven": .boolean,
            "note": .string(), "fields": .array(.any), "entries": .array(.any),
            "pages": .array(page), "undoable": .integer(minimum: 0),
            "redoable": .integer(minimum: 0),
            "originals": .array(
                .record([
                    "name": .string(), "type": .string(), "bytes": .integer(minimum: 0),
                    "hash": .string(),
                ])),
        ],
        isOpen: true)

    private static let searchResult = Schema.record([
        "order": .string(choices: ["rank", "newest"]), "total": .integer(minimum: 0),
        "totalIsOpen": .boolean,
        "hits": .array(
            .record([
                "document": .integer(minimum: 1), "title": .string(),
                "type": .string(choices: types), "created": .moment, "page": .integer(),
                "width": .integer(), "height": .integer(), "words": .array(.any),
                "snippet": .array(.record(["text": .string(), "isMatch": .boolean])),
            ])),
    ])
}
