/// A JSON value.
enum PlainJSON: Encodable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    case text(String)
    case number(Double)
    case flag(Bool)
    case array([PlainJSON])
    case object([String: PlainJSON])

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
    init(arrayLiteral elements: PlainJSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, PlainJSON)...) {
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
