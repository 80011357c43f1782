import Testing

@testable import HTTPServer

/// Tests which connections the listener accepts, by address.
@Suite struct AdmissionTests {
    private func core(_ change: (inout HTTPLimits) -> Void) -> ListenerCore {
        var limits = HTTPLimits()
        change(&limits)
        return ListenerCore(
            handler: TestHandler(), limits: limits, isTLS: false, counters: HTTPCounters())
    }

    /// Adds a known connection, which is busy unless it is given as idle since a time.
    @discardableResult
    private func add(
        _ address: String, to core: ListenerCore, idleSince: Double? = nil
    ) -> ConnectionRecord {
        // The record has no socket: shutting the socket down fails, and the record is marked
        // nevertheless.
        let record = ConnectionRecord(
            socket: 1 << 20, peer: PeerAddress(address),
            watch: RequestWatch(socket: 1 << 20, limit: 1000, counters: core.counters),
            now: idleSince ?? 0)
        if idleSince == nil {
            record.begin(now: 0, allowance: 10)
            record.received()
        }
        core.add(record)
        return record
    }

    @Test(
        "Busy connections of one IPv4 address or one /64 fill its limit and no one else's",
        arguments: [
            ("192.0.2.1", "192.0.2.1", false), ("192.0.2.1", "192.0.2.2", true),
            ("192.0.2.1", "::ffff:192.0.2.1", false), ("2001:db8::1", "2001:db8::2:3", false),
            ("2001:db8::1", "2001:db8:0:1::1", true), ("127.0.0.1", "127.0.0.1", true),
            ("::1", "::1", true),
        ])
    func groups(_ first: String, _ second: String, _ isLetIn: Bool) {
        let core = core { ($0.connectionsPerAddress, $0.connections) = (3, 100) }
        for _ in 0..<3 { add(first, to: core) }
        #expect(core.admits(PeerAddress(second)) == isLetIn)
        #expect(core.counters[.refusedForAddress] == (isLetIn ? 0 : 1))
    }

    @Test("An address at its limit loses its own oldest idle connection, not another's")
    func ownFirst() {
        let core = core { ($0.connectionsPerAddress, $0.connections) = (2, 100) }
        let other = add("192.0.2.9", to: core, idleSince: 1)
        let young = add("192.0.2.1", to: core, idleSince: 3)
        let old = add("192.0.2.1", to: core, idleSince: 2)
        #expect(core.admits(PeerAddress("192.0.2.1")))
        #expect(old.isCut && !young.isCut && !other.isCut)
    }

    @Test("This machine's own addresses share the total, and are refused only if that is full")
    func loopback() {
        let core = core { ($0.connectionsPerAddress, $0.connections) = (2, 4) }
        for _ in 0..<4 {
            #expect(core.admits(PeerAddress("127.0.0.1")))
            add("127.0.0.1", to: core)
        }
        #expect(!core.admits(PeerAddress("127.0.0.1")))
        #expect(core.counters[.refusedForAll] == 1)
    }
}
