import CaptureHost
import CaptureKit

/// Listens for a press of a camera's own button while it streams, and then captures by hand.
struct ButtonListener: Sendable {
    /// How often the button is read.
    ///
    /// A camera need not report a press: it may show only in the options, which clear it.
    private static let rhythm = Duration.milliseconds(100)

    /// Why the button can't be read; nil when it can.
    let hint: String?
    private let listening: Task<Void, Never>?

    /// Begins to listen; nil for a device without a button.
    ///
    /// - Parameter options: the device's current options, which report no press yet.
    init?(
        _ device: OpenDevice, _ options: [DeviceOption], _ control: LiveControl,
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
                try? await waiting.sleep(for: Self.rhythm)
                // The live feed notices when a camera is gone.
                guard let options = try? await device.options() else { return }
                if case .button = edges.read(options) { control.captureNow() }
            }
        }
    }

    /// Stops listening.
    func stop() { listening?.cancel() }
}
