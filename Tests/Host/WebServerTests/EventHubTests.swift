import Documents
import Glibc
import HTTPServer
import Testing

@testable import WebServer

/// Tests events for listeners that stayed and for listeners that return.
@Suite struct EventHubTests {
    private static let boss = ArchiveUser(name: "boss", station: "here")

    /// The events that a listener gets immediately if its last event was `last`.
    private func told(_ hub: EventHub, since last: String?) -> [String] {
        let stream = hub.listen(since: last, as: Self.boss)
        stream.finish()
        return String(decoding: stream.rest, as: UTF8.self).split(separator: "\n\n").map(
            String.init
        )
        .filter { !$0.hasPrefix(":") }
    }

    @Test(
        "A returning listener gets the events that it missed, in order, and none twice",
        arguments: [0, 1, 2, 5])
    func replay(_ seen: Int) {
        let hub = EventHub(run: "r", capacity: 10)
        for number in 1...5 { hub.publish("job", "{\"n\":\(number)}") }
        let missed = (seen..<5).map { "id: r-\($0 + 1)\nevent: job\ndata: {\"n\":\($0 + 1)}" }
        #expect(told(hub, since: "r-\(seen)") == missed)
    }

    @Test(
        "A listener that was away for too long, or since before this run, is asked to start over",
        arguments: [
            "r-1", "other-3", "r-99", "", "nonsense", "r-", "r-x", "r--1", "r-99999999999999999999",
        ])
    func reset(_ last: String) {
        let hub = EventHub(run: "r", capacity: 3)
        for number in 1...8 { hub.publish("job", "{\"n\":\(number)}") }
        #expect(told(hub, since: last) == ["id: r-8\nevent: reset\ndata: {}"])
    }

    @Test("Kept events stay within their limit, and the last one is always there")
    func room() {
        let hub = EventHub(run: "r", capacity: 1000, bytes: 1000)
        for _ in 1...50 { hub.publish("job", String(repeating: "x", count: 100)) }
        #expect(told(hub, since: "r-45").count == 5)
        #expect(told(hub, since: "r-20") == ["id: r-50\nevent: reset\ndata: {}"])
        hub.publish("job", String(repeating: "x", count: 5000))
        #expect(told(hub, since: "r-50").count == 1)
    }

    @Test(
        "A new listener gets the number to continue after before anything happens",
        arguments: [0, 3])
    func number(_ before: Int) {
        let hub = EventHub(run: "r")
        for _ in 0..<before { hub.publish("job", "{}") }
        // A number without data is not an event, and is stored nevertheless (WHATWG HTML 9.2.6).
        #expect(told(hub, since: nil) == ["id: r-\(before)"])
    }

    @Test("A new listener gets later events, and is forgotten when it leaves")
    func listener() {
        let hub = EventHub(run: "r")
        hub.publish("job", "{}")
        let stream = hub.listen(since: nil, as: Self.boss)
        #expect(hub.listeners == 1)
        hub.publish("device", "{}")
        #expect(
            String(decoding: stream.rest, as: UTF8.self).hasSuffix(
                "\n\nid: r-2\nevent: device\ndata: {}\n\n"))
        stream.leave()
        #expect(hub.listeners == 0)
        hub.publish("device", "{}")
    }

    @Test("No number in Last-Event-ID stops the host", arguments: NumberEdges.all)
    func edges(_ number: String) {
        let hub = EventHub(run: "r", capacity: 2)
        for _ in 0..<5 { hub.publish("job", "{}") }
        for last in ["r-\(number)", number, "r-\(number)-\(number)", "x-\(number)"] {
            let told = String(decoding: hub.listen(since: last, as: Self.boss).rest, as: UTF8.self)
            #expect(told.hasPrefix(": Copystand"))
        }
    }

    @Test("A listener who sees only their own gets no events of others, now or later")
    func own() {
        let hub = EventHub(run: "r", capacity: 10)
        let ada = ArchiveUser(name: "ada", station: "here", sees: .own)
        hub.publish("job", "1", of: "bob")
        hub.publish("job", "2", of: "ada")
        hub.publish("device", "3")
        let stream = hub.listen(since: "r-0", as: ada)
        hub.publish("job", "4", of: "bob")
        hub.publish("job", "5", of: "ada")
        stream.finish()
        let told = String(decoding: stream.rest, as: UTF8.self)
        let data = told.split(separator: "\n").filter { $0.hasPrefix("data: ") }
        #expect(data == ["data: 2", "data: 3", "data: 5"])
    }
}
