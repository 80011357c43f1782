import Archive
import CaptureHost
import Delivery
import Dispatch
import Imaging
import Processing
import Recognition
import ScanService

/// The reason why a job could not be processed, for people.
enum WorkFailure {
    /// An error's message.
    static func words(_ error: any Error) -> String {
        switch error {
        case let error as ArchiveError: error.message
        case let error as DeliveryError: error.message
        case let error as JobError: error.message
        case let error as RecognitionError: error.message
        case let error as ProfileError: error.message
        case let error as ImagingError: error.message
        case let error as HostError: error.message
        default: "\(error)"
        }
    }
}

/// Runs blocking work on a thread of its own.
func onOwnQueue<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "copystand.worker").async {
            continuation.resume(with: Result { try work() })
        }
    }
}
