public import CaptureKit

extension OpenDevice {
    /// Sets an option to what a user typed.
    ///
    /// - Returns: the value that was asked for, and the result; the device may have used the
    ///   nearest value that it has.
    /// - Throws: ``HostError``: `noSuchOption` or `invalidValue`, with the nearest names;
    ///   `hostPath`; what the device answers.
    public func set(
        _ name: String, toText text: String
    ) async throws -> (asked: OptionValue, outcome: OptionOutcome) {
        let value = try await withOptions { options in
            try Self.parse(text, for: settable(name, in: options))
        }
        return (value, try await set(name, to: value))
    }
}
