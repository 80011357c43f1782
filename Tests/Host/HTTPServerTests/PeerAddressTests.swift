import HTTPServer
import Testing

/// Tests which addresses count as one peer for a limit.
@Suite struct PeerAddressTests {
    @Test(
        "IPv4 counts by address, IPv6 by its /64, and a mapped IPv4 address as IPv4",
        arguments: [
            ("192.0.2.7", "192.0.2.7", "192.0.2.7", false),
            ("127.0.0.1", "127.0.0.1", "127.0.0.0/8", true),
            ("127.1.2.3", "127.1.2.3", "127.0.0.0/8", true),
            ("::1", "::1", "::1", true),
            ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7", false),
            ("::ffff:127.0.0.1", "127.0.0.1", "127.0.0.0/8", true),
            ("2001:db8:0:5::1", "2001:db8:0:5::1", "2001:db8:0:5::/64", false),
            ("2001:db8:0:5:ffff::2", "2001:db8:0:5:ffff::2", "2001:db8:0:5::/64", false),
            ("fe80::1%eth0", "fe80::1%eth0", "fe80:0:0:0::/64", false),
            ("", "", "", false), ("no address", "no address", "no address", false),
        ])
    func groups(_ text: String, _ shown: String, _ group: String, _ isLoopback: Bool) {
        let address = PeerAddress(text)
        #expect(address.text == shown)
        #expect(address.group == group)
        #expect(address.isLoopback == isLoopback)
    }

    @Test(
        "Only the two usual loopback addresses are one client",
        arguments: [
            ("127.0.0.1", "localhost"), ("::1", "localhost"), ("::ffff:127.0.0.1", "localhost"),
            ("127.0.0.2", "127.0.0.2"), ("::ffff:127.0.0.2", "127.0.0.2"),
            ("192.0.2.7", "192.0.2.7"), ("fe80::1%eth0", "fe80::1%eth0"), ("", ""),
        ])
    func clients(_ text: String, _ client: String) {
        #expect(PeerAddress(text).client == client)
    }
}
