import Dispatch

/// Runs blocking work on a separate queue, outside of the cooperative pool.
func offload<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws
    -> Result
{
    try await withCheckedThrowingContinuation { continuation in
        fileQueue.async { continuation.resume(with: Swift.Result { try body() }) }
    }
}

private let fileQueue = DispatchQueue(label: "copystand.virtual.files", attributes: .concurrent)
