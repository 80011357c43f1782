import CaptureKit
import Synchronization

/// The common state of a backend's devices: the folder, the faults, the clock, and the open
/// devices.
final class SharedState: Sendable {
    /// The folder the devices serve from the start; nil for made-up pages.
    let folder: String?
    let actuator: any FaultActuator
    let pacer: any Pacer
    let panel: Panel
    private let verbFault: VerbFault?
    private let open = Mutex<Set<String>>([])

    init(
        folder: String?, verbFault: VerbFault?, actuator: any FaultActuator, pacer: any Pacer,
        panel: Panel = Panel(folder: nil)
    ) {
        self.folder = folder
        self.verbFault = verbFault
        self.actuator = actuator
        self.pacer = pacer
        self.panel = panel
    }

    /// Triggers the fault of a verb, if one was requested.
    func trigger(_ verb: VerbFault.Verb) async throws {
        try await verbFault?.trigger(verb, actuator)
    }

    /// Refuses every request to a scanner whose cable is unplugged.
    ///
    /// - Throws: ``CaptureError`` `offline`.
    func checkPlugged(_ id: String) throws {
        guard panel.isUnplugged else { return }
        throw CaptureError(
            .offline, "The virtual \(id) is unplugged", advice: "Plug it in, then try again.")
    }

    /// Reserves the device for one user.
    ///
    /// - Throws: ``CaptureError`` `busy` when someone has it.
    func opened(_ id: String) throws {
        guard open.withLock({ $0.insert(id).inserted }) else {
            throw CaptureError(
                .busy, "The virtual \(id) is already open", advice: "Close it where it was opened.")
        }
    }

    /// Gives the device back.
    func closed(_ id: String) { open.withLock { _ = $0.remove(id) } }
}
