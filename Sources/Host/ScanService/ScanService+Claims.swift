public import CaptureHost

extension ScanService {
    /// A copy of this service, whose jobs claim their devices.
    ///
    /// - Parameters:
    ///   - claims: the claims of all jobs that may use the same devices.
    ///   - user: the name of the claimant for others who wait, such as `a scan from 192.168.1.20`.
    ///   - waits: false for jobs that are refused as `busy` while another has the device.
    public func claiming(
        with claims: DeviceClaims?, as user: String, waits: Bool = true
    ) -> ScanService {
        var service = self
        service.queue.claims = claims
        (service.queue.user, service.queue.waits) = (user, waits)
        return service
    }

    /// The same service for another claimant.
    package func claiming(as user: String) -> ScanService {
        claiming(with: queue.claims, as: user, waits: queue.waits)
    }

    /// True if a job has claimed a device, named as `<backend>:<rest>`.
    package func isInUse(_ device: String) -> Bool { queue.isInUse(device) }

    /// Checks that no job has claimed a device.
    ///
    /// - Throws: ``HostError`` `busy`.
    package func checkFree(_ device: String) throws {
        if let user = queue.claims?.user(of: device) { throw DeviceQueue.busy(device, user) }
    }
}
