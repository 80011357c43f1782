import FileNames

/// The description of the API (OpenAPI 3.1), made from the routes that answer.
struct OpenAPI {
    let routes: [Route]
    /// The targets of references in the routes' schemas.
    let schemas: [(name: String, schema: Schema)]

    /// The document as JSON.
    var text: String {
        var paths: [String: [String: JSONValue]] = [:]
        for route in routes {
            let path = "/" + route.path.joined(separator: "/")
            paths[path, default: [:]][route.method.lowercased()] = operation(route)
        }
        let described = schemas + [("Problem", Problem.schema)]
        let document: JSONValue = [
            "openapi": "3.1.0",
            "info": [
                "title": "Copystand", "version": "1",
                "summary": "Every scanner and camera of a machine as one source of pages.",
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "paths": .object(paths.mapValues(JSONValue.object)),
            "components": [
                "schemas": .object(
                    Dictionary(uniqueKeysWithValues: described.map { ($0.name, $0.schema.json) })),
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
            ],
        ]
        return document.written
    }

    private func operation(_ route: Route) -> JSONValue {
        var members: [String: JSONValue] = [
            "operationId": .text(route.operationID), "summary": .text(route.summary),
            "tags": [.text(route.group)], "responses": responses(route),
            "security": security(route.access),
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
        if !parameters.isEmpty { members["parameters"] = .list(parameters) }
        if let body = route.body {
            members["requestBody"] = [
                "required": true, "content": content(["application/json"], body),
            ]
        } else if route.upload != nil {
            let file = Schema.limited(.string(), ["minLength": 1])
            members["requestBody"] = [
                "required": true, "content": content(["application/octet-stream"], file),
            ]
        }
        return .object(members)
    }

    private func responses(_ route: Route) -> JSONValue {
        var responses: [String: JSONValue] = [:]
        for answer in route.answers {
            var members: [String: JSONValue] = ["description": .text(answer.summary)]
            if answer.hasVersion { members["headers"] = Self.tag }
            if !answer.types.isEmpty { members["content"] = content(answer.types, answer.schema) }
            responses[String(answer.status)] = .object(members)
        }
        for status in [400, 401, 403, 413, 429, 503] + route.problems {
            responses[String(status)] = [
                "description": "What failed, and what to do next",
                "content": content(["application/problem+json"], .reference("Problem")),
            ]
        }
        return .object(responses)
    }

    /// The versions of a document that a change is made to (RFC 9110, 13.1.1).
    private static let version: JSONValue = [
        "name": "If-Match", "in": "header",
        "schema": Schema.string(pattern: "^(\\*|\"[0-9a-f-]+\"(, ?\"[0-9a-f-]+\")*)$").json,
        "description":
            "The version that the client has seen, in quotation marks: another one is answered 412",
    ]

    private static let tag: JSONValue = [
        "ETag": [
            "description": "The document's version, in quotation marks",
            "schema": Schema.string().json,
        ]
    ]

    /// The token that a route needs (its scope is in OpenAPI's place for roles); none if the host
    /// needs none.
    private func security(_ access: Route.Access) -> JSONValue {
        guard case .scope(let scope) = access else { return [[:]] }
        return [["token": [.text(scope.rawValue)]], [:]]
    }

    private func parameter(
        _ name: String, _ place: String, schema: Schema, isRequired: Bool, summary: String
    ) -> JSONValue {
        // A zero byte is refused anywhere in an address.
        let described =
            if case .string(_, nil, nil) = schema {
                Schema.limited(schema, ["pattern": "^[^\\u0000]*$"])
            } else {
                schema
            }
        var members: [String: JSONValue] = [
            "name": .text(name), "in": .text(place), "schema": described.json,
        ]
        if isRequired { members["required"] = true }
        if !summary.isEmpty { members["description"] = .text(summary) }
        return .object(members)
    }

    private func content(_ types: [String], _ schema: Schema?) -> JSONValue {
        let described = JSONValue.object(schema.map { ["schema": $0.json] } ?? [:])
        return .object(Dictionary(types.map { ($0, described) }, uniquingKeysWith: { $1 }))
    }
}
