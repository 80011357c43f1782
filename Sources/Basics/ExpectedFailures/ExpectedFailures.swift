// Failures that need no report. Each function's name is the reason.

/// Removes something that is no longer needed, or undoes something that another failure
/// interrupted.
///
/// Right when the caller has its result, or is about to report another error, and when what stays
/// is harmless or is removed later:
///
///     } catch {
///         cleaningUp { try database.run("ROLLBACK") }
///         throw error
///     }
public func cleaningUp<Value>(_ body: () throws -> Value) { _ = try? body() }

/// Reads or writes something that only saves work or informs, such as a note of progress.
///
/// Right when the caller does without it: it computes again, or shows less.
///
/// - Returns: nil if there is no such hint.
@discardableResult
public func asHint<Value>(_ body: () throws -> Value) -> Value? { try? body() }

/// The same for an optional value, which stays one.
@discardableResult
public func asHint<Value>(_ body: () throws -> Value?) -> Value? { try? body() }

/// Decodes data from elsewhere, which may have another meaning or version.
///
/// Right when the caller handles other forms, perhaps with a more detailed error.
///
/// - Returns: nil for another form.
public func ofKnownForm<Value>(_ body: () throws -> Value) -> Value? { try? body() }

/// Uses a feature that not every machine, device or file has.
///
/// Right when the work can go on without it.
///
/// - Returns: nil without the feature.
@discardableResult
public func ifSupported<Value>(_ body: () throws -> Value) -> Value? { try? body() }

/// The same for an optional value, which stays one.
@discardableResult
public func ifSupported<Value>(_ body: () throws -> Value?) -> Value? { try? body() }

/// Begins or prepares something; the code that needs it fails in the same way, and reports that.
///
/// - Returns: nil after a failure.
@discardableResult
public func reportedLater<Value>(_ body: () throws -> Value) -> Value? { try? body() }

/// The same for an optional value, which stays one.
@discardableResult
public func reportedLater<Value>(_ body: () throws -> Value?) -> Value? { try? body() }

/// Makes one attempt of a loop that makes the next one soon.
///
/// Right when the last failure, or the silence, shows elsewhere, such as in a missing heartbeat.
///
/// - Returns: nil if the attempt failed.
@discardableResult
public func repeatedSoon<Value>(_ body: () async throws -> Value) async -> Value? {
    try? await body()
}

/// Asks something of a device, a connection or a task that may be gone.
///
/// Right when the caller continues either way, and notices elsewhere that the other side has ended.
///
/// - Returns: nil if it is gone, or refuses.
@discardableResult
public func ifStillThere<Value>(_ body: () async throws -> Value) async -> Value? {
    try? await body()
}

extension SingleValueDecodingContainer {
    /// The value, if it has this type; for values that may have one of several.
    public func decodeIfMatching<Value: Decodable>(_ type: Value.Type) -> Value? {
        try? decode(type)
    }
}

extension Result {
    /// The value; nil for a failure, where unreadable values are left out.
    public var readable: Success? { try? get() }
}
