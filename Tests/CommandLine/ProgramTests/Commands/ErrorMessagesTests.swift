import CaptureHost
import CaptureKit
import Delivery
import Recognition
import Testing

@testable import copystand

@Suite struct ErrorMessagesTests {
    @Test(
        "Each failure of a device has its exit code",
        arguments: [
            (HostError.Code.noSuchDevice, ExitCode.noDevice), (.severalDevices, .noDevice),
            (.defaultAbsent, .noDevice), (.noSuchBackend, .usage), (.noSuchOption, .usage),
            (.invalidValue, .usage), (.badAlias, .usage), (.stateFile, .internalError),
            (.noSpace, .diskUnusable), (.spoolFailed, .diskUnusable), (.crashed, .deviceFailed),
            (.hung, .deviceFailed),
            (.nonsense, .deviceFailed), (.tornPage, .deviceFailed), (.newerProtocol, .deviceFailed),
            (HostError.Code(.jammed), .deviceFailed),
            (HostError.Code(.passwordNeeded), .deviceFailed),
            (HostError.Code(rawValue: "codeOfTomorrow"), .deviceFailed),
            (HostError.Code(.cancelled), .cancelled),
        ])
    func hostErrors(code: HostError.Code, expected: ExitCode) {
        let explained = ErrorMessages.explain(HostError(code, "it failed", advice: "do that"))
        #expect(explained.code == expected)
        #expect(explained.text == "copystand: it failed. do that.")
    }

    @Test("Failures of delivery and recognition, and canceling, have their exit codes")
    func others() {
        #expect(ErrorMessages.explain(DeliveryError(.noSpace, "m")).code == .deliveryFailed)
        #expect(ErrorMessages.explain(DeliveryError(.alreadyExists, "m")).code == .deliveryFailed)
        #expect(ErrorMessages.explain(DeliveryError(.unknownFormat, "m")).code == .usage)
        #expect(ErrorMessages.explain(RecognitionError(.languageMissing, "m")).code == .usage)
        #expect(ErrorMessages.explain(RecognitionError(.helperFailed, "m")).code == .internalError)
        #expect(ErrorMessages.explain(CancellationError()).code == .cancelled)
        let jam = ErrorMessages.explain(CaptureError(.jammed, "paper is stuck"))
        #expect(jam.code == .deviceFailed && jam.text.hasPrefix("copystand: paper is stuck. Clear"))
    }

    @Test("A device's texts can't reach the terminal as an escape sequence")
    func sanitized() {
        let text = ErrorMessages.explain(
            HostError(.crashed, "\u{1B}[2Jgone\u{07}", advice: "x\u{9B}")
        ).text
        #expect(text == "copystand: gone. x.")
    }
}
