public import CaptureKit
import ExpectedFailures
import Suggestions
import Synchronization
import UserFiles

/// The host side of capture: finds backends, runs each in a process of its own, and finds and opens
/// their devices.
///
///     let host = CaptureHost(.standard())
///     let device = try await host.open(host.find("flatbed"))
///     for try await event in device.capture(CaptureRequest(), spool: folder, window: 4) { … }
///     await host.shutdown()
///
/// The host starts a backend when it is first needed. A backend that crashes, hangs or breaks the
/// protocol is stopped, a ``HostError`` reports it, and the next request starts it again. The host
/// is an actor: its own work is short, and calls that block have threads of their own.
public actor CaptureHost {
    private let configuration: HostConfiguration
    private let reports: [BackendReport]
    private let supervisors: [String: BackendSupervisor]
    let registry: DeviceRegistry
    /// Passes the device reports of backends to those who watch a listing.
    nonisolated let relay = DeviceRelay()
    /// Devices that `find` had to open, which stay open for the call of `open` that follows.
    private var opened: [String: Kept] = [:]
    /// The ids of all devices that were listed so far.
    private var listed: Set<String> = []
    private nonisolated let isGuarded = Atomic(false)

    private struct Kept {
        let device: OpenDevice
        /// False when the backend did not describe the device.
        let isDescribed: Bool
    }

    /// A host of the backends in the configured folders, and of the given backends, by id, which
    /// run in this process.
    ///
    /// A backend in the process takes precedence over a program with the same id.
    public init(
        _ configuration: HostConfiguration, inProcess: [String: any CaptureBackend] = [:]
    ) {
        var configuration = configuration
        configuration.onDeviceChange = { [relay, notify = configuration.onDeviceChange] in
            notify($0, $1)
            relay.send($1, of: $0)
        }
        configuration.onFailure = { [relay] in relay.send($1, of: $0) }
        self.configuration = configuration
        let found = ModuleFinder(
            folders: configuration.backendFolders, programFolder: configuration.programFolder,
            ownFolders: configuration.ownBackendFolders
        ).reports()
        var supervisors: [String: BackendSupervisor] = [:]
        var reports: [BackendReport] = []
        for (id, backend) in inProcess.sorted(by: { $0.key < $1.key }) {
            let report = BackendReport(id: id, name: id, protocol: captureProtocolVersion)
            reports.append(report)
            supervisors[id] = BackendSupervisor(
                report, .inProcess(backend, version: "in-process"), configuration)
        }
        if let point = configuration.attach {
            let report =
                found.first { $0.id == point.backend && $0.problem == nil }
                ?? BackendReport(
                    id: point.backend, name: point.backend, protocol: captureProtocolVersion)
            reports.append(report)
            supervisors[point.backend] = BackendSupervisor(
                report, .attached(point), configuration)
        }
        for report in found {
            if report.problem == nil, supervisors[report.id] != nil { continue }
            reports.append(report)
            if report.problem == nil, let program = report.program {
                supervisors[report.id] = BackendSupervisor(
                    report, .program(program), configuration)
            }
        }
        self.reports = reports
        self.supervisors = supervisors
        registry = DeviceRegistry(
            path: configuration.stateFile, problem: configuration.stateProblem)
    }

    /// Makes every device refuse and hide paths of this machine (``DeviceOption/hostPath``) from
    /// now on: their user is on the network.
    public nonisolated func refuseHostPaths() { isGuarded.store(true, ordering: .releasing) }

    /// Every installed backend, including unusable ones with the reason; starts no backend.
    public func backends() async -> [BackendReport] { reports }

    // MARK: Devices

    /// The devices of one backend, or of all backends, which are asked at the same time.
    ///
    /// - Parameters:
    ///   - backend: the id of the only backend to ask; nil for all.
    ///   - quick: true to skip slow searches, such as those of the network.
    public func listDevices(backend: String? = nil, quick: Bool = false) async -> DeviceListing {
        var listing = DeviceListing()
        let asked: [BackendSupervisor]
        do { asked = try self.asked(backend) } catch { return DeviceListing(problems: [error]) }
        var entries = DeviceRegistry.Entries()
        do { entries = try registry.read() } catch { listing.problems.append(asHostError(error)) }
        let answers = await withTaskGroup(of: (String, DeviceAnswer).self) { group in
            for supervisor in asked {
                group.addTask { (supervisor.report.id, await answer(of: supervisor, quick: quick)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (id, answer) in answers.sorted(by: { $0.0 < $1.0 }) {
            listing.devices += answer.devices.map { entries.listed($0, backend: id) }
            listing.problems += answer.problems
        }
        if backend == nil { listing.problems += broken }
        listed.formUnion(listing.devices.map(\.id))
        return listing
    }

    /// The error of each installed backend that can't be used.
    var broken: [HostError] { reports.compactMap(unusable) }

    private func unusable(_ report: BackendReport) -> HostError? {
        report.problem.map {
            HostError(
                .brokenBackend, "the backend '\(report.id)' can't be used: \($0)",
                backend: report.id)
        }
    }

    /// The backend with that id, or all backends, sorted.
    func asked(_ backend: String?) throws(HostError) -> [BackendSupervisor] {
        if let backend { return [try supervisor(backend)] }
        return supervisors.values.sorted { $0.report.id < $1.report.id }
    }

    /// The device that a user means.
    ///
    /// A name of the form `<backend>:<rest>` asks only that backend, and may open a device that the
    /// backend does not list, such as a file. Any other name is looked up among aliases first. Then
    /// "camera" or "scanner" finds the only real device of that kind, and a part of a name, model
    /// or vendor finds the only device that matches. Without a name, the default device is found.
    /// If no default is set, the only device is found; files do not count, and virtual devices
    /// count only if there are no real ones.
    ///
    /// - Throws: ``HostError``: `noSuchDevice` with the nearest names, `severalDevices` with their
    ///   list, `defaultAbsent`, or the backend's error.
    ///
    /// - Parameter opens: true when ``open(_:)`` follows. A device that is named by its full id is
    ///   then opened at once, without listing all devices, and stays open until ``open(_:)`` or
    ///   ``release(_:)``.
    public func find(_ name: String?, opens: Bool = false) async throws -> ListedDevice {
        guard let name else { return try await findDefault(opens) }
        if let (backend, rest) = split(name) {
            return try await find(rest, in: backend, opens)
        }
        if let id = try registry.read().aliases[name], let (backend, rest) = split(id) {
            return try await find(rest, in: backend, opens)
        }
        return try DeviceNames.choose(
            name, from: await listDevices(), demonstrations: demonstrations)
    }

    /// The device that `name` means, for a user who may use only listed devices and those with an
    /// alias.
    ///
    /// Without this limit, a backend would also open devices that it does not list: any file, any
    /// camera, any scanner on the network.
    ///
    /// - Throws: as ``find(_:opens:)``.
    public func findListed(_ name: String) async throws -> ListedDevice {
        guard let (backend, _) = split(name), !listed.contains(name) else {
            return try await find(name)
        }
        let entries = try registry.read()
        if entries.default == name || entries.aliases.values.contains(name) {
            return try await find(name)
        }
        let devices = await listDevices(backend: backend).devices
        if let device = devices.first(where: { $0.id == name }) { return device }
        throw HostError(
            .noSuchDevice, "no device is called '\(name)'",
            advice: didYouMean(name, among: devices.map(\.id)), backend: backend)
    }

    /// Opens a device before its options are set; it stays open until ``open(_:)`` or
    /// ``release(_:)``.
    ///
    /// - Throws: ``HostError``: `hostPath` when one of the options may not be set, or the reason
    ///   why the device can't be opened.
    public func prepare(_ device: ListedDevice, toSet options: [String]) async throws {
        let kept = try await openAndDescribe(device)
        do {
            let known = try await kept.device.knownOptions()
            // An option that the device lacks is reported when it is set.
            for name in options where known.contains(where: { $0.name == name }) {
                _ = try kept.device.settable(name, in: known)
            }
            opened[device.id] = kept
        } catch {
            await kept.device.close()
            throw error
        }
    }

    /// Opens a device that ``find(_:)`` or ``listDevices(backend:quick:)`` returned.
    ///
    /// - Throws: ``HostError``, such as `busy`, `permissionDenied`, `offline`.
    public func open(_ device: ListedDevice) async throws -> OpenDevice {
        try await openAndDescribe(device).device
    }

    private func openAndDescribe(_ device: ListedDevice) async throws -> Kept {
        if let ready = opened.removeValue(forKey: device.id), ready.device.isUsable {
            return ready.isDescribed
                ? ready : Kept(device: ready.device.known(as: device), isDescribed: false)
        }
        let link = try await supervisor(device.backend).link()
        let line = try await link.request(
            .open, Wire.Open(device: device.descriptor.id), deadline: link.deadlines.open)
        let answer = try link.decode(Wire.OpenAnswer.self, line)
        var device = device
        if var described = answer.device {
            if let fault = DeviceRules.fault(described, isOpened: true) {
                let error = link.nonsense("opened a device whose \(fault)")
                link.fail(error)
                throw error
            }
            // The device keeps the id under which it was found.
            described.id = device.descriptor.id
            device.descriptor = described
        }
        return Kept(
            device: OpenDevice(
                device, link: link, handle: answer.handle, limits: configuration.limits,
                refusesHostPaths: isGuarded.load(ordering: .acquiring)),
            isDescribed: answer.device != nil)
    }

    /// Closes a device that ``find(_:opens:)`` has opened and ``open(_:)`` has not taken over;
    /// otherwise does nothing.
    public func release(_ device: ListedDevice) async {
        await opened.removeValue(forKey: device.id)?.device.close()
    }

    /// Ends a backend's program, for example after a new build; the next request starts it again.
    ///
    /// - Parameters:
    ///   - backend: the backend's id; nothing happens if no such backend runs.
    ///   - reason: a sentence for those who use the backend at this moment.
    public func restart(_ backend: String, because reason: String) async {
        await supervisors[backend]?.restart(reason)
    }

    /// Stops every backend; calls that still run throw ``HostError`` `closed`.
    public func shutdown() async {
        opened = [:]
        await withTaskGroup(of: Void.self) { group in
            for supervisor in supervisors.values { group.addTask { await supervisor.stop() } }
        }
    }

    // MARK: Inner works

    /// The backends whose devices are virtual.
    private var demonstrations: Set<String> {
        Set(reports.filter(\.isDemonstration).map(\.id))
    }

    private func findDefault(_ opens: Bool) async throws -> ListedDevice {
        guard let id = try registry.read().default else {
            return try DeviceNames.only(of: await listDevices(), demonstrations: demonstrations)
        }
        guard let (backend, rest) = split(id) else {
            throw HostError(
                .defaultAbsent, "the default device '\(id)' belongs to no installed backend")
        }
        do {
            return try await find(rest, in: backend, opens)
        } catch let error as HostError
            where [.noSuchDevice, HostError.Code(.offline)].contains(error.code)
        {
            throw HostError(
                .defaultAbsent, "the default device '\(id)' is not available: \(error.message)",
                backend: backend)
        }
    }

    private func find(
        _ rest: String, in backend: String, _ opens: Bool
    ) async throws -> ListedDevice {
        let supervisor = try supervisor(backend)
        if opens, let device = try await openAtOnce(rest, in: backend) { return device }
        let answer = await answer(of: supervisor, quick: true)
        if let failure = answer.failure { throw failure }
        let devices = answer.devices
        let entries = knownNames
        if let device = devices.first(where: { $0.id == rest }) {
            return entries.listed(device, backend: backend)
        }
        let unlisted = entries.listed(
            DeviceDescriptor(id: rest, name: rest, kind: .scanner), backend: backend)
        do {
            return try await openAndKeep(unlisted).device.device
        } catch let error as HostError where error.code == .noSuchDevice && !devices.isEmpty {
            // The message has the backend's own words, and the nearest names of its devices.
            let near = didYouMean(unlisted.id, among: devices.map { backend + ":" + $0.id })
            throw HostError(
                .noSuchDevice, error.message, advice: near ?? error.advice, backend: backend)
        }
    }

    /// The names that a device named by its id has besides; none in a damaged file, which the list
    /// of devices reports.
    private var knownNames: DeviceRegistry.Entries {
        asHint { try registry.read() } ?? DeviceRegistry.Entries()
    }

    /// The device, opened without a search.
    ///
    /// Nil when its backend does not know that id or does not describe the device, so that a search
    /// is needed.
    private func openAtOnce(_ rest: String, in backend: String) async throws -> ListedDevice? {
        let entries = knownNames
        do {
            let kept = try await openAndKeep(
                entries.listed(
                    DeviceDescriptor(id: rest, name: rest, kind: .scanner), backend: backend))
            return kept.isDescribed ? kept.device.device : nil
        } catch let error as HostError where error.code == .noSuchDevice { return nil }
    }

    private func openAndKeep(_ device: ListedDevice) async throws -> Kept {
        let kept = try await openAndDescribe(device)
        opened[device.id] = kept
        if kept.isDescribed { kept.device.beginReadingOptions() }
        return kept
    }

    /// The backend and the rest of `<backend>:<rest>`; nil when no such backend is installed.
    private func split(_ id: String) -> (backend: String, rest: String)? {
        guard let colon = id.firstIndex(of: ":") else { return nil }
        let backend = String(id[..<colon])
        let rest = String(id[id.index(after: colon)...])
        let isKnown = reports.contains { $0.id == backend }
        return isKnown && !rest.isEmpty ? (backend, rest) : nil
    }

    func checkID(_ id: String) throws {
        guard split(id) == nil else { return }
        let backend = String(id.prefix { $0 != ":" })
        throw HostError(
            .noSuchBackend, "'\(id)' is not a device of an installed backend",
            advice: didYouMean(backend, among: reports.map(\.id)))
    }

    private func supervisor(_ id: String) throws(HostError) -> BackendSupervisor {
        if let supervisor = supervisors[id] { return supervisor }
        if let error = reports.first(where: { $0.id == id }).flatMap(unusable) { throw error }
        throw HostError(
            .noSuchBackend, "no backend is called '\(id)'",
            advice: didYouMean(id, among: reports.map(\.id)))
    }
}
