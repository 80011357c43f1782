import FoundationEssentials
import Testing

@testable import Processing

@Suite struct JSON5Tests {
    @Test("JSON5's additions to JSON are read")
    func additions() throws {
        let text = """
            // a comment
            {
              bare: 'single "quotes"', $d_1: .5, "x\\u0041": +0x1F, /* block */
              list: [1., -2.5e2, Infinity, ], nested: { yes: true, no: false, none: null },
              lines: "one\\
             two\\n\\x41\\q\\uD83D\\uDE00",
            }
            """
        let members = try members(JSON5Parser.parse(text))
        #expect(members.map(\.key) == ["bare", "$d_1", "xA", "list", "nested", "lines"])
        #expect(string(members[0].value) == "single \"quotes\"")
        #expect(number(members[1].value) == 0.5)
        #expect(number(members[2].value) == 31)
        guard case .array(let list) = members[3].value.kind else {
            Issue.record("list is no array")
            return
        }
        #expect(list.map(number) == [1, -250, .infinity])
        #expect(string(members[5].value) == "one two\nAq😀")
    }

    struct Mistake: CustomTestStringConvertible, Sendable {
        var text: String
        var line: Int
        var column: Int
        var says: String
        var testDescription: String { says }
    }

    @Test(
        "A mistake is shown at its line and column",
        arguments: [
            Mistake(text: "", line: 1, column: 1, says: "the end of the file"),
            Mistake(text: "{\n  a: 1\n  b: 2\n}", line: 3, column: 3, says: "expected ',' or '}'"),
            Mistake(
                text: "{\r\n  a 1 }", line: 2, column: 5, says: "expected ':' after the key 'a'"),
            Mistake(text: "{ a: [1, 2 }", line: 1, column: 12, says: "expected ',' or ']'"),
            Mistake(text: "{ a: 1", line: 1, column: 1, says: "this '{' has no closing '}'"),
            Mistake(text: "\n[1,", line: 2, column: 1, says: "this '[' has no closing ']'"),
            Mistake(text: "{ a: yes }", line: 1, column: 6, says: "text needs quotes"),
            Mistake(text: "{ a: 'x\n' }", line: 1, column: 6, says: "no closing quote"),
            Mistake(text: "{} /* x", line: 1, column: 4, says: "no closing */"),
            Mistake(text: "{ a: 1, a: 2 }", line: 1, column: 9, says: "the key 'a' appears twice"),
            Mistake(text: "{} {}", line: 1, column: 4, says: "nothing more here"),
            Mistake(text: "{ a: 01 }", line: 1, column: 6, says: "'01' is not a value"),
            Mistake(text: "{ a: 1.2.3 }", line: 1, column: 6, says: "'1.2.3' is not a value"),
            Mistake(text: "{ a: '\\ud800' }", line: 1, column: 8, says: "is not a character"),
            Mistake(text: "{ 1: 2 }", line: 1, column: 3, says: "expected a key"),
            Mistake(
                text: String(repeating: "[", count: 100_000), line: 1, column: 65,
                says: "nested more than 64 deep"),
        ])
    func mistakes(_ mistake: Mistake) throws {
        let error = #expect(throws: JSON5Error.self) { try JSON5Parser.parse(mistake.text) }
        #expect(error?.position == TextPosition(line: mistake.line, column: mistake.column))
        #expect(error?.message.contains(mistake.says) == true, "\(error?.message ?? "")")
    }

    @Test("Any text gives a value, or an error with a place in the text")
    func anything() {
        var random = SeededGenerator(seed: 5)
        let pieces = [
            "{", "}", "[", "]", ":", ",", "'", "\"", "\\", "\n", "//", "/*", "*/", "a", "true", "1",
            "-", ".", "e5", "0x", "\\u00", "é", "\u{FEFF}", " ", "NaN", "steps",
        ]
        for _ in 0..<5000 {
            let count = Int.random(in: 0..<24, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
            do throws(JSON5Error) {
                _ = try JSON5Parser.parse(text)
            } catch {
                let lines = 1 + text.unicodeScalars.count { $0 == "\n" }
                #expect((1...lines).contains(error.position.line), "\(text.debugDescription)")
            }
        }
    }

    @Test("Plain JSON means the same to the toolchain's decoder")
    func agreesWithTheToolchain() throws {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<300 {
            let text = randomJSON(depth: 0, &random)
            let expected = try JSONDecoder().decode(Tree.self, from: Data(text.utf8))
            #expect(tree(try JSON5Parser.parse(text)) == expected, "\(text)")
        }
    }

    // MARK: Helpers

    private func members(_ value: JSON5Value) throws -> [JSON5Value.Member] {
        guard case .object(let members) = value.kind else { throw JSON5Error.noObject }
        return members
    }

    private func string(_ value: JSON5Value) -> String? {
        if case .string(let string) = value.kind { string } else { nil }
    }

    private func number(_ value: JSON5Value) -> Double? {
        if case .number(let number) = value.kind { number } else { nil }
    }

    private func randomJSON(depth: Int, _ random: inout SeededGenerator) -> String {
        let deeper = depth < 4 ? 6 : 4
        let count = Int.random(in: 0..<4, using: &random)
        switch Int.random(in: 0..<deeper, using: &random) {
        case 0: return Bool.random(using: &random) ? "true" : "null"
        case 1: return "\(Double.random(in: -1e6...1e6, using: &random))"
        case 2: return "\(Int.random(in: -1000...1000, using: &random))"
        case 3:
            return ["\"a\\nb\"", "\"\"", "\"é\\u00e9\"", "\"\\\\\""].randomElement(using: &random)!
        case 4:
            let items = (0..<count).map { _ in randomJSON(depth: depth + 1, &random) }
            return "[" + items.joined(separator: ", ") + "]"
        default:
            let items = (0..<count).map { "\"k\($0)\": \(randomJSON(depth: depth + 1, &random))" }
            return "{" + items.joined(separator: ", ") + "}"
        }
    }

    private func tree(_ value: JSON5Value) -> Tree {
        switch value.kind {
        case .null: .null
        case .flag(let flag): .flag(flag)
        case .number(let number): .number(number)
        case .string(let string): .string(string)
        case .array(let values): .array(values.map(tree))
        case .object(let members):
            .object(Dictionary(uniqueKeysWithValues: members.map { ($0.key, tree($0.value)) }))
        }
    }
}

extension JSON5Error {
    fileprivate static let noObject = JSON5Error(
        position: TextPosition(line: 0, column: 0), message: "no object")
}

private indirect enum Tree: Decodable, Hashable {
    case null, flag(Bool), number(Double), string(String), array([Tree]), object([String: Tree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([Tree].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: Tree].self))
        }
    }
}
