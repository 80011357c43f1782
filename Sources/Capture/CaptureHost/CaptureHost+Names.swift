import Suggestions

/// Aliases and the default device.
extension CaptureHost {
    /// Sets the device that is used when the user names none; nil for no default.
    ///
    /// - Throws: ``HostError``: `noSuchBackend`, `stateFile`; `UserFileError` for a file that can't
    ///   be used.
    public func setDefault(_ id: String?) async throws {
        if let id { try checkID(id) }
        try await registry.change { $0.default = id }
    }

    /// Gives a device a lasting name, and takes it from the device that had it.
    ///
    /// - Throws: ``HostError``: `badAlias` for a name that is empty, longer than 100 bytes, or has
    ///   colons or control characters; `noSuchBackend`, `stateFile`; `UserFileError` for a file
    ///   that can't be used.
    public func setAlias(_ alias: String, for id: String) async throws {
        let isPlain = alias.unicodeScalars.allSatisfy {
            $0.value >= 32 && $0.value != 127 && $0 != ":"
        }
        guard isPlain, (1...100).contains(alias.utf8.count) else {
            throw HostError(
                .badAlias, "'\(alias.prefix(100))' can't be a device's name",
                advice: "Use 1 to 100 characters, and no colon")
        }
        try checkID(id)
        try await registry.change { $0.aliases[alias] = id }
    }

    /// The devices' ids by alias, including absent devices.
    ///
    /// - Throws: ``HostError`` `stateFile`; `UserFileError` for a file that can't be used.
    public func aliases() throws -> [String: String] { try registry.read().aliases }

    /// Removes an alias.
    ///
    /// - Throws: ``HostError``: `badAlias`, with the nearest names, when no device has it;
    ///   `stateFile`; `UserFileError` for a file that can't be used.
    public func removeAlias(_ alias: String) async throws {
        try await registry.change { entries in
            guard entries.aliases.removeValue(forKey: alias) != nil else {
                throw HostError(
                    .badAlias, "no device has the name '\(alias)'",
                    advice: didYouMean(alias, among: Array(entries.aliases.keys)))
            }
        }
    }
}
