import CaptureHost
import CaptureKit
import Clocks
import ExpectedFailures

/// Watches a camera's own button during streaming; a press captures by hand.
struct ButtonListener: Sendable {
    /// The time between two readings of the button.
    ///
    /// Some cameras do not report a press: it is visible only in the options, and reading them
    /// clears it.
    private static let rhythm = Duration.milliseconds(100)

    /// The reason why the button can't be read; nil when it can.
    let hint: String?
    private let listening: Task<Void, Never>?

    /// Starts to watch; nil for a device without a button.
    ///
    /// - Parameter options: the device's current options, in which a press does not count yet.
    init?(
        _ device: OpenDevice, _ options: [DeviceOption], _ control: LiveRequests,
        waiting: any Clock<Duration>
    ) {
        guard let button = options.first(where: { $0.sensor == .button }) else { return nil }
        guard button.senses(.button) else {
            hint = "The camera's button can't be used. \(button.help)"
            listening = nil
            return
        }
        hint = nil
        listening = Task {
            var edges = SensorEdges()
            _ = edges.read(options)
            while !Task.isCancelled {
                await waiting.pause(for: Self.rhythm)
                // The live feed notices when a camera is gone.
                guard let options = await ifStillThere({ try await device.options() }) else {
                    return
                }
                if case .button = edges.read(options) { control.captureNow() }
            }
        }
    }

    /// Stops watching.
    func stop() { listening?.cancel() }
}
