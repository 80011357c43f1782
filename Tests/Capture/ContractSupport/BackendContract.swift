public import CaptureHost
public import CaptureKit

/// How a check reaches a backend.
public enum BackendForm: String, CaseIterable, Sendable {
    /// The value in the test's own process, behind a socket.
    case inProcess
    /// The program, found by its manifest.
    case program
}

/// Something a backend does otherwise than the capture protocol asks.
public struct ContractViolation: Error, CustomStringConvertible {
    /// A description of the test.
    public let description: String

    /// A violation for people to read.
    public init(_ description: String) { self.description = description }
}

/// The checks that every backend must pass, in both its forms.
///
///     @Test(arguments: ContractCheck.allCases, BackendForm.allCases)
///     func contract(check: ContractCheck, form: BackendForm) async throws {
///         try await BackendContract(backend: "virtual", device: "feeder", value: VirtualBackend())
///             .run(check, form)
///     }
///
/// The program form finds the manifest as a program in the build folder does, so the test target
/// must depend on the backend's program.
public struct BackendContract: Sendable {
    /// The backend's id in its manifest.
    public var backend: String
    /// The id of a device within the backend that gives at least two pages each time it is opened.
    public var device: String
    /// The backend itself.
    public var value: any CaptureBackend
    /// True when the device is in the backend's list.
    public var isListed: Bool
    /// The id of a device that does not exist.
    public var unknownDevice: String
    /// The configuration in which the program is found.
    public var configuration: HostConfiguration
    /// The most pages of a capture without a limit of its own; nil for no limit.
    ///
    /// A camera needs a limit, because it gives one still by default.
    public var pageLimit: Int?
    /// Called before each capture, to set options.
    public var prepare: @Sendable (OpenDevice) async throws -> Void

    /// The contract of a backend's device.
    public init(
        backend: String, device: String, value: any CaptureBackend, isListed: Bool = true,
        unknownDevice: String = "no-such-device-0", configuration: HostConfiguration = .standard(),
        pageLimit: Int? = nil,
        prepare: @escaping @Sendable (OpenDevice) async throws -> Void = { _ in }
    ) {
        self.backend = backend
        self.device = device
        self.value = value
        self.isListed = isListed
        self.unknownDevice = unknownDevice
        self.configuration = configuration
        self.pageLimit = pageLimit
        self.prepare = prepare
    }

    /// Runs one check with a new host.
    ///
    /// - Throws: ``ContractViolation``, or the `HostError` of something that should have worked.
    public func run(_ check: ContractCheck, _ form: BackendForm) async throws {
        try await withBench(form) { try await $0.run(check) }
    }

    /// Runs one check of a camera's live frames with a new host.
    ///
    /// - Throws: as ``run(_:_:)-(ContractCheck,_)`` does.
    public func run(_ check: LiveCheck, _ form: BackendForm) async throws {
        try await withBench(form) { try await $0.run(check) }
    }

    private func withBench(
        _ form: BackendForm, _ body: (ContractBench) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var configuration = configuration
        configuration.stateFile = folder.file("devices.json")
        configuration.deadlines = .forTests
        let inProcess = form == .inProcess ? [backend: value] : [:]
        let host = CaptureHost(configuration, inProcess: inProcess)
        let bench = ContractBench(contract: self, host: host, folder: folder)
        do {
            try await body(bench)
        } catch {
            await host.shutdown()
            throw error
        }
        await host.shutdown()
    }
}

/// One rule of the capture protocol for every backend.
public enum ContractCheck: String, CaseIterable, Sendable {
    /// The list of devices is well formed, the same twice, and names the device.
    case listsDevices
    /// Opening a device that does not exist answers `noSuchDevice`, and harms nothing.
    case refusesUnknownDevice
    /// Options are well formed, and their values fit their types.
    case listsOptions
    /// An option that was set is listed with the value that its outcome reported.
    case setsOptions
    /// An unknown option and a value of the wrong kind are refused by the backend itself.
    case refusesWrongOptions
    /// Every page's data agrees with its description, and pages are numbered in order.
    case capturesPages
    /// No more frames come than were asked for.
    case honorsLimit
    /// A capture that is canceled in a page ends, and the device captures again.
    case survivesCancel
    /// A device that was closed can be opened and used again.
    case reopens
}

extension Deadlines {
    /// Deadlines that a busy machine keeps too: tests ask what a backend does, not how fast.
    public static let forTests: Deadlines = {
        var deadlines = Deadlines()
        deadlines.hello = .seconds(120)
        deadlines.devices = .seconds(120)
        deadlines.open = .seconds(120)
        deadlines.options = .seconds(120)
        deadlines.progress = .seconds(120)
        deadlines.cancel = .seconds(120)
        deadlines.close = .seconds(120)
        deadlines.exit = .seconds(60)
        return deadlines
    }()
}

extension HostConfiguration {
    /// The configuration with ``Deadlines/forTests``.
    public var patient: HostConfiguration {
        var configuration = self
        configuration.deadlines = .forTests
        return configuration
    }
}
