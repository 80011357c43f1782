import CaptureKit

/// One backend's answer to the request for its devices.
struct DeviceAnswer: Sendable {
    var devices: [DeviceDescriptor] = []
    /// The problems that kept some devices from being found.
    var problems: [HostError] = []
    /// Why the backend could not answer; it is also one of `problems`.
    var failure: HostError?
}

/// Asks one backend for its devices, and checks the answer.
func answer(of supervisor: BackendSupervisor, quick: Bool) async -> DeviceAnswer {
    do {
        let link = try await supervisor.link()
        let line = try await link.request(
            .devices, DeviceQuery(quick: quick), deadline: link.deadlines.devices)
        let answer = try link.decode(Wire.Devices.self, line)
        if let fault = DeviceRules.fault(answer.devices) {
            let error = link.nonsense("listed a device whose \(fault)")
            link.fail(error)
            throw error
        }
        let problems = (answer.problems ?? []).prefix(DeviceRules.most)
        return DeviceAnswer(
            devices: answer.devices, problems: problems.map { HostError($0, backend: link.backend) }
        )
    } catch {
        let failure = asHostError(error)
        return DeviceAnswer(problems: [failure], failure: failure)
    }
}

extension DeviceRegistry.Entries {
    /// A backend's device with its aliases.
    func listed(_ descriptor: DeviceDescriptor, backend: String) -> ListedDevice {
        let id = backend + ":" + descriptor.id
        return ListedDevice(
            backend: backend, descriptor: descriptor,
            aliases: aliases.filter { $0.value == id }.keys.sorted(), isDefault: self.default == id)
    }
}
