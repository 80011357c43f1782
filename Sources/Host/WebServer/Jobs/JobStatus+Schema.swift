import Listings
import Workers

/// The schema of a job for the API's description.
extension JobStatus {
    /// The schema of the place of its pages.
    static let placeSchema = Schema.string(choices: JobPlace.allCases.map(\.rawValue))

    /// The schema of the JSON.
    static let schema = Schema.record(
        [
            "id": .string(), "profile": .string(), "devices": .array(.string()), "created": .moment,
            "isWatch": .boolean, "state": .string(choices: State.allCases.map(\.rawValue)),
            "message": .string(), "place": placeSchema, "notices": .array(.string()),
            "noticeSayings": .array(JobMessage.schema),
            "pages": .array(
                .record(
                    [
                        "number": .integer(),
                        "stage": .string(choices: Page.Stage.allCases.map(\.rawValue)),
                        "hasPicture": .boolean, "problems": .array(.string()),
                    ],
                    optional: [
                        "label": .string(), "document": .integer(minimum: 0),
                        "captured": .integer(minimum: 1), "pictureVersion": .integer(minimum: 0),
                        "progress": .number, "width": .integer(), "height": .integer(),
                        "words": .integer(), "excerpt": .string(),
                    ])),
            "deliveries": .array(
                .record(
                    ["sink": .string(), "pages": .integer()],
                    optional: [
                        "document": .string(), "waiting": .string(), "duplicateOf": .string(),
                    ])),
        ],
        optional: [
            "owner": .string(), "region": LiveRegion.schema, "ahead": .integer(minimum: 0),
            "read": .integer(minimum: 0), "saying": JobMessage.schema,
            "question": .string(choices: Question.allCases.map(\.rawValue)), "expected": .integer(),
            "problem": .string(), "problemCode": .string(), "continuation": .string(),
            "code": .string(), "next": Schemas.nextSheet, "keptJob": .string(),
        ])
}
