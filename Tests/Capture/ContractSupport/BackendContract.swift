public import CaptureHost
public import CaptureKit

/// The way in which a check connects to a backend.
public enum BackendForm: String, CaseIterable, Sendable {
    /// The backend as a value in the test's process, behind a socket.
    case inProcess
    /// The program, found by its manifest.
    case program
}

/// A violation of the capture protocol by a backend.
public struct ContractViolation: Error, CustomStringConvertible {
    /// A description of the test.
    public let description: String

    /// A violation for people to read.
    public init(_ description: String) { self.description = description }
}

/// The checks that every backend must pass in both forms.
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
    /// The id of a device within the backend; the device gives at least two pages each time it is
    /// opened.
    public var device: String
    /// The backend itself.
    public var value: any CaptureBackend
    /// True if the device is in the backend's list.
    public var isListed: Bool
    /// The id of a device that does not exist.
    public var unknownDevice: String
    /// The configuration in which the program is found.
    public var configuration: HostConfiguration
    /// The maximum number of pages of a capture without a limit; nil for any number.
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
    /// - Throws: ``ContractViolation``, or the `HostError` of a request that should have succeeded.
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

/// A rule of the capture protocol for every backend.
public enum ContractCheck: String, CaseIterable, Sendable {
    /// The list of devices is well formed, is the same twice, and contains the device.
    case listsDevices
    /// The answer to opening a missing device is `noSuchDevice`, and the backend continues.
    case refusesUnknownDevice
    /// Options are well formed, and their values match their types.
    case listsOptions
    /// An option that was set is listed with the value that its outcome reported.
    case setsOptions
    /// The backend itself refuses an unknown option and a value of the wrong kind.
    case refusesWrongOptions
    /// Every page's data matches its description, and pages are numbered in order.
    case capturesPages
    /// A capture has at most the requested number of frames.
    case honorsLimit
    /// A capture that is canceled within a page ends, and the device can capture again.
    case survivesCancel
    /// A closed device can be opened and used again.
    case reopens
}

extension Deadlines {
    /// Time limits that are long enough for a busy machine: tests check a backend's answers, not
    /// its speed.
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
