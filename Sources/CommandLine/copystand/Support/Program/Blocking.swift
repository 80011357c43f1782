import Dispatch

/// Runs blocking work, such as waiting for a service's answer, on a separate thread.
func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
    -> Value
{
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "copystand.blocking").async {
            continuation.resume(with: Result { try work() })
        }
    }
}
