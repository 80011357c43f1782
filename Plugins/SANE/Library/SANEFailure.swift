import CSANE
import CaptureKit

/// A call of SANE that did not return `SANE_STATUS_GOOD`.
struct SANEFailure: Error, Hashable {
    /// The attempted action, which determines the meaning of a status.
    enum Activity: Hashable {
        case listing
        case opening
        case readingOptions
        case setting(String)
        case starting(page: Int)
        case reading(page: Int)
    }

    /// The `SANE_Status`.
    var status: SANE_Status
    var activity: Activity
    /// True when the driver asked for a password on the way.
    var askedForPassword = false
}

extension SANE_Status {
    /// The name of the status in SANE's header, for the log.
    var name: String {
        switch self {
        case SANE_STATUS_GOOD: "GOOD"
        case SANE_STATUS_UNSUPPORTED: "UNSUPPORTED"
        case SANE_STATUS_CANCELLED: "CANCELLED"
        case SANE_STATUS_DEVICE_BUSY: "DEVICE_BUSY"
        case SANE_STATUS_INVAL: "INVAL"
        case SANE_STATUS_EOF: "EOF"
        case SANE_STATUS_JAMMED: "JAMMED"
        case SANE_STATUS_NO_DOCS: "NO_DOCS"
        case SANE_STATUS_COVER_OPEN: "COVER_OPEN"
        case SANE_STATUS_IO_ERROR: "IO_ERROR"
        case SANE_STATUS_NO_MEM: "NO_MEM"
        case SANE_STATUS_ACCESS_DENIED: "ACCESS_DENIED"
        default: "status \(rawValue)"
        }
    }
}
