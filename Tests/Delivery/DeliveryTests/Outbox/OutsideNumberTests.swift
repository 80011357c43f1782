import FoundationEssentials
import HTTPClient
import Synchronization
import Testing

@testable import Delivery

/// Tests numbers from services, and numbers in notes that somebody has changed.
@Suite struct OutsideNumberTests {
    /// Headers, and the seconds that they request.
    static let headers: [(String, Double)] = [
        ("0", 0.0), ("120", 120), ("86400", 86_400), ("86401", 86_400),
        ("9223372036854775807", 86_400), ("18446744073709551616", 86_400),
        (String(repeating: "9", count: 1000), 86_400),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Sun, 31 Feb 2027 23:59:60 GMT", 86_400),
    ]

    @Test(
        "The waiting time that a service requests is limited to a day",
        arguments: headers)
    func patience(_ header: String, _ seconds: Double) {
        #expect(RetryAfter.seconds(header, now: 1_700_000_000) == seconds)
    }

    @Test(
        "A value that is neither a number nor a date is ignored",
        arguments: [
            "", "-1", "-9223372036854775808", "+5", "1e308", "NaN", "inf", "1.5", "0x10", "१२",
            "Fri, 31 Dec 500000 23:59:59 GMT", "Fri, 31 Dec -1 23:59:59 GMT",
            "Fri, 9223372036854775807 Dec 2027 23:59:59 GMT", "Fri, 31 Dec 2027 25:59:59 GMT",
        ])
    func nothing(_ header: String) {
        #expect(RetryAfter.seconds(header, now: 1_700_000_000) == nil)
    }

    @Test(
        "A delivery that was postponed by a clock far ahead is due once the clock is right",
        arguments: [(1e10, 1), (86_000, 0), (-1e9, 1)])
    func clockAhead(_ wait: Double, _ tries: Int) throws {
        let bench = try OutboxBench()
        let peer = try Peer()
        try peer.fault("[503]")
        let sinks = ["dav": bench.definition(.webdav) { $0.url = peer.base + "/dav/" }]
        let outbox = try bench.send("dav", sinks).outbox
        var item = try #require(try outbox.store.items().first?.item.get())
        item.nextTry = bench.clock.withLock { $0 } + wait
        try outbox.store.save(item)
        #expect(outbox.deliver(isDue: true).count == tries)
    }

    @Test(
        "A note with numbers at their limits is delivered or reported, without a crash",
        arguments: ["-1", "-9223372036854775808", "9223372036854775807", "0"],
        ["attempts", "bytes", "sent", "pages", "created", "nextTry"])
    func note(_ number: String, _ name: String) throws {
        let bench = try OutboxBench()
        let peer = try Peer()
        try peer.fault("[503]")
        let sinks = [
            "dav": bench.definition(.webdav) { $0.url = peer.base + "/dav/" }
        ]
        let outbox = try bench.send("dav", sinks).outbox
        let id = try #require(outbox.store.items().first?.id)
        let path = outbox.store.folder(of: id) + "/item.json"
        let note = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        let pattern = try Regex("\"\(name)\" : [0-9.]+")
        // The note of the progress may be empty, or have more fields.
        let progress = try Regex("\"progress\" : \\{(\\s*\\})?", as: (Substring, Substring?).self)
        let altered =
            name == "sent"
            ? note.replacing(progress) {
                "\"progress\" : {\"sent\" : \"\(number)\"" + ($0.output.1 ?? ",")
            }
            : note.replacing(pattern, with: "\"\(name)\" : \(number)")
        #expect(altered != note)
        try altered.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(outbox.deliver(isDue: false).count == 1)
    }
}
