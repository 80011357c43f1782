/// Reads what may be damaged; the rest is still read.
///
/// Right where a document is better without a part than not there at all, and where the loss is
/// listed or `copystand archive check` names it.
///
/// - Returns: nil for what can't be read.
func salvaged<Value>(_ body: () throws -> Value) -> Value? { try? body() }

/// The same for an optional value, which stays one.
func salvaged<Value>(_ body: () throws -> Value?) -> Value? { try? body() }
