import Testing

@testable import HTTPServer

/// Tests the detection of requests' ends, byte by byte.
@Suite struct RequestScannerTests {
    private static let sound = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a%20b?c=d HTTP/1.0\r\n\r\n",
        "POST /x HTTP/1.1\r\nhost:a\r\nCONTENT-LENGTH:\t4 \r\n\r\nGET ",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0012\r\n\r\n\r\n\r\n\n\n\r\r\0\u{1}:\u{7F}",
        "POST /x HTTP/1.1\r\nHost: a\r\ntransfer-encoding: Chunked\r\n\r\n4\r\n\r\n\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: 1\r\n\r\n",
        "GET /ä HTTP/1.1\r\nHost: a\r\nX: ä\tb c\r\nX-Empty:\r\nX: again\r\n\r\n",
    ]

    /// The number of bytes that pass, and the fault, if a text arrives in pieces.
    private func scan(_ text: String, pieces: Int) -> (sound: Int, fault: RequestScanner.Fault?) {
        var scanner = RequestScanner(limit: 1 << 15)
        var passed = 0
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let piece = bytes[start..<min(start + pieces, bytes.count)]
            let (sound, fault) = piece.withUnsafeBytes { scanner.scan($0) }
            passed += sound
            if let fault { return (passed, fault) }
        }
        return (passed, nil)
    }

    @Test("Valid requests pass in pieces of any size", arguments: [1, 2, 3, 7, 64, 100_000])
    func passes(_ pieces: Int) {
        let text = (Self.sound + Self.sound.reversed()).joined()
        let (passed, fault) = scan(text, pieces: pieces)
        #expect(fault == nil && passed == text.utf8.count)
    }

    @Test("Only the requests before a fault in a piece pass", arguments: sound)
    func keeps(_ text: String) {
        let (passed, fault) = scan(
            text + "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", pieces: 100_000)
        #expect(fault != nil && passed == text.utf8.count)
    }

    @Test(
        "Every malformed request is found in pieces of any size, and its end never passes",
        arguments: MalformedRequestTests.malformed)
    func finds(_ request: (what: String, text: String)) {
        for pieces in [1, 2, 5, 100_000] {
            let hidden = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            let (passed, fault) = scan(request.text + hidden, pieces: pieces)
            #expect(fault?.status == 400, "\(request.what)")
            #expect(passed < request.text.utf8.count + (pieces == 1 ? hidden.utf8.count : 1))
        }
    }

    @Test("Lines beyond the limit are refused with 431, a long body is not")
    func limits() {
        let long = String(repeating: "a", count: 1 << 15)
        #expect(scan("GET /\(long) HTTP/1.1\r\n", pieces: 1000).fault?.status == 431)
        let many = String(repeating: "X: 1\r\n", count: 10_000)
        #expect(scan("GET / HTTP/1.1\r\n\(many)", pieces: 1000).fault?.status == 431)
        let chunks = String(repeating: "8\r\n12345678\r\n", count: 10_000)
        let body =
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n"
        #expect(scan(body, pieces: 1000).fault == nil)
    }
}
