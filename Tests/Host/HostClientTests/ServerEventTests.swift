import Testing

@testable import HostClient

/// Tests events as in WHATWG HTML 9.2, from any pieces of bytes.
@Suite struct ServerEventTests {
    private func read(_ text: String, by size: Int = 1, limit: Int = 1 << 20) -> (
        [ServerEvent], isTooLong: Bool
    ) {
        var reader = ServerEventReader(limit: limit)
        var events: [ServerEvent] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let goesOn = bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
                reader.take($0) {
                    events.append($0)
                    return true
                }
            }
            if !goesOn { break }
        }
        return (events, reader.isTooLong)
    }

    private func event(_ name: String, _ data: String, _ id: String = "") -> ServerEvent {
        ServerEvent(name: name, data: Array(data.utf8), id: id)
    }

    @Test("Events are the same, whatever pieces they arrive in", arguments: [1, 2, 3, 7, 1000])
    func pieces(_ size: Int) {
        let text =
            ": hello\nretry: 2000\n\nid: a-1\nevent: job\ndata: {\"id\":\ndata: 7}\n\nevent: x\n\ndata:none\n\n"
        #expect(
            read(text, by: size).0 == [
                event("job", "{\"id\":\n7}", "a-1"), event("message", "none", "a-1"),
            ])
    }

    @Test("Every kind of line end ends a line", arguments: ["\n", "\r", "\r\n"])
    func ends(_ end: String) {
        let text = ["id: 5", "data: one", "data: two", "", "data", "", ""].joined(separator: end)
        #expect(read(text).0 == [event("message", "one\ntwo", "5"), event("message", "", "5")])
    }

    @Test("An event that never ends is abandoned at the limit")
    func endless() {
        let told = read("data: " + String(repeating: "x", count: 5000), by: 100, limit: 1000)
        #expect(told.0.isEmpty && told.isTooLong)
        let lines = read(String(repeating: "data: x\n", count: 2000), by: 100, limit: 1000)
        #expect(lines.0.isEmpty && lines.isTooLong)
    }

    @Test("A listener that stops gets nothing more")
    func leaving() {
        var reader = ServerEventReader()
        var count = 0
        let goesOn = Array("data: 1\n\ndata: 2\n\n".utf8).withUnsafeBytes {
            reader.take($0) { _ in
                count += 1
                return false
            }
        }
        #expect(!goesOn && count == 1)
    }
}
