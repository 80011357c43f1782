import CaptureKit
import Synchronization

/// The error codes of failed captures.
final class Noted: Sendable {
    private let codes = Mutex<[CaptureError.Code]>([])
    var all: [CaptureError.Code] { codes.withLock { $0 } }
    func add(_ code: CaptureError.Code) { codes.withLock { $0.append(code) } }
}

/// Starts another capture on the same device while a frame is being announced.
final class NestingSink: FrameSink {
    private let device: any CaptureDevice
    private let codes: Noted
    private let inner = RecordingSink()

    init(device: any CaptureDevice, codes: Noted) {
        self.device = device
        self.codes = codes
    }

    func begin(_ frame: FrameDescription) async throws -> any FrameWriter {
        do {
            try await device.capture(CaptureRequest(), into: inner)
        } catch let error as CaptureError {
            codes.add(error.code)
        }
        return try await inner.begin(frame)
    }

    func skip(label: String?, _ error: CaptureError) async throws {
        try await inner.skip(label: label, error)
    }
}
