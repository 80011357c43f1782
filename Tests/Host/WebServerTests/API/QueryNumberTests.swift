import HTTPServer
import Testing

@testable import WebServer

/// Tests numbers in a query, as every route reads them.
@Suite struct QueryNumberTests {
    @Test("A number is within its range or refused with 400", arguments: NumberEdges.all)
    func ranges(_ text: String) {
        for range in [0...0, 1...1000, 0...Int.max, Int.min...Int.max, Int.min...(-1)] {
            let call = Call(
                request: HTTPRequest(
                    head: HTTPRequestHead(
                        method: "GET", path: [], query: [(name: "limit", value: text)])),
                parameters: [:])
            do throws(Problem) {
                let number = try call.number("limit", range, default: 7)
                #expect(range.contains(number))
            } catch { #expect(error.status == 400) }
        }
    }
}
