import CaptureKit
import Synchronization

// Keeps options that a backend reports as changed, until the next read.
extension BackendLink {
    /// The reported values of each open device, by its handle.
    typealias OptionChanges = [Int: [String: OptionValue?]]

    /// The maximum number of devices, and of options of a device, whose changes
    /// are kept: 100.
    private static let mostKept = 100

    /// Keeps a change of an option.
    ///
    /// The press of a button is kept until the next read, even if the button is released meanwhile.
    func optionChanged(_ change: Wire.OptionChanged) throws {
        let isKept = optionChanges.withLock { kept in
            guard kept[change.handle] != nil || kept.count < Self.mostKept else { return false }
            var own = kept[change.handle] ?? [:]
            guard own[change.option] != nil || own.count < Self.mostKept else { return false }
            if own[change.option]??.isOn == true { return true }
            own[change.option] = .some(change.value)
            kept[change.handle] = own
            return true
        }
        guard isKept else {
            throw nonsense("reports changes of more than \(Self.mostKept) options or devices")
        }
    }

    /// The changes of a device since the last call.
    func takeOptionChanges(of handle: Int) -> [String: OptionValue?] {
        optionChanges.withLock { $0.removeValue(forKey: handle) ?? [:] }
    }

    /// True if a device has changes that were not read yet.
    func hasOptionChanges(of handle: Int) -> Bool {
        optionChanges.withLock { $0[handle] != nil }
    }
}
