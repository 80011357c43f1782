import CSANE
import CaptureKit
import ExpectedFailures

extension SANEFailure {
    /// The failure in its user's terms.
    ///
    /// - Parameters:
    ///   - device: the device's name for people.
    ///   - isDuplex: whether a sheet gives two pages.
    func captureError(device: String, isDuplex: Bool = false) -> CaptureError {
        let place = place(device, isDuplex)
        switch status {
        case SANE_STATUS_UNSUPPORTED:
            return error(
                .unsupported, "The driver does not support this request \(place)",
                "Choose another source, mode or resolution: copystand options DEVICE")
        case SANE_STATUS_CANCELLED:
            return error(
                .cancelled, "The scan was stopped at the scanner \(place)", "Scan again.")
        case SANE_STATUS_DEVICE_BUSY:
            return error(
                .busy, "'\(device)' is busy\(activity == .opening ? "" : " " + place)",
                "Close the other program that scans, or wait until the lamp is warm, then try again."
            )
        case SANE_STATUS_INVAL: return invalid(device, place)
        case SANE_STATUS_EOF, SANE_STATUS_NO_DOCS:
            return error(
                .feederEmpty, "The feeder of '\(device)' is empty",
                "Put paper into the feeder, or use the glass: --source flatbed")
        case SANE_STATUS_JAMMED:
            return error(
                .jammed, "Paper is jammed in the feeder \(place)", "Clear the jam. \(putBack)")
        case SANE_STATUS_COVER_OPEN:
            return error(
                .coverOpen, "The scanner's cover is open \(place)", "Close it. \(putBack)")
        case SANE_STATUS_IO_ERROR: return unreachable(device, place)
        case SANE_STATUS_NO_MEM:
            return error(
                .outOfMemory, "The driver ran out of memory \(place)",
                "Choose a lower resolution or a smaller area, or close other programs.")
        case SANE_STATUS_ACCESS_DENIED: return denied(device)
        default:
            return error(
                .inputOutput, "The driver answered with \(status.name) \(place)",
                "Switch the scanner off and on, then try again.")
        }
    }

    private func error(
        _ code: CaptureError.Code, _ message: String, _ advice: String
    ) -> CaptureError {
        CaptureError(code, message, advice: advice)
    }

    private func place(_ device: String, _ isDuplex: Bool) -> String {
        switch activity {
        case .listing: "while looking for scanners"
        case .opening: "while opening '\(device)'"
        case .readingOptions: "while reading the options of '\(device)'"
        case .setting(let option): "while setting '\(option)'"
        case .starting(let page), .reading(let page):
            isDuplex ? "at page \(page), sheet \((page + 1) / 2)" : "at page \(page)"
        }
    }

    /// The paper that goes back into the feeder, after some pages.
    private var putBack: String {
        switch activity {
        case .starting(let page), .reading(let page):
            page == 1
                ? "Then scan again."
                : "The pages before page \(page) are kept: put the sheet of page \(page) and those after it back, then scan the rest."
        default: "Then try again."
        }
    }

    private func invalid(_ device: String, _ place: String) -> CaptureError {
        switch activity {
        case .opening, .listing:
            error(
                .noSuchDevice, "There is no scanner '\(device)'",
                "Check that it is switched on and connected, then: copystand devices")
        case .setting(let option):
            error(
                .invalidValue, "The driver rejects this value of '\(option)'",
                "See what it accepts with: copystand options DEVICE")
        default:
            error(
                .invalidValue, "The driver rejects this combination of settings \(place)",
                "Change the source, mode, resolution or area: copystand options DEVICE"
            )
        }
    }

    private func unreachable(_ device: String, _ place: String) -> CaptureError {
        switch activity {
        case .opening, .listing:
            error(
                .offline, "'\(device)' does not answer",
                "Switch it on or wake it, check its cable or network, then try again.")
        default:
            error(
                .inputOutput, "The connection to '\(device)' failed \(place)",
                "Check the cable or network and that the scanner is on. \(putBack)")
        }
    }

    private var passwordPlace: String {
        ifSupported { try PasswordFile.standardPath } ?? "~/.config/copystand/sane-passwords"
    }

    private func denied(_ device: String) -> CaptureError {
        askedForPassword
            ? error(
                .passwordNeeded, "'\(device)' needs a user name and password, or rejected them",
                "Write USER:PASSWORD:RESOURCE into \(passwordPlace), readable only by you (chmod 600)."
            )
            : error(
                .permissionDenied, "You have no permission to use '\(device)'",
                "Join the group that owns scanners (sudo usermod -aG scanner \"$USER\", then log in again), or add a udev rule; Docs/Scanners.md shows one."
            )
    }
}
