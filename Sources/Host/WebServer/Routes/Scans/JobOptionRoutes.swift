import HTTPServer
import JobOptions

/// `/api/v1/job-options`: the options that a request for a job can have.
struct JobOptionRoutes {
    private struct Item: Encodable {
        var name: String
        var kind: String
        var choices: [String]?
        var minimum: Int?
        var maximum: Int?
        var usual: JobOptionValue?
        var isDrawn: Bool
        var needsAdmin: Bool

        init(_ option: JobOptionDeclaration) {
            name = option.name
            kind = option.kind.name
            choices = option.kind.choices
            minimum = option.kind.range?.lowerBound
            maximum = option.kind.range?.upperBound
            usual = option.usual
            isDrawn = option.isDrawn
            needsAdmin = option.reach == .administrators
        }

        static let schema = Schema.object(
            [
                ("name", .string()), ("kind", .string(choices: JobOptionKind.names)),
                ("choices", .array(.string())), ("minimum", .integer()), ("maximum", .integer()),
                ("usual", .any), ("isDrawn", .boolean), ("needsAdmin", .boolean),
            ], required: ["name", "kind", "isDrawn", "needsAdmin"])
    }

    private struct Answer: Encodable {
        var options: [Item]
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/job-options", needs: .scan, group: "Jobs",
                "List the options that a request for a job can have",
                answers: [
                    .init(
                        status: 200, summary: "The options",
                        schema: .record(["options": .array(Item.schema)]))
                ],
                work: { _ in try .json(Answer(options: JobOptions.inRequests.map(Item.init))) })
        ]
    }
}
