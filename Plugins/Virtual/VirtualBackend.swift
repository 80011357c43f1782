import BlockingWork
public import CaptureKit
import FoundationEssentials

/// Made-up devices for demonstrations and tests: a flatbed, a feeder and a camera.
///
/// Without a folder they give drawn test pages; with one, its pictures in natural order. Their
/// options are of every kind, and the option `fault` makes them fail in every way that a device or
/// its driver can.
///
///     let backend = VirtualBackend()
///     let feeder = try await backend.open("feeder")
///     _ = try await feeder.set("pages", to: .integer(3))
///     try await feeder.capture(CaptureRequest(), into: sink)  // three frames, 2480 × 3508
///
/// Three environment variables do what no option can. `COPYSTAND_VIRTUAL_PAGES` names the folder
/// from the start. `COPYSTAND_VIRTUAL_PANEL` names a folder in which the files `button`, `paper`
/// and `unplugged` press the scanners' button, load the feeder and pull the cable.
/// `COPYSTAND_VIRTUAL_FAULT` (`devices`, `open` or `options`, optionally followed by `:crash`,
/// `:exit`, `:hang`, `:freeze`, `:garbage`, `:noise` or `:error`) makes a verb fail.
public struct VirtualBackend: CaptureBackend {
    private let shared: SharedState

    /// A backend that gets its folder and fault from environment variables.
    ///
    /// - Parameter environment: the variables; those of the process unless given.
    public init(environment: [String: String]? = nil) {
        self.init(
            environment: environment ?? ProcessInfo.processInfo.environment,
            actuator: ProcessFaultActuator(), pacer: ClockPacer())
    }

    /// A backend whose faults and clock a test provides.
    init(environment: [String: String], actuator: any FaultActuator, pacer: any Pacer) {
        let folder = environment["COPYSTAND_VIRTUAL_PAGES"] ?? ""
        shared = SharedState(
            folder: folder.isEmpty ? nil : folder,
            verbFault: VerbFault(environment["COPYSTAND_VIRTUAL_FAULT"] ?? ""), actuator: actuator,
            pacer: pacer, panel: Panel(folder: environment["COPYSTAND_VIRTUAL_PANEL"]))
    }

    /// Lists the three devices; they are offline when their folder can't be read.
    public func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
        try await shared.trigger(.devices)
        let trouble = await folderTrouble()
        return descriptors.filter { $0.kind != .scanner || !shared.panel.isUnplugged }.map {
            var descriptor = $0
            if let trouble {
                descriptor.state = .offline
                descriptor.advice = "\(trouble.message). Fix or unset COPYSTAND_VIRTUAL_PAGES."
            }
            return descriptor
        }
    }

    /// Opens `flatbed`, `feeder` or `camera`, each for one user at a time.
    ///
    /// - Throws: ``CaptureError`` `noSuchDevice`, `busy`; `offline` when the folder it should serve
    ///   can't be read.
    public func open(_ id: String) async throws -> any CaptureDevice {
        try await shared.trigger(.open)
        guard descriptors.contains(where: { $0.id == id }) else {
            throw CaptureError(
                .noSuchDevice, "There is no virtual device '\(id)'",
                advice: "The devices are flatbed, feeder and camera.")
        }
        if id != "camera" { try shared.checkPlugged(id) }
        try shared.opened(id)
        do {
            return id == "camera"
                ? try await VirtualCamera(shared: shared)
                : try await VirtualScanner(id: id, hasFeeder: id == "feeder", shared: shared)
        } catch {
            shared.closed(id)
            guard let error = error as? CaptureError, shared.folder != nil else { throw error }
            throw CaptureError(
                .offline, error.message, advice: "Fix or unset COPYSTAND_VIRTUAL_PAGES.")
        }
    }

    private func folderTrouble() async -> CaptureError? {
        guard let folder = shared.folder else { return nil }
        do {
            _ = try await onOwnThread { try PictureFolder.pictures(in: folder) }
            return nil
        } catch {
            return error as? CaptureError ?? CaptureError(.inputOutput, "'\(folder)' can't be read")
        }
    }

    private var descriptors: [DeviceDescriptor] {
        let area = AreaInMillimeters(
            width: VirtualScannerOptions.areaWidth, height: VirtualScannerOptions.areaHeight)
        return [
            DeviceDescriptor(
                id: "flatbed", name: "Virtual flatbed", vendor: "Copystand", model: "Flatbed",
                kind: .scanner, connection: "virtual", sources: ["flatbed"], maximumArea: area),
            DeviceDescriptor(
                id: "feeder", name: "Virtual feeder", vendor: "Copystand", model: "Feeder",
                kind: .scanner, connection: "virtual",
                sources: ["flatbed", "feeder", "feeder-duplex"], maximumArea: area),
            DeviceDescriptor(
                id: "camera", name: "Virtual camera", vendor: "Copystand", model: "Camera",
                kind: .camera, connection: "virtual", sources: ["camera"]),
        ]
    }
}
