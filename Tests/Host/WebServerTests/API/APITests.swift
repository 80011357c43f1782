import FileNames
import FoundationEssentials
import HTTPServer
import Testing

@testable import WebServer

/// Tests the parts of the API.
@Suite struct APITests {
    private static func route(_ method: String, _ path: String) -> Route {
        Route(method, path, group: "g", "s", answers: []) { _ in .done }
    }

    private let router = Router(routes: [
        route("GET", "/a"), route("POST", "/a"), route("GET", "/a/{id}"),
        route("DELETE", "/a/{id}"), route("GET", "/a/{id}/b/{n}"),
    ])

    @Test(
        "A route is found by its method and path, with its parameters",
        arguments: [
            ("GET", ["a"], [:]), ("POST", ["a"], [:]), ("HEAD", ["a"], [:]),
            ("GET", ["a", "x y"], ["id": "x y"]),
            ("GET", ["a", "1", "b", "2"], ["id": "1", "n": "2"]),
        ] as [(String, [String], [String: String])])
    func found(_ method: String, _ path: [String], _ parameters: [String: String]) throws {
        let (route, values) = try router.route(method, path)
        #expect(values == parameters)
        #expect(route.method == (method == "HEAD" ? "GET" : method))
    }

    @Test(
        "An unknown path is 404, and a wrong method is 405 with the allowed ones",
        arguments: [
            ("GET", [], 404, nil), ("GET", ["b"], 404, nil), ("GET", ["a", ""], 404, nil),
            ("GET", ["a", "1", "b"], 404, nil),
            ("PUT", ["a"], 405, ["GET", "POST", "HEAD"]),
            ("POST", ["a", "1"], 405, ["GET", "DELETE", "HEAD"]),
        ] as [(String, [String], Int, [String]?)])
    func missing(_ method: String, _ path: [String], _ status: Int, _ allowed: [String]?) {
        #expect {
            _ = try router.route(method, path)
        } throws: {
            let problem = $0 as? Problem
            return problem?.status == status && problem?.allowed == allowed
        }
    }

    @Test(
        "Every text becomes JSON that decodes to the same text",
        arguments: [
            "", "plain", "\"quoted\\\"", "line\nline\r\t", "\u{0}\u{1F}\u{7F}", "äß€📄", "\u{2028}",
        ])
    func quoting(_ text: String) throws {
        let json = (["a": [.text(text), -3, true]] as JSONValue).written
        struct Told: Decodable, Equatable { var a: [Item] }
        enum Item: Decodable, Equatable {
            case text(String), number(Int), truth(Bool)
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let value = try? container.decode(String.self) {
                    self = .text(value)
                } else if let value = try? container.decode(Bool.self) {
                    self = .truth(value)
                } else {
                    self = .number(try container.decode(Int.self))
                }
            }
        }
        let told = try JSONDecoder().decode(Told.self, from: Data(json.utf8))
        #expect(told == Told(a: [.text(text), .number(-3), .truth(true)]))
    }

    private struct Body: Decodable {
        struct Inner: Decodable { var n: Int }
        var list: [Inner]
    }

    @Test(
        "A body that can't be accepted is reported with the place",
        arguments: [
            ("{}", "'list'"), (#"{"list": [{"n": 1}, {"n": "x"}]}"#, "'list.1.n'"),
            (#"{"list": [{}]}"#, "'list.0.n' is missing"),
            ("", "the body"), ("{", "the body"), ("[]", "the body"),
        ])
    func body(_ text: String, _ words: String) {
        let head = HTTPRequestHead(
            method: "POST", path: [], headers: [("Content-Type", "application/json")])
        let call = Call(
            request: HTTPRequest(head: head, body: .bytes(Array(text.utf8))), parameters: [:])
        #expect {
            _ = try call.decoded(Body.self)
        } throws: {
            let problem = $0 as? Problem
            return problem?.status == 400 && problem?.detail.contains(words) == true
        }
    }

    /// What decoding a body with these media types comes to: nil if it is accepted.
    private func refusal(_ method: String, _ types: [String]) -> Int? {
        let head = HTTPRequestHead(
            method: method, path: [], headers: types.map { (name: "Content-Type", value: $0) })
        let body = HTTPBody.bytes(Array(#"{"list": []}"#.utf8))
        let call = Call(request: HTTPRequest(head: head, body: body), parameters: [:])
        do {
            _ = try call.decoded(Body.self)
            _ = try call.object()
            return nil
        } catch { return (error as? Problem)?.status ?? 0 }
    }

    @Test(
        "Only what is declared as JSON is accepted, so that no form of a foreign page is",
        arguments: [
            ([], 415), (["text/plain"], 415), (["multipart/form-data; boundary=x"], 415),
            (["application/x-www-form-urlencoded"], 415), (["application/jsonx"], 415),
            (["application/json-patch+json"], 415), (["text/plain; application/json"], 415),
            (["application/json", "application/json"], 415),
            (["application/json", "text/plain"], 415), (["application/json, text/plain"], 415),
            ([""], 415), (["application/ json"], 415), (["application/json"], nil),
            (["Application/JSON;charset=utf-8"], nil), ([" application/json ; charset=utf-8"], nil),
        ] as [([String], Int?)])
    func media(_ types: [String], _ status: Int?) {
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            #expect(refusal(method, types) == status, "\(method)")
        }
    }
}
