import CaptureHost
import CaptureKit
import ExpectedFailures
import JobOptions

/// Sets a device's options as an order requests.
struct DeviceSetup: Sendable {
    let order: ScanOrder
    /// The sides that are captured.
    let side: CaptureRun.Side
    let onEvent: @Sendable (ScanEvent) -> Void

    /// Sets the common settings in an order that suits devices, and then the others in the given
    /// order.
    ///
    /// - Throws: ``HostError``: `noSuchOption`, `invalidValue`; the device's errors.
    func apply(to device: OpenDevice, _ name: String) async throws {
        var common = order.common
        if let source = try feederSource(in: await device.knownOptions(), of: name) {
            common.source = source
        }
        for part in CommonPart.allCases where common.has(part) {
            for step in try common.steps(
                for: part, in: await device.knownOptions(), of: name,
                sources: device.device.descriptor.sources)
            {
                let outcome = try await device.set(step.option, to: step.value)
                guard let got = outcome.value else { continue }
                if let asked = step.asked {
                    onEvent(.adjusted(option: step.option, asked: asked, got: got))
                } else if !got.isSame(as: step.value), part != .area {
                    onEvent(.adjusted(option: step.option, asked: step.value.words, got: got))
                }
            }
        }
        try await device.apply(order.settings, onEvent)
    }

    /// The setting of a source with a feeder, for waiting for paper or scanning one side after the
    /// other; nil if it is set already.
    ///
    /// - Throws: ``HostError`` `invalidValue` when the order names another one.
    private func feederSource(in options: [DeviceOption], of name: String) throws -> String? {
        let isOneSided = side != .asTheyCome
        guard isOneSided || order.options[.waitsForPaper] else { return nil }
        let asked = order.settings.last { $0.option == "source" }?.value ?? order.common.source
        let what = isOneSided ? "scanning one side after the other" : "waiting for paper"
        let fits = isOneSided ? ["feeder"] : ["feeder", "feeder-duplex", "auto"]
        if let asked {
            guard fits.contains(asked) else {
                throw HostError(
                    .invalidValue,
                    "\(what) needs the source \(fits[0]), but it was set to \(asked)",
                    advice: "Leave out the source, or choose: \(fits.joined(separator: ", "))")
            }
            return nil
        }
        guard let source = options.first(where: { $0.name == "source" }),
            case .choice(let choices) = source.type
        else { return nil }
        guard choices.contains("feeder") else {
            throw HostError(
                .invalidValue,
                "\(what) needs a feeder, and '\(name)' has only: \(choices.joined(separator: ", "))",
                advice: "Choose another device, or scan page after page")
        }
        if case .text(let now) = source.value, fits.dropLast(isOneSided ? 0 : 1).contains(now) {
            return nil
        }
        return "feeder"
    }
}

extension OpenDevice {
    /// Applies the order's settings, and reports where the device used another value.
    ///
    /// A camera that refuses one of several settings gets its old values back, because it keeps
    /// settings after closing; a scanner's driver forgets them.
    func apply(
        _ settings: [ScanOrder.Setting], _ onEvent: @Sendable (ScanEvent) -> Void
    ) async throws {
        let isKept = device.descriptor.kind == .camera && !settings.isEmpty
        let before = isKept ? try await knownOptions() : []
        do {
            for setting in settings {
                let (asked, outcome) = try await set(setting.option, toText: setting.value)
                if let got = outcome.value, !got.isSame(as: asked) {
                    onEvent(.adjusted(option: setting.option, asked: setting.value, got: got))
                }
            }
        } catch {
            await restore(before, after: settings.map(\.option))
            throw error
        }
    }

    /// Restores the values that differ from those of `before`.
    ///
    /// Numbers come first, and only those that were set: an automatically controlled value changes
    /// by itself, and setting it makes the control manual. Choices and switches follow, including
    /// automatic controls.
    private func restore(_ before: [DeviceOption], after set: [String]) async {
        guard !before.isEmpty, let now = await ifStillThere({ try await options() }) else { return }
        let changed = before.filter { old in
            !old.isReadOnly && old.type != .button && old.value != nil
                && now.contains { $0.name == old.name && $0.value != old.value }
        }
        let (switches, numbers) = (
            changed.filter(\.type.isSwitch),
            changed.filter { !$0.type.isSwitch && set.contains($0.name) }
        )
        for option in numbers + switches {
            guard let value = option.value else { continue }
            // A value that can't be restored stays; the error about the refused setting is enough.
            await ifStillThere { try await self.set(option.name, to: value) }
        }
    }
}

extension OptionType {
    /// True for a choice among a few values, such as whether a control is automatic.
    fileprivate var isSwitch: Bool {
        switch self {
        case .toggle, .choice: true
        default: false
        }
    }
}

extension OptionValue {
    /// The value as it would be typed.
    fileprivate var words: String {
        switch self {
        case .bool(let value): value ? "yes" : "no"
        case .integer(let number): "\(number)"
        case .number(let number): shown(number)
        case .text(let text): text
        }
    }
}
