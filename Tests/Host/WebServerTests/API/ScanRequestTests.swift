import FoundationEssentials
import Listings
import Testing

@testable import WebServer

/// A client's request for a scan.
@Suite struct ScanRequestTests {
    private static func names(_ schema: Schema) -> [String] {
        guard case .object(let members, _, _) = schema else { return [] }
        return members.map(\.name)
    }

    @Test("The API describes exactly the names of a request")
    func described() {
        #expect(
            Set(Self.names(ScanRequest.schema)) == Set(ScanRequest.names))
        #expect(
            Set(Self.names(ScanRequest.Watch.schema))
                == Set(ScanRequest.Watch.CodingKeys.allCases.map(\.stringValue)))
    }

    /// A value that a schema allows, and a value that it forbids.
    private static func samples(_ schema: Schema) -> (right: String, wrong: String) {
        switch schema {
        case .string(_, let choices, _): ("\"\(choices?.first ?? "x")\"", "1")
        case .integer(let minimum, _): ("\(minimum ?? 1)", "\"x\"")
        case .number: ("1", "\"x\"")
        case .boolean: ("true", "\"x\"")
        case .array(let element): ("[\(samples(element).right)]", "[{}]")
        case .dictionary(let value): ("{\"a\":\(samples(value).right)}", "{\"a\":[]}")
        case .object(let members, let required, _):
            (
                "{"
                    + members.filter { required.contains($0.name) }
                    .map { "\"\($0.name)\":\(samples($0.schema).right)" }
                    .joined(separator: ",") + "}", "1"
            )
        case .nullable(let inner), .limited(let inner, _): samples(inner)
        case .reference, .any: ("{}", "[")
        }
    }

    @Test("Every name accepts values of the type that the API describes, and no others")
    func typed() throws {
        guard case .object(let members, _, _) = ScanRequest.schema else {
            Issue.record("A request is an object.")
            return
        }
        #expect(members.count == ScanRequest.names.count)
        for (name, schema) in members {
            let (right, wrong) = Self.samples(schema)
            let body = Data("{\"\(name)\":\(right)}".utf8)
            #expect(throws: Never.self, "\(name)") {
                try JSONDecoder().decode(ScanRequest.self, from: body)
            }
            #expect(throws: (any Error).self, "\(name)") {
                try JSONDecoder().decode(
                    ScanRequest.self, from: Data("{\"\(name)\":\(wrong)}".utf8))
            }
        }
    }

    @Test("A request is read as written")
    func roundTrip() throws {
        let text =
            #"{"device":"virtual:feeder","profile":"photo","common":{"resolution":200},"settings":{"a":"b"},"pages":3,"languages":["deu"],"title":"T","sinks":["archive"],"steps":{"crop.on":"true"},"omittedSteps":["deskew"],"waitsForPaper":true,"asksForMore":false,"watch":{"manual":true,"idle":5,"stills":"never","region":{"x":0,"y":0,"width":1,"height":1}},"uploads":["u"],"splitAt":["separator"],"splitPages":"keep","pdf":{"quality":40},"pageTimeout":20}"#
        let request = try JSONDecoder().decode(ScanRequest.self, from: Data(text.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let again = try encoder.encode(request)
        #expect(
            try encoder.encode(JSONDecoder().decode(ScanRequest.self, from: again)) == again)
        let members = try JSONDecoder().decode([String: Member].self, from: again)
        #expect(Set(members.keys) == Set(ScanRequest.names))
    }

    /// A JSON value of any kind.
    private struct Member: Decodable { init(from decoder: any Decoder) {} }

    @Test(
        "A misspelled name is refused with the nearest one",
        arguments: [
            (#"{"proflie":"photo"}"#, "'proflie'", "profile"),
            (#"{"watch":{"idel":3}}"#, "'idel'", "idle"),
            (#"{"pdf":{"qualitiy":3}}"#, "'qualitiy'", "quality"),
            (#"{"pdf":{"password":"x"}}"#, "'password'", "Passwords are given"),
        ])
    func misspelled(body: String, name: String, hint: String) {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ScanRequest.self, from: Data(body.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.debugDescription.contains(name), "\(context.debugDescription)")
        #expect(context.debugDescription.contains(hint), "\(context.debugDescription)")
    }
}
