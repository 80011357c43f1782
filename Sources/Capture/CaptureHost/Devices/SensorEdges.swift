package import CaptureKit

/// Finds the moments when a scanner's button is pressed and when paper appears, from its options,
/// which are read again and again.
///
/// Only a change counts: a held button starts one job, and paper that stays after a jam starts
/// none.
package struct SensorEdges: Sendable {
    private var pressed: [String: Bool] = [:]
    private var isLoaded: Bool?
    /// True when paper has appeared, and the next reading must confirm it: a user may still be
    /// straightening the paper.
    private var isSettling = false

    /// Edges before the first reading.
    package init() {}

    /// The device's sensors for buttons and paper.
    package static func sensors(_ options: [DeviceOption]) -> [DeviceOption] {
        options.filter { $0.senses(.button) || $0.senses(.paper) }
    }

    /// Handles the next reading.
    ///
    /// The first one only establishes the state.
    package mutating func read(_ options: [DeviceOption]) -> ScanTrigger? {
        var trigger: ScanTrigger?
        for button in options where button.senses(.button) {
            let isOn = button.value?.isOn ?? false
            if isOn, pressed[button.name] == false { trigger = trigger ?? .button(button.name) }
            pressed[button.name] = isOn
        }
        // Several sensors are the trays of one device.
        let sensors = options.filter { $0.senses(.paper) }
        guard !sensors.isEmpty else { return trigger }
        let hasPaper = sensors.contains { $0.value?.isOn ?? false }
        defer { isLoaded = hasPaper }
        if isSettling {
            isSettling = false
            if hasPaper { trigger = trigger ?? .paper }
        } else if hasPaper, isLoaded == false {
            isSettling = true
        }
        return trigger
    }
}

/// The reason for a job on a watched scanner.
public enum ScanTrigger: Hashable, Sendable {
    /// The button whose option has this name was pressed.
    case button(String)
    /// Paper was put into the feeder.
    case paper
    /// A user requested it on this machine.
    case hand
}

extension DeviceOption {
    /// True if the option senses this now.
    package func senses(_ what: OptionSensor) -> Bool {
        sensor == what && isActive && value != nil
    }
}
