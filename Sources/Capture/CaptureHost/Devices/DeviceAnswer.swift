import CaptureKit
import ExpectedFailures
import Synchronization

/// One backend's answer to the request for its devices.
struct DeviceAnswer: Sendable {
    var devices: [DeviceDescriptor] = []
    /// The problems that kept some devices from being found.
    var problems: [HostError] = []
    /// The reason why the backend could not answer; it is also one of `problems`.
    var failure: HostError?
}

extension DeviceAnswer {
    /// The answer of a backend that could not list its devices.
    init(failure: any Error) {
        let failure = asHostError(failure)
        self.init(problems: [failure], failure: failure)
    }

    /// Checks what a backend answered; a list that breaks the protocol ends the link.
    init(_ result: Result<WireLine, any Error>, from link: BackendLink) {
        do {
            let answer = try link.decode(Wire.Devices.self, result.get())
            if let fault = DeviceRules.fault(answer.devices) {
                let error = link.nonsense("listed a device whose \(fault)")
                link.fail(error)
                throw error
            }
            let problems = (answer.problems ?? []).prefix(DeviceRules.most)
            self.init(
                devices: answer.devices,
                problems: problems.map { HostError($0, backend: link.backend) })
        } catch {
            self.init(failure: error)
        }
    }
}

/// Asks one backend for its devices, and checks the answer.
///
/// - Parameter arrived: gets the answer, once, before anything that the backend sent after it is
///   handled; called from any thread, which it must not block.
func askForDevices(
    of supervisor: BackendSupervisor, quick: Bool,
    arrived: @escaping @Sendable (DeviceAnswer) -> Void
) async {
    let link: BackendLink
    do { link = try await supervisor.link() } catch {
        return arrived(DeviceAnswer(failure: error))
    }
    // A failure arrives as the answer, too.
    await ifStillThere {
        try await link.request(
            .devices, DeviceQuery(quick: quick), deadline: link.deadlines.devices
        ) { arrived(DeviceAnswer($0, from: link)) }
    }
}

/// Asks one backend for its devices, when later messages of the backend do not matter.
func answer(of supervisor: BackendSupervisor, quick: Bool) async -> DeviceAnswer {
    let answer = Mutex(DeviceAnswer())
    await askForDevices(of: supervisor, quick: quick) { arrived in answer.withLock { $0 = arrived }
    }
    return answer.withLock { $0 }
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
