public import CaptureKit

extension OpenDevice {
    /// Sets an option to a value that a user typed.
    ///
    /// - Returns: the requested value, and the result; the device may have used the nearest value
    ///   that it supports.
    /// - Throws: ``HostError``: `noSuchOption` or `invalidValue`, with the nearest names;
    ///   `hostPath`; the device's own error.
    public func set(
        _ name: String, toText text: String
    ) async throws -> (asked: OptionValue, outcome: OptionOutcome) {
        let value = try await withOptions { options in
            try Self.parse(text, for: settable(name, in: options))
        }
        return (value, try await set(name, to: value))
    }
}
