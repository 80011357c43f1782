import Archive
import CaptureHost
import CaptureKit
import Delivery
import Processing
import ScanService
import TemporaryFolders
import UserFiles

extension Problem {
    /// The problem that a client gets for an error of a module.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as HostError: self.init(error)
        case let error as CaptureError: self.init(HostError(error, backend: "device"))
        case let error as ProfileError:
            switch error.code {
            case .unknownProfile:
                self.init(404, "no-such-profile", detail: error.message)
            case .notCopied:
                self.init(
                    409, "profile-not-kept", detail: error.message
                )
            case .diskUnusable:
                self.init(507, "settings-unusable", detail: error.message)
            case .unreadable, .invalid:
                self.init(
                    422, "invalid-profile", detail: error.message)
            }
        case let error as JobError: self.init(error)
        case let error as DeliveryError: self.init(error)
        case let error as ArchiveError: self.init(error)
        case let error as TemporaryFolderError:
            self.init(507, "spool-unusable", detail: error.message)
        case let error as UserFileError:
            self.init(
                [.noSpace, .readOnly].contains(error.code) ? 507 : 500, "settings-unusable",
                detail: error.message)
        case is CancellationError:
            self.init(
                503, "stopping", detail: "The host is being stopped.",
                retryAfter: 5)
        default:
            self.init(
                500, "internal",
                detail: "The host failed unexpectedly. Its log has the details.")
        }
    }

    private init(_ error: HostError) {
        let detail = [error.message, error.advice].compactMap { $0 }.joined(separator: ". ")
        let status =
            switch error.code {
            case .noSuchDevice, .noSuchBackend, .noSuchOption: 404
            case .severalDevices, .defaultAbsent, HostError.Code(.busy): 409
            case .invalidValue, .badAlias, .hostPath: 422
            case .noSpace: 507
            case .spoolFailed, .stateFile: 500
            case .closed: 503
            default: 502
            }
        self.init(
            status, Self.hyphenated(error.code.rawValue), detail: detail)
    }

    private init(_ error: JobError) {
        switch error.code {
        case .noSuchJob: self.init(404, "no-such-job", detail: error.message)
        case .running: self.init(409, "job-running", detail: error.message)
        case .nothingToContinue:
            self.init(
                409, "nothing-to-continue", detail: error.message)
        case .undelivered:
            self.init(
                409, "pages-undelivered",
                detail: error.message)
        case .nobodyToAsk:
            self.init(
                422, "nobody-to-ask", detail: error.message)
        case .splitRuleWrong:
            self.init(422, "split-rule-wrong", detail: error.message)
        case .notForWorkers:
            self.init(422, "not-for-workers", detail: error.message)
        case .inputUnusable:
            self.init(422, "input-unusable", detail: error.message)
        case .spoolUnusable:
            self.init(507, "spool-unusable", detail: error.message)
        case .orderDamaged:
            self.init(500, "order-damaged", detail: error.message)
        }
    }

    private init(_ error: DeliveryError) {
        let (status, code) =
            switch error.code {
            case .noSuchItem: (404, "no-such-item")
            case .busy: (409, "busy")
            case .unknownFormat, .invalidOption, .unsupported: (422, "invalid-sink")
            case .unreachable: (502, "sink-unreachable")
            case .noSpace: (507, "no-space")
            default: (500, "delivery-failed")
            }
        self.init(status, code, detail: error.message)
    }

    private init(_ error: ArchiveError) {
        let (status, code) =
            switch error.code {
            case .missing, .noSuchDocument: (404, "no-such-document")
            case .changedMeanwhile: (412, "changed-meanwhile")
            case .refused: (422, "refused")
            case .busy: (503, "archive-busy")
            case .unreachable: (503, "archive-unreachable")
            case .readOnly: (403, "archive-read-only")
            case .noSpace: (507, "no-space")
            default: (500, "archive-failed")
            }
        self.init(status, code, detail: error.message)
    }

    /// `noSuchDevice` as `no-such-device`.
    static func hyphenated(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }
}
