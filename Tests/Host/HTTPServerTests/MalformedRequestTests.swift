import HTTPServer
import Testing

/// Tests requests that a proxy and this server could interpret differently: they get 400, and
/// nothing after them is answered.
@Suite struct MalformedRequestTests {
    /// A request that is hidden behind a malformed one.
    ///
    /// An answer to the hidden request would contain `SMUGGLED`.
    private static let hidden = "GET /echo/SMUGGLED HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let post = "POST /echo HTTP/1.1\r\nHost: a\r\n"

    static let malformed: [(what: String, text: String)] = [
        ("two lengths that differ", post + "Content-Length: 0\r\nContent-Length: 43\r\n\r\n"),
        ("the same length twice", post + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n"),
        ("a list of lengths", post + "Content-Length: 0, 0\r\n\r\n"),
        (
            "a length and chunks",
            post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        (
            "chunks and a length",
            post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
        ),
        (
            "chunked twice",
            post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        ("a list of codings", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        ("an unknown coding", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        ("identity", post + "Transfer-Encoding: identity\r\nContent-Length: 0\r\n\r\n"),
        ("an empty coding", post + "Transfer-Encoding:\r\n\r\n0\r\n\r\n"),
        (
            "a vertical tab before the coding",
            post + "Transfer-Encoding: \u{B}chunked\r\n\r\n0\r\n\r\n"
        ),
        (
            "chunks in HTTP/1.0",
            "POST /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        ("a space before the colon", post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
        ("a tab before the colon", post + "Content-Length\t: 0\r\n\r\n"),
        ("a space in a name", post + "Content Length: 0\r\n\r\n"),
        ("a header without a colon", post + "nonsense\r\n\r\n"),
        ("a header without a name", post + ": 0\r\n\r\n"),
        ("a bare carriage return", post + "X: a\rContent-Length: 43\r\n\r\n"),
        ("a bare carriage return at the end", post + "X: a\r\r\n\r\n"),
        ("a bare line feed", post + "X: a\nContent-Length: 0\r\n\r\n"),
        ("line feeds only", "POST /echo HTTP/1.1\nHost: a\n\n"),
        ("a head that ends with a line feed", post + "X: a\r\n\n"),
        ("a folded header", post + "X: a\r\n Content-Length: 43\r\n\r\n"),
        ("a folded coding", post + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"),
        ("a folded header with a tab", post + "X: a\r\n\tb\r\n\r\n"),
        ("a blank before the first header", "POST /echo HTTP/1.1\r\n Host: a\r\n\r\n"),
        ("a zero byte in a value", post + "X: a\0b\r\n\r\n"),
        ("a zero byte in a name", post + "X\0: a\r\n\r\n"),
        ("a control character in a value", post + "X: a\u{1}b\r\n\r\n"),
        ("a delete character in a value", post + "X: a\u{7F}b\r\n\r\n"),
        ("no host", "GET /echo HTTP/1.1\r\n\r\n"),
        ("two hosts", "GET /echo HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        ("the same host twice", "GET /echo HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n"),
        ("a length with a plus", post + "Content-Length: +0\r\n\r\n"),
        ("a length with a minus", post + "Content-Length: -0\r\n\r\n"),
        ("a hexadecimal length", post + "Content-Length: 0x0\r\n\r\n"),
        ("a length with a space", post + "Content-Length: 4 3\r\n\r\n"),
        ("an empty length", post + "Content-Length:\r\n\r\n"),
        ("a length beyond 64 bits", post + "Content-Length: 18446744073709551616\r\n\r\n"),
        ("the largest length", post + "Content-Length: 18446744073709551615\r\n\r\n"),
        ("a signed limit", post + "Content-Length: 9223372036854775807\r\n\r\n"),
        (
            "a length of a thousand digits",
            post + "Content-Length: \(String(repeating: "1", count: 1000))\r\n\r\n"
        ),
        ("other digits", post + "Content-Length: ٣\r\n\r\n"),
        ("an empty line first", "\r\nGET /echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("no version", "GET /echo\r\nHost: a\r\n\r\n"),
        ("another version", "GET /echo HTTP/2.0\r\nHost: a\r\n\r\n"),
        ("a version in lowercase", "GET /echo http/1.1\r\nHost: a\r\n\r\n"),
        ("two spaces in the first line", "GET  /echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("a space in the target", "GET /echo /x HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("a space behind the version", "GET /echo HTTP/1.1 \r\nHost: a\r\n\r\n"),
        ("a tab in the first line", "GET\t/echo HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("a zero byte in the target", "GET /echo\0 HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("a chunk's size with a sign", post + "Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n"),
        ("a chunk's size with a prefix", post + "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n"),
        ("a chunk's size with a space", post + "Transfer-Encoding: chunked\r\n\r\n0 \r\n\r\n"),
        ("a chunk without a size", post + "Transfer-Encoding: chunked\r\n\r\n\r\n"),
        (
            "a chunk beyond 64 bits",
            post + "Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n"
        ),
        ("a chunk's extension", post + "Transfer-Encoding: chunked\r\n\r\n0;a=b\r\n\r\n"),
        ("a chunk's size with a line feed", post + "Transfer-Encoding: chunked\r\n\r\n0\n\r\n"),
        (
            "a chunk that is longer than it says",
            post + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n"
        ),
        (
            "a chunk that ends with a line feed",
            post + "Transfer-Encoding: chunked\r\n\r\n1\r\na\n0\r\n\r\n"
        ),
        (
            "a length behind the chunks",
            post + "Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 5\r\n\r\n"
        ),
        (
            "a folded line behind the chunks",
            post + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: a\r\n b\r\n\r\n"
        ),
    ]

    /// The ways in which a malformed request reaches the server.
    enum Way: CaseIterable {
        case first, afterOne, pipelined, byteByByte
    }

    @Test(
        "A malformed request gets 400 and an end; a request hidden after it gets no answer",
        arguments: malformed, Way.allCases)
    func plain(_ request: (what: String, text: String), _ way: Way) async throws {
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: .patient, handler: TestHandler())
        let client = RawClient(port: listener.port)
        let before = "POST /echo/before HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody"
        switch way {
        case .first: await client.send(request.text + Self.hidden)
        case .afterOne:
            await client.send(before)
            #expect(await client.answer()?.status == 200)
            await client.send(request.text + Self.hidden)
        case .pipelined: await client.send(before + request.text + Self.hidden)
        case .byteByByte:
            for byte in (request.text + Self.hidden).utf8 { await client.send([byte]) }
        }
        if way == .pipelined { #expect(await client.answer()?.text.contains("before") == true) }
        let answer = String(decoding: await client.rest(), as: UTF8.self)
        #expect(!answer.contains("SMUGGLED"), "\(request.what)")
        #expect(!answer.contains("HTTP/1.1 200"), "\(request.what)")
        // A client that still sends while the server closes the connection may lose the answer
        // because of a reset.
        if way != .byteByByte {
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(request.what): \(answer)")
            #expect(answer.contains("Connection: close"), "\(request.what)")
        }
        #expect(await RawClient(port: listener.port).ask("GET", "/echo")?.status == 200)
        await listener.stop()
    }

    @Test(
        "A malformed request gets 400 and an end over TLS too", arguments: malformed,
        [false, true])
    func secure(_ request: (what: String, text: String), _ isPipelined: Bool) async throws {
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, identity: .issued(for: [], by: .authority(of: "test")),
            limits: .patient,
            handler: TestHandler())
        let client = await TLSClient(port: listener.port)
        try #require(client.failure == nil)
        let before = "POST /echo/before HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody"
        await client.send((isPipelined ? before : "") + request.text + Self.hidden)
        let answer = await client.rest()
        #expect(!answer.contains("SMUGGLED"), "\(request.what)")
        #expect(answer.contains("HTTP/1.1 400 "), "\(request.what): \(answer)")
        #expect(answer.contains("HTTP/1.1 200 ") == isPipelined, "\(request.what)")
        await listener.stop()
    }

    @Test("Refused events are counted")
    func counted() async throws {
        let counters = HTTPCounters()
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: .patient, counters: counters,
            handler: TestHandler())
        let client = RawClient(port: listener.port)
        await client.send("GET /echo HTTP/1.1\r\n\r\n")
        _ = await client.rest()
        #expect(counters[.malformed] == 1)
        await listener.stop()
    }
}
