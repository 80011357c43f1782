import FoundationEssentials

/// The JSON schema of profiles (draft 2020-12), made from the steps' own declarations, for editors that complete and check.
public enum ProfileSchema {
    /// The schema as JSON text.
    ///
    /// - Throws: never for the steps there are; what `JSONEncoder` throws.
    public static func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(schema), as: UTF8.self)
    }

    private static var schema: SchemaValue {
        [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Copystand profile",
            "description":
                "What is done with a page. Profiles are JSON5: comments, bare keys and trailing commas are fine.",
            "type": "object", "additionalProperties": false,
            "properties": [
                "name": ["type": "string", "description": "The name of its file."],
                "title": ["type": "string", "description": "A few words for lists."],
                "description": ["type": "string"],
                "looksFor": [
                    "enum": .array(ProfileReader.targets.map(SchemaValue.text)),
                    "description": "What is searched for in the picture.",
                ],
                "region": [
                    "type": "object", "additionalProperties": false,
                    "required": .array(ProfileReader.edges.map(SchemaValue.text)),
                    "properties": .object(
                        Dictionary(
                            uniqueKeysWithValues: ProfileReader.edges.map { ($0, Self.share) })),
                ],
                "steps": [
                    "type": "array", "items": ["oneOf": .array(steps)],
                    "description": "The steps in the order they run, each at most once.",
                ],
                "text": [
                    "oneOf": [
                        ["const": "off"],
                        [
                            "type": "object", "additionalProperties": false,
                            "properties": [
                                "languages": [
                                    "type": "array", "minItems": 1, "items": ["type": "string"],
                                    "description": "Codes of Tesseract's data, such as eng.",
                                ]
                            ],
                        ],
                    ]
                ],
                "live": [
                    "type": "object",
                    "description": "When a page in front of a camera is captured by itself.",
                ],
                "sinks": [
                    "type": "array", "items": ["type": "string", "minLength": 1],
                    "description":
                        "Where its documents go when nothing else is said; see 'copystand sinks'.",
                ],
            ],
        ]
    }

    private static let share: SchemaValue = ["type": "number", "minimum": 0, "maximum": 1]

    /// A step's bare name, or an object of its options under its name.
    private static var steps: [SchemaValue] {
        let names: SchemaValue = ["enum": .array(StepCatalog.declarations.map { .text($0.name) })]
        return [names]
            + StepCatalog.declarations.map { step in
                let options = step.options.map { ($0.name, value($0)) }
                return [
                    "type": "object", "additionalProperties": false, "title": .text(step.title),
                    "required": [.text(step.name)], "description": .text(step.help),
                    "properties": .object([
                        step.name: [
                            "type": "object", "additionalProperties": false,
                            "description": .text(step.help),
                            "properties": .object(Dictionary(uniqueKeysWithValues: options)),
                        ]
                    ]),
                ]
            }
    }

    private static func value(_ option: StepOption) -> SchemaValue {
        let about: [String: SchemaValue] = [
            "description": .text(option.help), "default": .init(option.defaultValue),
        ]
        let kind: [String: SchemaValue] =
            switch option.kind {
            case .number(let range, _):
                [
                    "type": "number", "minimum": .number(range.lowerBound),
                    "maximum": .number(range.upperBound),
                ]
            case .flag: ["type": "boolean"]
            case .choice(let choices): ["enum": .array(choices.map(SchemaValue.text))]
            }
        return .object(about.merging(kind) { $1 })
    }
}

/// A JSON value.
private enum SchemaValue: Encodable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    case text(String)
    case number(Double)
    case flag(Bool)
    case array([SchemaValue])
    case object([String: SchemaValue])

    init(_ value: StepValue) {
        self =
            switch value {
            case .number(let number): .number(number)
            case .flag(let flag): .flag(flag)
            case .choice(let choice): .text(choice)
            }
    }
    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = .flag(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(arrayLiteral elements: SchemaValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, SchemaValue)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
