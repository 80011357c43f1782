import FileNames
import HTTPServer
import Processing

/// `/api/v1/profiles`: the profiles for pages.
struct ProfileRoutes {
    let context: ServerContext

    private struct ProfilesJSON: Encodable {
        struct Item: Encodable {
            var name: String
            var title: String
            var description: String
            var isBuiltIn: Bool
            var problem: String?
        }
        var profiles: [Item]
    }

    private static let item = Schema.record(
        ["name": .string(), "title": .string(), "description": .string(), "isBuiltIn": .boolean],
        optional: ["problem": .string()])

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/profiles", needs: .scan, group: "Profiles", "List the profiles",
                answers: [
                    .init(
                        status: 200, summary: "The profiles",
                        schema: .record(["profiles": .array(Self.item)]))
                ],
                work: { [context] _ in
                    try .json(
                        ProfilesJSON(
                            profiles: context.profiles.list().map {
                                .init(
                                    name: $0.name, title: $0.title, description: $0.description,
                                    isBuiltIn: $0.origin == .builtIn,
                                    problem: $0.problem.map(PlaceNames.removed))
                            }))
                }),
            Route(
                "GET", "/api/v1/profiles/{name}", needs: .scan, group: "Profiles",
                "Show a profile's text",
                answers: [
                    .init(status: 200, summary: "The profile as JSON5", type: "application/json5")
                ], problems: [404, 422],
                work: { [context] call in
                    let name = call["name"]
                    guard context.profiles.list().contains(where: { $0.name == name }) else {
                        throw Problem.noSuchThing(
                            "profile", name, "See /api/v1/profiles for the list.")
                    }
                    return HTTPResponse(
                        status: 200, type: "application/json5",
                        text: try context.profiles.text(of: name))
                }),
        ]
    }
}
