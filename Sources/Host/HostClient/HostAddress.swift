import HTTPClient

/// The address at which a host answers, such as `http://127.0.0.1:8470`.
public struct HostAddress: Hashable, Sendable {
    /// The address without a path, for messages.
    public let text: String
    /// True if the traffic can't be read on the way.
    public var isSecure: Bool { text.hasPrefix("https://") }
    /// True for an address of this machine, whose traffic no network sees.
    public var isOwn: Bool {
        let host = text.drop { $0 != "/" }.drop { $0 == "/" }
        return host.hasPrefix("127.") || host.hasPrefix("[::1]") || host == "localhost"
            || host.hasPrefix("localhost:")
    }

    /// Reads an address.
    ///
    /// - Throws: ``HostFailure`` `badAddress`.
    public init(_ text: String) throws(HostFailure) {
        guard !text.contains("@") else {
            // The text may contain a password, so the message does not repeat it.
            throw HostFailure(
                .badAddress,
                "The host's address contains a user name. Leave it out, and give a token with --host-token-file."
            )
        }
        do {
            let address = try WebAddress(text)
            guard address.rest.isEmpty || address.rest == "/" else {
                throw HostFailure(
                    .badAddress,
                    "The address '\(text.prefix(200))' has something after the host. Give it as 'copystand serve' shows it, such as http://127.0.0.1:8470."
                )
            }
            self.text = address.origin
        } catch let error as HostFailure {
            throw error
        } catch {
            throw HostFailure(
                .badAddress,
                "'\(text.prefix(200))' is not a host's address. Give it as 'copystand serve' shows it, such as http://127.0.0.1:8470."
            )
        }
    }
}
