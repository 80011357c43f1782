import HTTPServer

/// Refuses requests that a foreign page makes a browser send.
///
/// A name that resolves to this machine (DNS rebinding) is detected by `Host`: it must be a numeric
/// address, `localhost`, or one of the host's configured names. A form or script of another site
/// (CSRF) is detected by `Origin`, which browsers send with every request that may change
/// something: it must be this host. A picture, frame or script of another site is detected by
/// `Sec-Fetch-Site`: another site may only lead here by a link.
struct HostCheck: Sendable {
    /// Names of this host besides its addresses and `localhost`, in lower case.
    let names: Set<String>

    /// Checks a request.
    ///
    /// - Throws: a ``Problem`` with the reason for the refusal.
    func check(_ head: HTTPRequestHead) throws(Problem) {
        guard head.count(ofHeader: "Host") == 1, let host = head.header("Host") else {
            throw Problem(
                400, "no-host", detail: "The request names no host, or several.")
        }
        guard let name = HostName.name(of: host) else {
            throw Problem(
                403, "unknown-host",
                detail:
                    "'\(host)' is not a host. Use a name or an address, with a port from 1 to 65535 or none."
            )
        }
        guard isKnown(name) else {
            throw Problem(
                403, "unknown-host",
                detail:
                    "This host does not answer to '\(host)'. If that is its name, start it with --name \(name)."
            )
        }
        let isReading = head.method == "GET" || head.method == "HEAD"
        if let origin = head.header("Origin"), !isReading || origin != "null", !isSame(origin, host)
        {
            throw foreign(origin)
        }
        if let site = head.header("Sec-Fetch-Site"), site != "same-origin", site != "none",
            !(isReading && isOpened(head))
        {
            throw foreign("another site")
        }
    }

    /// True for an address that a person opens in a window of its own, as by a link, and for
    /// requests of programs that don't state this.
    private func isOpened(_ head: HTTPRequestHead) -> Bool {
        [nil, "document"].contains(head.header("Sec-Fetch-Dest"))
    }

    private func foreign(_ origin: String) -> Problem {
        Problem(
            403, "foreign-origin",
            detail: "A page of \(origin) may not use this host.")
    }

    private func isSame(_ origin: String, _ host: String) -> Bool {
        origin.lowercased() == "http://" + host.lowercased()
            || origin.lowercased() == "https://" + host.lowercased()
    }

    private func isKnown(_ name: String) -> Bool {
        name == "localhost" || names.contains(name) || HostName.isAddress(name)
    }
}
