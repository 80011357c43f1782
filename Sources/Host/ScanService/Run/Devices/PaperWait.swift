import CaptureHost
import CaptureKit

/// Waits until a device's feeder has paper, according to its sensor.
struct PaperWait: Sendable {
    /// The time between two readings of a sensor.
    ///
    /// SANE has no events, so it is read again and again.
    static let reading = Duration.milliseconds(500)
    /// The time between two attempts to feed from a feeder without a sensor.
    static let trying = Duration.seconds(2)

    let clock: any Clock<Duration>
    /// True if the wait has become pointless.
    let isStopped: @Sendable () -> Bool

    /// The result of a wait: there is paper, or the device can't detect it.
    enum Answer { case loaded, unknown }

    /// Waits for paper.
    ///
    /// - Parameter hasBeenEmpty: false when the paper in the feeder was scanned before: it must be
    ///   removed first.
    /// - Throws: `CancellationError` when stopped; the device's error.
    func paper(in device: OpenDevice, hasBeenEmpty: Bool) async throws -> Answer {
        var hasBeenEmpty = hasBeenEmpty
        while true {
            guard let sensor = try await device.options().first(where: { $0.senses(.paper) })
            else { return .unknown }
            let isLoaded = sensor.value?.isOn ?? false
            if isLoaded && hasBeenEmpty { return .loaded }
            if !isLoaded { hasBeenEmpty = true }
            try await pause(Self.reading)
        }
    }

    /// Waits for `time`, or until stopped.
    ///
    /// - Throws: `CancellationError`.
    func pause(_ time: Duration) async throws {
        // Waits in short steps, so that a stop is noticed soon.
        let step = Duration.milliseconds(250)
        var left = time
        while left > .zero {
            if isStopped() { throw CancellationError() }
            try await clock.sleep(for: min(step, left))
            left -= step
        }
        if isStopped() { throw CancellationError() }
    }
}
