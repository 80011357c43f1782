import Glibc
import HTTPServer
import Testing

/// Tests the limit of connections, and which connections are closed for a new one.
///
/// A client binds to one of this machine's addresses; the server treats all of 127.0.0.0/8 as its
/// own.
@Suite struct ConnectionLimitTests {
    private func withListener(
        _ change: (inout HTTPLimits) -> Void,
        _ body: (HTTPListener, HTTPCounters, TestHandler) async throws -> Void
    ) async throws {
        var limits = HTTPLimits.patient
        change(&limits)
        let (counters, handler) = (HTTPCounters(), TestHandler())
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0, limits: limits, counters: counters, handler: handler)
        try await body(listener, counters, handler)
        await listener.stop()
    }

    /// Connections that were answered once, so that the server counts them as known.
    private func known(_ count: Int, _ port: UInt16) async -> [RawClient] {
        var clients: [RawClient] = []
        for _ in 0..<count {
            let client = RawClient(port: port)
            #expect(await client.ask("GET", "/echo")?.status == 200)
            clients.append(client)
        }
        return clients
    }

    @Test("If all connections are idle, the oldest makes room for a new one")
    func oldestIdle() async throws {
        try await withListener({ $0.connections = 20 }) { listener, counters, _ in
            let old = await known(20, listener.port)
            // The first connection was used last, so the second has been idle for longest.
            #expect(await old[0].ask("GET", "/echo")?.status == 200)
            let new = RawClient(port: listener.port)
            #expect(await new.ask("GET", "/echo")?.status == 200)
            #expect(await old[1].line() == nil)
            #expect(counters[.cutForRoom] == 1)
            #expect(await old[0].ask("GET", "/echo")?.status == 200)
            #expect(await old[2].ask("GET", "/echo")?.status == 200)
        }
    }

    @Test("Thousands of silent connections do not block others")
    func silent() async throws {
        try await withListener({ $0.connections = 200 }) { listener, counters, _ in
            let silent = (0..<1000).map { _ in RawClient(port: listener.port) }
            for _ in 0..<5 {
                #expect(await RawClient(port: listener.port).ask("GET", "/echo")?.status == 200)
            }
            // 1,000 clients connected, and 200 have room. The kernel itself may have refused a few.
            #expect(counters[.cutForRoom] > 780)
            withExtendedLifetime(silent) {}
        }
    }

    @Test("A request in progress is never cut for a new connection, which is refused instead")
    func busy() async throws {
        try await withListener({ $0.connections = 3 }) { listener, counters, handler in
            var watching: [RawClient] = []
            for number in 0..<3 {
                let client = RawClient(port: listener.port)
                await client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await client.head()?.status == 200)
                _ = await handler.stream(number)
                watching.append(client)
            }
            #expect(await RawClient(port: listener.port).ask("GET", "/echo") == nil)
            #expect(counters[.refusedForAll] >= 1 && counters[.cutForRoom] == 0)
            for number in 0..<3 {
                let stream = await handler.stream(number)
                #expect(stream.write(Array("still".utf8)))
                #expect(await watching[number].chunk() == Array("still".utf8))
            }
        }
    }

    @Test("Streams beyond the limit are refused with 503, and a closed one frees its place")
    func streams() async throws {
        try await withListener({ $0.streams = 2 }) { listener, counters, handler in
            func watch() async -> (RawClient, Int?) {
                let client = RawClient(port: listener.port)
                await client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
                return (client, await client.head()?.status)
            }
            let (first, _) = await watch()
            let (second, status) = await watch()
            #expect(status == 200)
            #expect(await watch().1 == 503)
            #expect(counters[.refusedStream] == 1)
            let stream = await handler.stream(0)
            first.reset()
            while stream.write([1]) { try await Task.sleep(for: .milliseconds(2)) }
            while await watch().1 != 200 {}
            withExtendedLifetime(second) {}
        }
    }

    @Test("Bodies in memory share a limit, and one that ends frees its space")
    func bodies() async throws {
        try await withListener({ $0.bodiesInMemory = 1500 }) { listener, counters, _ in
            let half = RawClient(port: listener.port)
            await half.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
            await half.send(String(repeating: "x", count: 900))
            let body = [UInt8](repeating: 120, count: 900)
            // The first body is counted once the server has read it.
            var status: Int?
            repeat {
                status = await RawClient(port: listener.port).ask("POST", "/echo", body: body)?
                    .status
            } while status == 200
            #expect(status == 503)
            half.reset()
            while await RawClient(port: listener.port).ask("POST", "/echo", body: body)?.status
                != 200
            {}
            _ = counters
        }
    }
}
