import Glibc
import HTTPServer
import Testing

/// Tests the server with peers that break the rules: the server answers or closes the connection,
/// and serves the next peer.
@Suite struct HostilePeerTests {
    private func withListener(
        _ limits: HTTPLimits = .patient, folder: String = "/nowhere",
        _ body: (HTTPListener, TestHandler) async throws -> Void
    ) async throws {
        let handler = TestHandler(folder: folder)
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: limits, handler: handler)
        try await body(listener, handler)
        // A peer that had to wait between two pieces may have been disconnected, so the request is
        // repeated.
        var isAlive = false
        for _ in 0..<100 where !isAlive {
            isAlive = await RawClient(port: listener.port).ask("GET", "/echo")?.status == 200
        }
        #expect(isAlive, "the server must live on")
        await listener.stop()
    }

    @Test(
        "Malformed requests get a 400 or a closed connection",
        arguments: [
            "GET /../etc HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%2e%2e/x HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /a%00 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?a=%zz HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /echo HTTP/1.1\r\n\r\n", "nonsense\r\n\r\n", "\r\n\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        ])
    func malformed(_ text: String) async throws {
        // A request that is truncated on arrival may look like a slow request; its connection is
        // closed after the time limit.
        try await withListener(HTTPLimits()) { listener, _ in
            let client = RawClient(port: listener.port)
            await client.send(text)
            client.finishSending()
            if let status = await client.answer()?.status {
                #expect((400...417).contains(status) || status == 501)
            }
        }
    }

    @Test(
        "A body beyond the limit is refused before it arrives if its length is announced, and cut if not"
    )
    func tooLarge() async throws {
        let folder = try TestFolder()
        try await withListener(folder: folder.path) { listener, _ in
            #expect(
                await RawClient(port: listener.port).ask(
                    "POST", "/echo", headers: ["Content-Length: 1001"])?.status == 413)
            #expect(
                await RawClient(port: listener.port).ask("POST", "/refuse", body: [1])?.status
                    == 403)
            for target in ["/echo", "/file"] {
                let client = RawClient(port: listener.port)
                await client.send(
                    "POST \(target) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<200 {
                    await client.send("4000\r\n" + String(repeating: "x", count: 0x4000) + "\r\n")
                }
                // A peer that is still sending when the server closes the connection may lose the
                // answer because of a reset.
                let status = await client.answer()?.status
                #expect(status == nil || status == 413)
            }
            #expect(folder.names.isEmpty)
        }
    }

    @Test("An interrupted upload leaves no file", .timeLimit(.minutes(10)))
    func brokenUpload() async throws {
        let folder = try TestFolder()
        try await withListener(folder: folder.path) { listener, _ in
            let client = RawClient(port: listener.port)
            await client.send(
                "POST /file HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\nbeginning")
            while folder.names.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            client.reset()
            while !folder.names.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test("Lines and headers beyond the limit are refused")
    func longHeads() async throws {
        try await withListener { listener, _ in
            for text in [
                "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + String(repeating: "a", count: 100_000)
                    + "\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X-Many: 1\r\n", count: 20_000)
                    + "\r\n",
            ] {
                let client = RawClient(port: listener.port)
                await client.send(text)
                if let status = await client.answer()?.status {
                    #expect(status == 414 || status == 431 || status == 413)
                }
            }
        }
    }

    @Test("A header can't be smuggled into an answer")
    func injection() async throws {
        try await withListener { listener, _ in
            let answer = try #require(await RawClient(port: listener.port).ask("GET", "/inject"))
            #expect(answer.headers["x-smuggled"] == nil && answer.headers["x-bad"] == nil)
            #expect(answer.headers["x-good"] == "c")
        }
    }

    @Test(
        "A peer that sends very slowly is cut, in the first line, in the headers, in the body and between requests",
        arguments: [
            "", "GET /echo HTTP/1.1\r\nHost",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n",
            "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func drips(_ beginning: String) async throws {
        var limits = HTTPLimits()
        (limits.idle, limits.head, limits.body) = (2, 1, 1)
        try await withListener(limits) { listener, _ in
            let client = RawClient(port: listener.port)
            await client.send(beginning)
            let dripping = Task.detached {
                // Each byte shows activity, so a limit only for silence would keep the connection
                // forever.
                while !Task.isCancelled {
                    await client.send("x")
                    try? await Task.sleep(for: .milliseconds(200))
                }
            }
            _ = await client.rest()
            dripping.cancel()
            await dripping.value
        }
    }

    @Test("A reader that falls behind is dropped, and one that disconnects is noticed")
    func slowReader() async throws {
        try await withListener { listener, handler in
            let slow = RawClient(port: listener.port)
            await slow.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await slow.head()?.status == 200)
            let stream = await handler.stream()
            var count = 0
            while stream.write([UInt8](repeating: 7, count: 8192)) { count += 1 }
            // The client receives no more than its window and the stream's own buffer.
            #expect(count < 5000)
            let gone = RawClient(port: listener.port)
            await gone.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await gone.head()?.status == 200)
            let other = await handler.stream(1)
            gone.reset()
            while other.write([1]) { try await Task.sleep(for: .milliseconds(2)) }
        }
    }

    @Test(
        "Random bytes after a valid beginning never stop the server",
        arguments: 0..<8 as Range<UInt64>)
    func noise(_ seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let beginnings = [
            "", "GET ", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        ]
        var limits = HTTPLimits()
        // Sometimes the library does not notice that a peer has finished sending. The peer is then
        // cut like a slow one.
        (limits.idle, limits.head, limits.body) = (2, 1, 1)
        try await withListener(limits) { listener, _ in
            for _ in 0..<60 {
                let client = RawClient(port: listener.port)
                let noise = (0..<Int.random(in: 1...400, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                await client.send(
                    Array((beginnings.randomElement(using: &generator) ?? "").utf8) + noise)
                client.finishSending()
                _ = await client.rest()
            }
        }
    }

    @Test("Thousands of idle connections free their places when they end")
    func crowd() async throws {
        try await withListener { listener, _ in
            let crowd = (0..<900).map { _ in RawClient(port: listener.port) }
            for client in crowd { await client.send("GET /echo HT") }
            #expect(await RawClient(port: listener.port).ask("GET", "/echo")?.status == 200)
            // Connections beyond the limit of one address are closed.
            let beyond = (0..<2100).map { _ in RawClient(port: listener.port) }
            for client in beyond { await client.send("GET /echo HT") }
            for client in crowd + beyond { client.reset() }
            while await RawClient(port: listener.port).ask("GET", "/echo")?.status != 200 {}
        }
    }
}
