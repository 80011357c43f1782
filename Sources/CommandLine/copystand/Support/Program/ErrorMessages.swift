import Archive
import CaptureHost
import CaptureKit
import CommandLine
import Delivery
import HostClient
import Processing
import Recognition
import ScanService
import UserFiles

/// Turns every error into the message that people read and the code that scripts read.
///
/// Nothing else does this.
enum ErrorMessages {
    /// An error in words, safe to show on a terminal, with the exit code it leads to.
    struct Explained: Hashable, Sendable {
        /// The failure and the advice, in one or more lines without a final line break.
        var text: String
        /// The program's exit code, when this error ends it.
        var code: ExitCode
    }

    /// The words and the exit code for `error`.
    static func explain(_ error: any Error) -> Explained {
        switch error {
        case let error as UsageError: said(error.message, .usage)
        // Files are devices of a backend; but if a user named a file, the argument is wrong.
        case let error as HostError where error.backend == "file" && error.code == .noSuchDevice:
            said(error.description, .usage)
        case let error as HostError: said(error.description, code(error.code))
        case let error as CaptureError:
            // The host adds the advice that belongs to the code.
            explain(HostError(error, backend: "device"))
        case let error as JobError: said(error.message, code(error.code))
        case let error as ProfileError:
            said(error.message, error.code == .diskUnusable ? .diskUnusable : .usage)
        case let error as ExplainError: said(error.message, .usage)
        case let error as DeliveryError: said(error.message, code(error.code))
        case let error as ArchiveError: said(error.message, code(error.code))
        case let error as UserFileError: said(error.message, code(error.code))
        case let error as HostFailure: said(error.message, code(error.code))
        case let error as RecognitionError:
            said(
                error.message,
                [.languageMissing, .readerMissing].contains(error.code) ? .usage : .internalError)
        case let error as OutputFailure: said(error.message, .internalError)
        case is CancellationError: said("canceled", .cancelled)
        default: explain(other: error)
        }
    }

    private static func explain(other error: any Error) -> Explained {
        if let refusal = DiskRefusal(error) {
            said("A file can't be written. \(refusal.message)", .diskUnusable)
        } else {
            said(
                "an unexpected error: \(error). Try again with --verbose and report it.",
                .internalError)
        }
    }

    private static func said(_ text: String, _ code: ExitCode) -> Explained {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
            .map { Sanitized.line(String($0)) }
        return Explained(text: "copystand: " + lines.joined(separator: "\n"), code: code)
    }

    /// The exit code for a device's failure of this code; nil for a failure that no device has.
    static func code(ofDeviceFailure code: String?) -> ExitCode {
        code.map { self.code(HostError.Code(rawValue: $0)) } ?? .internalError
    }

    private static func code(_ code: HostError.Code) -> ExitCode {
        switch code {
        case .noSuchDevice, .severalDevices, .defaultAbsent: .noDevice
        case .noSuchBackend, .noSuchOption, .invalidValue, .badAlias, .hostPath, .installRefused:
            .usage
        case .noSpace, .spoolFailed: .diskUnusable
        case .stateFile, .closed: .internalError
        case HostError.Code(.cancelled): .cancelled
        // A backend may use codes that are newer than this program: those too are the device's.
        default: .deviceFailed
        }
    }

    private static func code(_ code: JobError.Code) -> ExitCode {
        switch code {
        case .noSuchJob, .running, .nothingToContinue, .undelivered, .nobodyToAsk,
            .splitRuleWrong, .notForWorkers, .inputUnusable:
            .usage
        case .spoolUnusable: .diskUnusable
        case .orderDamaged: .internalError
        }
    }

    /// The exit code for the same failure on this machine.
    private static func code(_ code: HostFailure.Code) -> ExitCode {
        switch code {
        case .badAddress, .unreachable, .untrusted, .notCopystand, .noToken: .usage
        case .cut: .deliveryFailed
        case .jobGone: .deviceFailed
        case .refused("no-such-device", _), .refused("several-devices", _),
            .refused("default-absent", _):
            .noDevice
        case .refused("cancelled", _): .cancelled
        case .refused("delivery-failed", _), .refused("sink-unreachable", _): .deliveryFailed
        // An error of a device is a bad gateway to the host; a busy device is a conflict.
        case .refused("busy", _), .refused(_, status: 502): .deviceFailed
        case .refused(_, status: 400..<500): .usage
        case .refused("no-space", _), .refused("spool-unusable", _), .refused("spool-failed", _):
            .diskUnusable
        case .refused: .internalError
        }
    }

    private static func code(_ code: ArchiveError.Code) -> ExitCode {
        switch code {
        case .missing, .noSuchDocument, .changedMeanwhile, .refused, .newerVersion, .notAnArchive:
            .usage
        case .noSpace, .readOnly: .diskUnusable
        default: .internalError
        }
    }

    private static func code(_ code: UserFileError.Code) -> ExitCode {
        switch code {
        case .noHome, .folderUnusable, .untrusted: .usage
        case .noSpace, .readOnly: .diskUnusable
        case .inputOutput: .internalError
        }
    }

    private static func code(_ code: DeliveryError.Code) -> ExitCode {
        switch code {
        case .unknownFormat, .invalidOption, .noSuchItem, .busy: .usage
        default: .deliveryFailed
        }
    }
}
