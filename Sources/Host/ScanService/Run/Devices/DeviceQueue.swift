import CaptureHost
import CaptureKit

/// Reserves a device for a job: claims it, and waits while another job has it.
struct DeviceQueue: Sendable {
    /// The claims to use; nil to claim nothing.
    var claims: DeviceClaims?
    /// The name of the claimant, for others who wait.
    var user = "another job"
    /// False for a job that is refused while another job has the device.
    var waits = true
    /// The clock for waits.
    var clock: any Clock<Duration> = ContinuousClock()

    /// The time between two attempts to claim a device.
    ///
    /// Claims are locks on files, whose release causes no event.
    private static let interval = Duration.milliseconds(500)

    /// Claims a device as soon as no other job has it.
    ///
    /// - Parameter isStopped: whether the wait is no longer needed.
    /// - Returns: the claim, which ends with the value; nil for files, which any number of jobs may
    ///   read.
    /// - Throws: `CancellationError` when stopped; ``HostError`` `busy` for a job that does not
    ///   wait.
    func claim(
        _ device: ListedDevice, isStopped: @escaping @Sendable () -> Bool,
        onEvent: @Sendable (ScanEvent) -> Void
    ) async throws -> DeviceClaim? {
        guard let claims, device.descriptor.kind != .files else { return nil }
        try claims.check(device.id)
        let wait = PaperWait(clock: clock, isStopped: isStopped)
        var reported: String?
        while true {
            if let claim = claims.claim(device.id, for: user) { return claim }
            let other = claims.user(of: device.id) ?? "another job"
            let name = device.descriptor.name
            guard waits else { throw Self.busy(name, other) }
            if other != reported { onEvent(.waitingForDevice(device: name, user: other)) }
            reported = other
            try await wait.pause(Self.interval)
        }
    }

    /// True if a job has claimed the device.
    func isInUse(_ device: String) -> Bool { claims?.user(of: device) != nil }

    static func busy(_ device: String, _ user: String) -> HostError {
        HostError(
            HostError.Code(.busy), "'\(device)' is in use by \(user)",
            advice: "Wait until that is done, then try again")
    }
}
