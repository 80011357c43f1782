import HTTPServer
import Listings
import Testing

@testable import WebServer

/// Tests unknown keys in a request's body.
@Suite struct BodyCheckTests {
    @Test(
        "A mistyped key is refused with the nearest one, wherever it is, before anything is done",
        arguments: [
            (#"{"pagez": 3}"#, "'pagez' is not known here. Did you mean 'pages'?"),
            (#"{"common": {"resolutoin": 300}}"#, "'common.resolutoin'"),
            (#"{"watch": {"idel": 3}}"#, "Did you mean 'idle'?"),
            (#"{"qqqqqq": 3}"#, "The known ones are: device, profile"),
        ])
    func unknown(_ body: String, _ words: String) {
        #expect {
            try BodyCheck(Array(body.utf8))?.check(against: ScanRequest.described)
        } throws: {
            let problem = $0 as? Problem
            return problem?.status == 400 && problem?.code == "unknown-key"
                && problem?.detail.contains(words) == true
        }
    }

    @Test("Keys that users choose are left unchanged, and so are known ones")
    func known() throws {
        let body = #"{"settings": {"anything": "1"}, "steps": {"x.y": "2"}, "pages": 3}"#
        try BodyCheck(Array(body.utf8))?.check(against: ScanRequest.described)
    }
}
