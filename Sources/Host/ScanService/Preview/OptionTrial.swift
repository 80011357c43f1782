public import CaptureHost
public import CaptureKit

/// Tries settings on a device before a scan.
public struct OptionTrial: Sendable {
    /// A setting that the device does not accept.
    public struct Fault: Sendable {
        /// The option; nil for one of the common settings.
        public var option: String?
        /// The reason.
        public var error: HostError
    }

    /// The options after the accepted settings: some are active only then, or accept other values.
    public var options: [DeviceOption]
    /// The settings that the device rejects, in order.
    public var faults: [Fault] = []
}

extension ScanService {
    /// Sets a device's options as a scan would, and examines the result; nothing is captured, and
    /// no button is pressed.
    ///
    /// - Parameters:
    ///   - common: settings by their common names, which are set first.
    ///   - settings: options as they were typed, in this order.
    /// - Throws: ``HostError`` for a device that can't be opened or fails.
    public func trial(
        of device: ListedDevice, common: CommonSettings, settings: [ScanOrder.Setting]
    ) async throws -> OptionTrial {
        let opened = try await open(device)
        let result: Result<OptionTrial, any Error>
        do { result = .success(try await Self.trial(of: opened, common, settings)) } catch {
            result = .failure(error)
        }
        await opened.close()
        return try result.get()
    }

    private static func trial(
        of device: OpenDevice, _ common: CommonSettings, _ settings: [ScanOrder.Setting]
    ) async throws -> OptionTrial {
        var trial = OptionTrial(options: [])
        /// Notes a refusal; any other error ends the trial.
        func trying(_ option: String?, _ work: () async throws -> Void) async throws {
            do { try await work() } catch let error as HostError
                where [.invalidValue, .noSuchOption].contains(error.code)
            {
                trial.faults.append(OptionTrial.Fault(option: option, error: error))
            }
        }
        var order = ScanOrder(sources: [], outputs: [], profile: "")
        order.common = common
        try await trying(nil) {
            try await DeviceSetup(order: order, side: .asTheyCome, onEvent: { _ in })
                .apply(to: device, device.device.descriptor.name)
        }
        for setting in settings {
            let known = try await device.knownOptions().first { $0.name == setting.option }
            if known?.type == .button { continue }
            try await trying(setting.option) {
                _ = try await device.set(setting.option, toText: setting.value)
            }
        }
        trial.options = try await device.options()
        return trial
    }
}
