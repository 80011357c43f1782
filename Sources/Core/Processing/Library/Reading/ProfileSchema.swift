import FileNames
import FoundationEssentials

/// The JSON schema of profiles (draft 2020-12), made from the steps' declarations, for editors with
/// completion and checks.
public enum ProfileSchema {
    /// The schema as JSON text.
    ///
    /// - Throws: an error of `JSONEncoder`, which does not occur for existing steps.
    public static func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(schema), as: UTF8.self)
    }

    private static var schema: JSONValue {
        [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Copystand profile",
            "description":
                "What to do with a page. Profiles are JSON5: comments, bare keys and trailing commas are fine.",
            "type": "object", "additionalProperties": false,
            "properties": [
                "name": ["type": "string", "description": "The name of its file."],
                "title": ["type": "string", "description": "A short description for lists."],
                "description": ["type": "string"],
                "looksFor": [
                    "enum": .texts(ProfileReader.targets),
                    "description": "What to look for in the picture.",
                ],
                "region": [
                    "type": "object", "additionalProperties": false,
                    "required": .texts(ProfileReader.edges),
                    "properties": .object(
                        Dictionary(
                            uniqueKeysWithValues: ProfileReader.edges.map { ($0, Self.share) })),
                ],
                "steps": [
                    "type": "array", "items": ["oneOf": .list(steps)],
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
                                ],
                                "reader": [
                                    "type": "string", "pattern": .text(ReaderName.pattern),
                                    "description":
                                        "The reader, as 'copystand readers' lists it; the usual one when absent.",
                                ],
                            ],
                        ],
                    ]
                ],
                "existingText": [
                    "enum": .texts(Profile.ExistingText.allCases.map(\.rawValue)),
                    "default": "keep",
                    "description":
                        "What to do with text that a page already has, as in a PDF: keep it and read only pages without text, redo it, or drop it.",
                ],
                "live": [
                    "type": "object",
                    "description": "When a page under a camera is captured automatically.",
                ],
                "sinks": [
                    "type": "array", "items": ["type": "string", "minLength": 1],
                    "description":
                        "Where its documents go by default; see 'copystand sinks'.",
                ],
                "splitAt": [
                    "type": "array", "items": ["type": "string", "minLength": 1],
                    "description":
                        "Where a stack is split into documents: separator, patch-t, or a regular expression for a barcode's text.",
                ],
            ],
        ]
    }

    private static let share: JSONValue = ["type": "number", "minimum": 0, "maximum": 1]

    /// A step as a bare name, or as an object with its options under its name.
    private static var steps: [JSONValue] {
        let names: JSONValue = ["enum": .texts(StepCatalog.declarations.map(\.name))]
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

    private static func value(_ option: StepOption) -> JSONValue {
        let about: [String: JSONValue] = [
            "description": .text(option.help), "default": .init(option.defaultValue),
        ]
        let kind: [String: JSONValue] =
            switch option.kind {
            case .number(let range, _):
                [
                    "type": "number", "minimum": .number(range.lowerBound),
                    "maximum": .number(range.upperBound),
                ]
            case .flag: ["type": "boolean"]
            case .choice(let choices): ["enum": .texts(choices)]
            case .text(let longest): ["type": "string", "maxLength": .number(Double(longest))]
            }
        return .object(about.merging(kind) { $1 })
    }
}
