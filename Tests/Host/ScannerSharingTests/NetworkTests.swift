import Testing

@testable import ScannerSharing

/// Tests which addresses are in which networks.
@Suite struct NetworkTests {
    @Test(
        "Addresses match the networks that contain them",
        arguments: [
            ("192.168.1.0/24", "192.168.1.77", true), ("192.168.1.0/24", "192.168.2.1", false),
            ("10.0.0.0/9", "10.127.255.255", true), ("10.0.0.0/9", "10.128.0.0", false),
            ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "::1", false), ("::/0", "1.2.3.4", false),
            ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false),
            ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe80::1", false),
            ("fe80::/64", "fe80::1%eth0", true), ("fe80::/10", "febf::", true),
        ])
    func contains(_ network: String, _ address: String, _ isIn: Bool) throws {
        #expect(try #require(Network(network)).contains(address) == isIn)
    }

    @Test(
        "A text that is not a network is refused",
        arguments: [
            "", "/", "/24", "192.168.1.0/", "192.168.1.0/33", "192.168.1.0/-1", "192.168.1.0/24/1",
            "::/129", "house", "192.168.1/24", "192.168.1.0/2x",
        ])
    func refused(_ text: String) { #expect(Network(text) == nil) }

    @Test("This machine is on its own loopback network") func own() {
        #expect(Network.ofThisMachine().contains { $0.contains("127.0.0.5") })
        #expect(!Network.ofThisMachine().contains { $0.contains("203.0.113.9") })
    }

    @Test(
        "The machine accepts its own names, with or without the dot, and no others",
        arguments: [
            ("desk", true), ("DESK.local", true), ("desk.local.", true), ("desk.local:8471", true),
            ("localhost", true), ("192.0.2.1:8471", true), ("[fe80::1]:8471", true),
            ("scans.example", true), ("evil.example", false), ("desk.example", false), ("", false),
            ("desk.local.evil.example", false),
        ])
    func names(_ host: String, _ isMeant: Bool) {
        let names = OwnNames(others: ["scans.example"], machine: "Desk")
        #expect(names.areMeant(by: host) == isMeant)
    }

    @Test("A name that the network assigned later is accepted") func later() {
        let names = OwnNames(others: [], machine: "desk")
        #expect(!names.areMeant(by: "desk-2.local"))
        names.add("Desk-2.local")
        #expect(names.areMeant(by: "desk-2.local."))
    }
}
