import CaptureKit
import Glibc

/// Repeats a request to the driver for as long as signals interrupt it.
func retried(_ body: () -> Int32) -> Int32 { retryingInterrupts(body) }

/// The meaning of a camera driver's error number for its user.
enum CameraFault {
    /// The error of an action on the camera `name`, with `what` such as "be opened".
    static func error(_ number: Int32, _ name: String, _ what: String) -> CaptureError {
        switch number {
        case ENODEV, ENXIO, ENOTCONN, ESHUTDOWN: gone(name)
        case ENOENT: CaptureError(.noSuchDevice, "There is no camera '\(name)'")
        case EBUSY: busy(name)
        case EACCES, EPERM:
            CaptureError(
                .permissionDenied,
                "The camera '\(name)' can't \(what): you have no permission to use it")
        case ENOSPC:
            CaptureError(
                .inputOutput,
                "The camera '\(name)' can't \(what): its USB bus has no bandwidth left",
                advice:
                    "Plug it into another port, unplug other cameras, or choose a smaller size or the format MJPEG."
            )
        case EPROTO, EPIPE, ETIMEDOUT, EIO, EILSEQ:
            CaptureError(
                .inputOutput, "The camera '\(name)' can't \(what): \(systemMessage(number))",
                advice: "Check its cable, plug it in again, and avoid hubs.")
        default:
            CaptureError(
                .inputOutput, "The camera '\(name)' can't \(what): \(systemMessage(number))")
        }
    }

    /// The camera was unplugged, or its driver is gone.
    static func gone(_ name: String) -> CaptureError {
        CaptureError(
            .offline, "The camera '\(name)' is no longer connected",
            advice: "Plug it in again.")
    }

    /// Another program uses the camera.
    static func busy(_ name: String) -> CaptureError {
        CaptureError(
            .busy, "Another program uses the camera '\(name)'", advice: busyAdvice)
    }

    static let busyAdvice = "Close the other program: a video call, a browser, a camera app."

    /// No frame arrived for too long.
    static func stalled(_ name: String, after limit: Duration, damaged: Int) -> CaptureError {
        let seconds = limit.components.seconds
        return damaged > 0
            ? CaptureError(
                .stalled,
                "The camera '\(name)' has sent only damaged frames for \(seconds) s (\(damaged) of them)",
                advice:
                    "Plug it into a port of its own, use a shorter cable, or choose a smaller size."
            )
            : CaptureError(
                .stalled, "The camera '\(name)' has sent no frame for \(seconds) s",
                advice: "Plug it in again; if it happens again, choose another size or format.")
    }
}
