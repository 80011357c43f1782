import FileNames
import FoundationEssentials
import HTTPServer
import Processing
import Recognition

/// `/api/v1/profiles`: a user's own profiles, and the data for their form.
struct ProfileEditing {
    let context: ServerContext

    private struct StepsJSON: Encodable {
        struct Step: Encodable {
            var name: String
            var title: String
            var help: String
            var options: [Option]
        }
        struct Option: Encodable {
            enum Value: Encodable {
                case number(Double), flag(Bool), choice(String)

                func encode(to encoder: any Encoder) throws {
                    var container = encoder.singleValueContainer()
                    switch self {
                    case .number(let value): try container.encode(value)
                    case .flag(let value): try container.encode(value)
                    case .choice(let value): try container.encode(value)
                    }
                }
            }
            var name: String
            var help: String
            var type: String
            var minimum: Double?
            var maximum: Double?
            var unit: String?
            var choices: [String]?
            var longest: Int?
            var usual: Value
        }
        var steps: [Step]
    }

    private struct CheckedJSON: Encodable {
        struct Problem: Encodable {
            var place: String
            var message: String
            var line: Int?
        }
        var problems: [Problem]
    }

    private struct LanguagesJSON: Encodable {
        var languages: [String]
    }

    private static let steps = Schema.record([
        "steps": .array(
            .record([
                "name": .string(), "title": .string(), "help": .string(),
                "options": .array(
                    .record(
                        [
                            "name": .string(), "help": .string(),
                            "type": .string(choices: ["number", "flag", "choice", "text"]),
                            "usual": .any,
                        ],
                        optional: [
                            "minimum": .number, "maximum": .number, "unit": .string(),
                            "choices": .array(.string()), "longest": .integer(),
                        ])),
            ]))
    ])

    private static let checked = Schema.record([
        "problems": .array(
            .record(["place": .string(), "message": .string()], optional: ["line": .integer()]))
    ])

    /// A profile in the form of its file; the check reports unknown keys together with all other
    /// mistakes.
    private static let profile = Schema.record([:], isOpen: true)

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/steps", needs: .scan, group: "Profiles",
                "List the steps that can be applied to a page, with every option",
                answers: [.init(status: 200, summary: "The steps", schema: Self.steps)],
                work: { _ in
                    try .json(StepsJSON(steps: StepCatalog.declarations.map(Self.step)))
                }),
            Route(
                "GET", "/api/v1/languages", needs: .scan, group: "Profiles",
                "List the languages whose data is installed, as profiles name them",
                answers: [
                    .init(
                        status: 200, summary: "The languages",
                        schema: .record(["languages": .array(.string())]))
                ],
                work: { _ in try .json(LanguagesJSON(languages: installedLanguages())) }),
            Route(
                "GET", "/api/v1/profiles/{name}/form", needs: .scan, group: "Profiles",
                "Show a profile as plain JSON, to fill a form",
                answers: [.init(status: 200, summary: "The profile", schema: Self.profile)],
                problems: [404, 422],
                work: { [context] call in
                    HTTPResponse(
                        status: 200, type: "application/json",
                        text: try context.profiles.load(call["name"]).json())
                }),
            Route(
                "POST", "/api/v1/profile-check", needs: .admin, group: "Profiles",
                "List every mistake in a profile, without saving it", body: Self.profile,
                answers: [
                    .init(
                        status: 200, summary: "The mistakes; none when it can be used",
                        schema: Self.checked)
                ], problems: [415],
                work: { call in
                    let problems = ProfileLibrary.check(Data(try call.object()))
                    return try .json(
                        CheckedJSON(
                            problems: problems.map {
                                .init(
                                    place: $0.place, message: PlaceNames.removed(from: $0.message),
                                    line: $0.line)
                            }))
                }),
            Route(
                "PUT", "/api/v1/profiles/{name}", needs: .admin, group: "Profiles",
                "Save a profile of your own under a name, replacing the previous one",
                body: Self.profile,
                answers: [.init(status: 204, summary: "The profile is saved", type: nil)],
                problems: [409, 415, 422],
                work: { [context] call in
                    try context.profiles.save(Data(try call.object()), as: call["name"])
                    return .done
                }),
            Route(
                "DELETE", "/api/v1/profiles/{name}", needs: .admin, group: "Profiles",
                "Delete a profile of your own for good",
                answers: [.init(status: 204, summary: "It is deleted", type: nil)],
                problems: [404, 409, 422],
                work: { [context] call in
                    try context.profiles.remove(call["name"])
                    return .done
                }),
        ]
    }

    private static func step(_ step: StepDeclaration) -> StepsJSON.Step {
        .init(
            name: step.name, title: step.title, help: step.help, options: step.options.map(option))
    }

    private static func option(_ option: StepOption) -> StepsJSON.Option {
        let usual: StepsJSON.Option.Value =
            switch option.defaultValue {
            case .number(let value): .number(value)
            case .flag(let value): .flag(value)
            case .choice(let value): .choice(value)
            }
        var described = StepsJSON.Option(
            name: option.name, help: option.help, type: "flag", usual: usual)
        switch option.kind {
        case .flag: break
        case .choice(let choices):
            described.type = "choice"
            described.choices = choices
        case .text(let longest):
            described.type = "text"
            described.longest = longest
        case .number(let range, let unit):
            described.type = "number"
            (described.minimum, described.maximum, described.unit) = (
                range.lowerBound, range.upperBound, unit
            )
        }
        return described
    }
}
