import ESCL

extension SharedScanners.Announced {
    /// The TXT record, with entries of the form `KEY=VALUE`, by which programs choose a scanner
    /// before they contact it.
    ///
    /// - Parameter base: the address of the host's own page, without a slash at its end.
    public func records(base: String) -> [String] {
        let sources = [hasPlaten ? "platen" : nil, hasFeeder ? "adf" : nil].compactMap(\.self)
        return [
            "txtvers=1", "vers=\(ESCLNames.version)", "rs=\(root)", "ty=\(name)", "note=",
            "pdl=" + DocumentFormat.allCases.map(\.rawValue).joined(separator: ","),
            "cs=\(colors)", "is=\(sources.joined(separator: ","))",
            "duplex=\(hasDuplex ? "T" : "F")", "UUID=\(uuid)", "adminurl=\(base)/",
            "representation=\(base)/icon.png",
        ]
    }
}
