import FoundationEssentials
import Testing

@testable import FileNames

@Suite struct JSONFaultTests {
    private struct Order: Decodable {
        struct Page: Decodable {
            var number: Int
            var isBlank: Bool?
        }
        enum Side: String, Decodable { case front, back }
        var title: String
        var pages: [Page]
        var side: Side?
        var share: Double?
    }

    @Test(
        "A mistake in JSON is described, with its place",
        arguments: [
            (#"{"pages": []}"#, "'title' is missing"),
            (#"{"title": 3, "pages": []}"#, "'title' must be a text"),
            (#"{"title": null, "pages": []}"#, "'title' has no value"),
            (#"{"title": "a", "pages": [{"number": 1}, {}]}"#, "'pages.2.number' is missing"),
            (
                #"{"title": "a", "pages": [{"number": "x"}]}"#,
                "'pages.1.number' must be a whole number"
            ),
            (
                #"{"title": "a", "pages": [{"number": 1, "isBlank": 2}]}"#,
                "'pages.1.isBlank' must be true or false"
            ),
            (#"{"title": "a", "pages": [], "share": "x"}"#, "'share' must be a number"),
            (
                #"{"title": "a", "pages": [], "side": "left"}"#,
                "'side' has a value that is not allowed"
            ),
            (#"{"title": "a", "pages": 7}"#, "'pages' must be a list"),
            ("no JSON", "it is not JSON"),
            ("", "it is not JSON"), ("[]", "the file must be of another type"),
        ])
    func words(json: String, expected: String) throws {
        let error = try #require(throws: (any Error).self) {
            try JSONDecoder().decode(Order.self, from: Data(json.utf8))
        }
        #expect(jsonFault(error) == expected)
    }
}
