import Documents
import Glibc
import HTTPServer
import Testing

@testable import WebServer

/// Random numbers that are the same in every run (SplitMix64).
private struct EventDice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

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
        let first = hub.listen(since: nil, as: ada)
        first.finish()
        hub.publish("job", "1", of: "bob")
        hub.publish("job", "2", of: "ada")
        hub.publish("device", "3")
        let stream = hub.listen(since: events(first).ids.last, as: ada)
        hub.publish("job", "4", of: "bob")
        hub.publish("job", "5", of: "ada")
        stream.finish()
        let told = String(decoding: stream.rest, as: UTF8.self)
        let data = told.split(separator: "\n").filter { $0.hasPrefix("data: ") }
        #expect(data == ["data: 2", "data: 3", "data: 5"])
    }

    /// The numbers and the data that a stream has, and its last number.
    private func events(_ stream: HTTPStream) -> (ids: [String], data: [String]) {
        let lines = String(decoding: stream.rest, as: UTF8.self).split(separator: "\n")
        func values(_ name: String) -> [String] {
            lines.filter { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
        }
        return (values("id: "), values("data: "))
    }

    @Test("Events of others do not count in the numbers of a listener who sees only their own")
    func numbers() {
        func ids(_ hidden: Int) -> [String] {
            let hub = EventHub(run: "r", capacity: 10)
            let ada = ArchiveUser(name: "ada", station: "here", sees: .own)
            for _ in 0..<hidden { hub.publish("job", "0", of: "bob") }
            let stream = hub.listen(since: nil, as: ada)
            for _ in 0..<hidden { hub.publish("job", "0", of: "bob") }
            hub.publish("job", "1", of: "ada")
            for _ in 0..<hidden { hub.publish("job", "0", to: .owners([])) }
            hub.publish("device", "2")
            stream.finish()
            return events(stream).ids
        }
        #expect(ids(0).count == 3)
        #expect(ids(0) == ids(3))
    }

    @Test("A browser that signs in as someone else starts over")
    func other() {
        let hub = EventHub(run: "r", capacity: 10)
        hub.publish("job", "1", of: "ada")
        let names = ["ada", "bob", "ada-1", ""]
        for name in names {
            let user = ArchiveUser(name: name, station: "here", sees: .own)
            let stream = hub.listen(since: nil, as: user)
            stream.finish()
            let last = events(stream).ids[0]
            for other in names where other != name {
                let other = ArchiveUser(name: other, station: "here", sees: .own)
                let stream = hub.listen(since: last, as: other)
                stream.finish()
                #expect(events(stream).data == ["{}"], "\(last)")
            }
            #expect(told(hub, since: last).contains { $0.contains("event: reset") })
        }
    }

    @Test("Listeners who come, go and return at random miss nothing and see nothing of others")
    func random() {
        var random = EventDice(state: 11)
        let hub = EventHub(run: "r", capacity: 40)
        let users = [
            Self.boss, ArchiveUser(name: "ada", station: "here", sees: .own),
            ArchiveUser(name: "bob", station: "here", sees: .own),
        ]
        let audiences: [EventHub.Audience] = [
            .everyone, .owners(["ada"]), .owners(["bob"]), .owners(["ada", "bob"]), .owners([]),
        ]
        /// What each user should have seen, and has seen in one connection after the other.
        var wanted = users.map { _ in [String]() }
        var found = users.map { _ in [String]() }
        var last: [String?] = users.map { _ in nil }
        var streams: [HTTPStream?] = users.map { _ in nil }
        func close(_ index: Int) {
            guard let stream = streams[index] else { return }
            stream.finish()
            let (ids, data) = events(stream)
            found[index] += data
            last[index] = ids.last ?? last[index]
            stream.leave()
            streams[index] = nil
        }
        for number in 1...2_000 {
            let index = Int.random(in: 0..<users.count, using: &random)
            if Int.random(in: 0..<6, using: &random) > 0 {
                let audience = audiences[Int.random(in: 0..<audiences.count, using: &random)]
                hub.publish("job", "\(number)", to: audience)
                for (user, place) in zip(users, users.indices) where audience.contains(user) {
                    wanted[place].append("\(number)")
                }
            } else if streams[index] == nil {
                streams[index] = hub.listen(since: last[index], as: users[index])
                if last[index] == nil { wanted[index] = [] }
            } else {
                close(index)
            }
        }
        for index in users.indices {
            close(index)
            let stream = hub.listen(since: last[index], as: users[index])
            stream.finish()
            found[index] += events(stream).data
            // After a reset, all earlier data is requested again.
            let parts = found[index].split(separator: "{}", omittingEmptySubsequences: false)
            for part in parts.dropLast() where !part.isEmpty {
                #expect(wanted[index].contains(Array(part)), "\(users[index].name ?? "")")
            }
            let latest = Array(parts.last ?? [])
            #expect(Array(wanted[index].suffix(latest.count)) == latest)
            #expect(parts.count > 1 || latest == wanted[index])
            #expect(found[index].count > 100)
        }
    }
}
