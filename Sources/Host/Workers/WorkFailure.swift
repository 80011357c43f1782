import Archive
import CaptureHost
import Delivery
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
