/// The description of the API (OpenAPI 3.1), made from the routes that answer.
struct OpenAPI {
    let routes: [Route]
    /// The targets of references in the routes' schemas.
    let schemas: [(name: String, schema: Schema)]

    /// The document as JSON.
    var text: String {
        var paths: [(String, [(String, JSONValue)])] = []
        for route in routes {
            let path = "/" + route.path.joined(separator: "/")
            let operation = (route.method.lowercased(), self.operation(route))
            if let index = paths.firstIndex(where: { $0.0 == path }) {
                paths[index].1.append(operation)
            } else {
                paths.append((path, [operation]))
            }
        }
        let described = schemas + [("Problem", Problem.schema)]
        return JSONValue.object([
            ("openapi", "3.1.0"),
            (
                "info",
                .object([
                    ("title", "Copystand"), ("version", "1"),
                    ("summary", "Every scanner and camera of a machine as one source of pages."),
                    ("license", .object([("name", "Apache-2.0"), ("identifier", "Apache-2.0")])),
                ])
            ),
            ("paths", .object(paths.map { ($0.0, .object($0.1)) })),
            (
                "components",
                .object([
                    ("schemas", .object(described.map { ($0.name, $0.schema.json) })),
                    (
                        "securitySchemes",
                        .object([("token", .object([("type", "http"), ("scheme", "bearer")]))])
                    ),
                ])
            ),
        ]).text
    }

    private func operation(_ route: Route) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("operationId", .string(route.operationID)),
            ("summary", .string(route.summary)), ("tags", .array([.string(route.group)])),
        ]
        let inPath = route.path.filter { $0.hasPrefix("{") }.map {
            parameter(
                String($0.dropFirst().dropLast()), "path", schema: .string(), isRequired: true,
                summary: "")
        }
        let inQuery = route.query.map {
            parameter(
                $0.name, "query", schema: $0.schema, isRequired: $0.isRequired, summary: $0.summary)
        }
        let inHead = route.takesVersion ? [Self.version] : []
        let parameters = inPath + inQuery + inHead
        if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
        if let body = route.body {
            members.append(
                (
                    "requestBody",
                    .object([("required", .boolean(true)), content(["application/json"], body)])
                ))
        } else if route.upload != nil {
            members.append(
                (
                    "requestBody",
                    .object([
                        ("required", .boolean(true)),
                        content(
                            ["application/octet-stream"],
                            .limited(.string(), [("minLength", .integer(1))])),
                    ])
                ))
        }
        var answers: [(String, JSONValue)] = route.answers.map { answer in
            var members: [(String, JSONValue)] = [("description", .string(answer.summary))]
            if answer.hasVersion { members.append(("headers", Self.tag)) }
            if !answer.types.isEmpty { members.append(content(answer.types, answer.schema)) }
            return (String(answer.status), .object(members))
        }
        for status in Set([400, 401, 403, 413, 429, 503] + route.problems).sorted() {
            answers.append(
                (
                    String(status),
                    .object([
                        ("description", "What failed, and what to do next"),
                        content(["application/problem+json"], .reference("Problem")),
                    ])
                ))
        }
        members.append(("responses", .object(answers)))
        members.append(("security", security(route.access)))
        return .object(members)
    }

    /// The versions of a document that a change is made to (RFC 9110, 13.1.1).
    private static let version = JSONValue.object([
        ("name", "If-Match"), ("in", "header"),
        (
            "schema",
            Schema.string(pattern: "^(\\*|\"[0-9a-f-]+\"(, ?\"[0-9a-f-]+\")*)$").json
        ),
        (
            "description",
            "The version that the client has seen, in quotation marks: another one is answered 412"
        ),
    ])

    private static let tag = JSONValue.object([
        (
            "ETag",
            .object([
                ("description", "The document's version, in quotation marks"),
                ("schema", Schema.string().json),
            ])
        )
    ])

    /// The token that a route needs (its scope is in OpenAPI's place for roles); none if the host
    /// needs none.
    private func security(_ access: Route.Access) -> JSONValue {
        guard case .scope(let scope) = access else { return .array([.object([])]) }
        return .array([
            .object([("token", .array([.string(scope.rawValue)]))]), .object([]),
        ])
    }

    private func parameter(
        _ name: String, _ place: String, schema: Schema, isRequired: Bool, summary: String
    ) -> JSONValue {
        // A zero byte is refused anywhere in an address.
        let described =
            if case .string(_, nil, nil) = schema {
                Schema.limited(schema, [("pattern", "^[^\\u0000]*$")])
            } else {
                schema
            }
        var members: [(String, JSONValue)] = [
            ("name", .string(name)), ("in", .string(place)), ("schema", described.json),
        ]
        if isRequired { members.append(("required", .boolean(true))) }
        if !summary.isEmpty { members.append(("description", .string(summary))) }
        return .object(members)
    }

    private func content(_ types: [String], _ schema: Schema?) -> (String, JSONValue) {
        let described = JSONValue.object(schema.map { [("schema", $0.json)] } ?? [])
        return ("content", .object(types.map { ($0, described) }))
    }
}
