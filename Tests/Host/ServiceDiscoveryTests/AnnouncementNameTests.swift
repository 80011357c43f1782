import Testing

@testable import ServiceDiscovery

/// The form of names on the network.
@Suite struct AnnouncementNameTests {
    @Test(
        "A name is cut to 63 bytes, between characters",
        arguments: [
            ("Desk", "Desk"), ("", ""),
            (String(repeating: "a", count: 64), String(repeating: "a", count: 63)),
            (String(repeating: "é", count: 40), String(repeating: "é", count: 31)),
            (String(repeating: "👩‍👩‍👧", count: 9), String(repeating: "👩‍👩‍👧", count: 3)),
        ])
    func cut(_ name: String, _ announced: String) {
        #expect(ServiceAnnouncement.cut(name) == announced)
    }
}
