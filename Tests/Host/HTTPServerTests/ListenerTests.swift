import Glibc
import HTTPServer
import Testing

/// Tests the server with a peer that follows the rules.
@Suite struct ListenerTests {
    @Test(
        "A request arrives as it was sent",
        arguments: [
            ("GET", "/echo", nil, #"GET ["echo"] [] yes 127.0.0.1 "#),
            (
                "GET", "/echo/a%20b/?q=%C3%A4+b&q=2&empty", nil,
                #"GET ["echo", "a b", ""] ["q=ä b", "q=2", "empty="] yes 127.0.0.1 "#
            ),
            ("POST", "/echo", "body", #"POST ["echo"] [] yes 127.0.0.1 body"#),
            ("PUT", "/echo", "", #"PUT ["echo"] [] yes 127.0.0.1 "#),
            ("DELETE", "/echo", nil, #"DELETE ["echo"] [] yes 127.0.0.1 "#),
        ] as [(String, String, String?, String)])
    func arrives(_ method: String, _ target: String, _ body: String?, _ said: String) async throws {
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: .patient, handler: TestHandler())
        let answer = try #require(
            await RawClient(port: listener.port).ask(
                method, target, headers: ["x-test: yes"], body: body.map { Array($0.utf8) }))
        #expect(answer.status == 200)
        #expect(answer.text == said)
        await listener.stop()
    }

    @Test("A connection is kept for many requests, even if all arrive at the same time")
    func keepAlive() async throws {
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: .patient, handler: TestHandler())
        let client = RawClient(port: listener.port)
        for number in 0..<200 {
            #expect(
                await client.ask("GET", "/echo/\(number)")?.text.contains("\"\(number)\"") == true)
        }
        for number in 0..<50 {
            await client.send("GET /echo/\(number) HTTP/1.1\r\nHost: test\r\n\r\n")
        }
        for number in 0..<50 {
            #expect(await client.answer()?.text.contains("\"\(number)\"") == true)
        }
        await listener.stop()
    }

    @Test(
        "An answer that is ready is sent immediately, among other requests on the same connection")
    func atOnce() async throws {
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: .patient, handler: TestHandler())
        let client = RawClient(port: listener.port)
        for _ in 0..<20 {
            #expect(await client.ask("GET", "/now")?.text == "now")
            #expect(await client.ask("GET", "/echo")?.status == 200)
        }
        for _ in 0..<20 { await client.send("GET /now HTTP/1.1\r\nHost: test\r\n\r\n") }
        for _ in 0..<20 { #expect(await client.answer()?.text == "now") }
        // A body needs a task that reads it.
        #expect(await client.ask("POST", "/now", body: Array("x".utf8))?.status == 404)
        await listener.stop()
    }

    @Test("An answer reports when it was sent, even if nobody reads it") func gone() async throws {
        let handler = TestHandler()
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: .patient, handler: handler)
        #expect(await RawClient(port: listener.port).ask("GET", "/gone")?.text == "gone")
        await handler.goneAnswer()
        let client = RawClient(port: listener.port)
        await client.send("GET /gone HTTP/1.1\r\nHost: test\r\n\r\n")
        client.reset()
        await handler.goneAnswer()
        await listener.stop()
    }

    @Test("HEAD has the headers of GET and no body")
    func head() async throws {
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: .patient, handler: TestHandler())
        let client = RawClient(port: listener.port)
        let answer = try #require(await client.ask("HEAD", "/echo"))
        #expect(answer.status == 200 && answer.headers["content-length"] == "29")
        #expect(await client.ask("GET", "/echo")?.status == 200)
        await listener.stop()
    }

    @Test("A large body is written to a file, and a part of the file is returned")
    func file() async throws {
        let folder = try TestFolder()
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: .patient,
            handler: TestHandler(folder: folder.path))
        let body = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let answer = try #require(
            await RawClient(port: listener.port).ask("POST", "/file", body: body))
        #expect(answer.status == 200)
        let isSame = answer.body == Array(body.dropFirst(3))
        #expect(isSame)
        #expect(folder.names.isEmpty)
        await listener.stop()
    }

    @Test("A stream's bytes arrive as they are written, and the answer ends with the stream")
    func stream() async throws {
        let handler = TestHandler()
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: .patient, handler: handler)
        let client = RawClient(port: listener.port)
        await client.send("GET /stream HTTP/1.1\r\nHost: test\r\n\r\n")
        #expect(await client.head()?.headers["transfer-encoding"] == "chunked")
        let stream = await handler.stream()
        for word in ["one", "two", "three"] {
            stream.write(Array(word.utf8))
            #expect(await client.chunk() == Array(word.utf8))
        }
        stream.write(Array("last".utf8))
        stream.finish()
        #expect(await client.chunk() == Array("last".utf8))
        #expect(await client.chunk() == [])
        #expect(stream.write([1]) == false)
        await listener.stop()
    }

    @Test("Stopping finishes streams, waits for what is being answered, and frees the port")
    func stops() async throws {
        let handler = TestHandler()
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: .patient, handler: handler)
        let viewer = RawClient(port: listener.port)
        await viewer.send("GET /stream HTTP/1.1\r\nHost: test\r\n\r\n")
        #expect(await viewer.head()?.status == 200)
        _ = await handler.stream()
        let client = RawClient(port: listener.port)
        await client.send("GET /slow HTTP/1.1\r\nHost: test\r\n\r\n")
        await handler.slowRequest()
        await listener.stop()
        #expect(await viewer.chunk() == [])
        #expect(await client.answer()?.text == "late")
        let again = try HTTPListener(
            address: "127.0.0.1", port: listener.port, limits: .patient, handler: handler)
        #expect(await RawClient(port: again.port).ask("GET", "/echo")?.status == 200)
        await again.stop()
    }

    @Test("Addresses that can't be listened on are reported with what to do")
    func refused() async throws {
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: .patient, handler: TestHandler())
        for (address, word) in [
            ("127.0.0.1", "in use"), ("localhost", "numeric"),
            ("192.0.2.1", "not an address of this machine"),
        ] {
            #expect {
                try HTTPListener(address: address, port: listener.port, handler: TestHandler())
            } throws: {
                ($0 as? ListenError)?.message.contains(word) == true
            }
        }
        await listener.stop()
    }

    @Test("An invalid identity is reported, and leaves the port free")
    func badIdentity() async throws {
        let before = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: .patient, handler: TestHandler())
        let port = before.port
        await before.stop()
        #expect {
            try HTTPListener(
                address: "127.0.0.1", port: port, identity: .init(certificate: "none", key: "none"),
                handler: TestHandler())
        } throws: {
            ($0 as? ListenError)?.message.contains("do not belong together") == true
        }
        let after = try HTTPListener(
            address: "127.0.0.1", port: port, limits: .patient, handler: TestHandler())
        #expect(after.port == port)
        await after.stop()
    }
}
