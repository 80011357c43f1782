/// Checks values by the part of JSON Schema that the protocol's page uses.
struct SchemaCheck {
    private let schemas: [String: JSON]

    /// Makes a check with the schemas that `$ref` may name.
    init(_ schemas: [String: JSON]) { self.schemas = schemas }

    /// Describes the first error in a value; nil if the value is valid by the schema.
    func fault(_ value: JSON, _ schema: JSON) -> String? {
        guard case .object(let rules) = schema else { return "the schema is no object" }
        for (name, rule) in rules {
            if let fault = fault(value, name, rule) { return fault }
        }
        return nil
    }

    /// The schemas that a schema names.
    func references(_ schema: JSON) -> [String] {
        switch schema {
        case .object(let rules):
            rules.flatMap { name, rule -> [String] in
                if name == "$ref", case .text(let text) = rule { return [String(text.dropFirst())] }
                return references(rule)
            }
        case .array(let values): values.flatMap(references)
        default: []
        }
    }

    /// A field with a default, and a value without it and with its default.
    typealias Defaulted = (field: String, absent: JSON, filled: JSON)

    /// Returns the value without each field that has a default, and with the field set to the
    /// default.
    func defaulted(_ value: JSON, _ schema: JSON) -> [Defaulted] {
        guard case .object(let rules) = schema else { return [] }
        if case .text(let name) = rules["$ref"] {
            return schemas[String(name.dropFirst())].map { defaulted(value, $0) } ?? []
        }
        if case .array(let values) = value, let first = values.first, let item = rules["items"] {
            return defaulted(first, item).map { field, absent, filled in
                let rest = values.dropFirst()
                return (field, .array([absent] + rest), .array([filled] + rest))
            }
        }
        guard case .object(let fields) = value, case .object(let properties) = rules["properties"]
        else { return [] }
        return properties.flatMap { name, schema -> [Defaulted] in
            func with(_ part: JSON?) -> JSON {
                var fields = fields
                fields[name] = part
                return .object(fields)
            }
            let parts = fields[name].map { defaulted($0, schema) } ?? []
            let inner: [Defaulted] = parts.map { ($0.field, with($0.absent), with($0.filled)) }
            guard case .object(let rules) = schema, let value = rules["default"] else {
                return inner
            }
            return inner + [(field: name, absent: with(nil), filled: with(value))]
        }
    }

    private func fault(_ value: JSON, _ name: String, _ rule: JSON) -> String? {
        switch (name, rule, value) {
        case ("type", .text(let type), _):
            return isOf(type, value) ? nil : "\(value.text) is no \(type)"
        case ("type", .array(let types), _):
            return types.contains {
                if case .text(let type) = $0 { isOf(type, value) } else { false }
            }
                ? nil : "\(value.text) is none of \(rule.text)"
        case ("required", .array(let names), .object(let fields)):
            return names.first {
                if case .text(let name) = $0 { fields[name] == nil } else { true }
            }
            .map { "\($0.text) is absent" }
        case ("properties", .object(let properties), .object(let fields)):
            return properties.lazy.compactMap { name, schema in
                fields[name].flatMap { fault($0, schema) }.map { "\(name): \($0)" }
            }.first
        case ("items", _, .array(let values)):
            return values.lazy.compactMap { fault($0, rule) }.first
        case ("maxItems", .number(let most), .array(let values)):
            return Double(values.count) <= most ? nil : "too many items"
        case ("minItems", .number(let least), .array(let values)):
            return Double(values.count) >= least ? nil : "too few items"
        case ("minimum", .number(let least), .number(let number)):
            return number >= least ? nil : "\(number) is below \(least)"
        case ("maximum", .number(let most), .number(let number)):
            return number <= most ? nil : "\(number) is above \(most)"
        case ("minLength", .number(let least), .text(let text)):
            return Double(text.count) >= least ? nil : "too short"
        case ("maxLength", .number(let most), .text(let text)):
            return Double(text.count) <= most ? nil : "too long"
        case ("enum", .array(let values), _):
            return values.contains(value) ? nil : "\(value.text) is none of \(rule.text)"
        case ("examples", _, _), ("default", _, _): return nil
        case ("const", _, _): return value == rule ? nil : "\(value.text) is not \(rule.text)"
        case ("$ref", .text(let text), _):
            guard let schema = schemas[String(text.dropFirst())] else { return "no schema \(text)" }
            return fault(value, schema)
        case ("required", _, _), ("properties", _, _), ("items", _, _), ("maxItems", _, _),
            ("minItems", _, _),
            ("minimum", _, _), ("maximum", _, _), ("minLength", _, _), ("maxLength", _, _):
            return nil
        default: return "the schema has an unknown rule \(name)"
        }
    }

    private func isOf(_ type: String, _ value: JSON) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .text), ("number", .number),
            ("boolean", .bool):
            true
        case ("integer", .number(let number)): number == number.rounded()
        default: false
        }
    }
}
