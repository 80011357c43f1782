import CaptureHost
import CaptureKit
import CommandLine

/// The table of devices that `devices` shows: one line for each device, or two to three where the
/// terminal is too narrow.
struct DeviceTable {
    /// The devices in the order of their lines.
    var devices: [ListedDevice]

    /// The table; empty without devices.
    func text(for terminal: Terminal) -> String {
        guard !devices.isEmpty else { return "" }
        let whole = oneLine.text(for: Terminal(isTerminal: false))
        guard terminal.isTerminal else { return whole }
        let widest = whole.split(separator: "\n").map { $0.displayWidth }.max() ?? 0
        return widest <= terminal.width ? oneLine.text(for: terminal) : twoLines(terminal)
    }

    private var oneLine: Table {
        let hasControls = devices.contains { !$0.descriptor.controls.isEmpty }
        var table = Table(
            [
                .init("DEVICE"), .init("NAME"), .init("CONNECTION"), .init("SOURCES"),
                .init("LARGEST"), .init("STATE"),
            ] + (hasControls ? [.init("CONTROLS")] : []) + [.init("CALLED")])
        for device in devices {
            table.add(
                [device.id] + cells(device, where: places(device), "feeder-duplex")
                    + [device.descriptor.state.words]
                    + (hasControls ? [controls(device)] : []) + [called(device)])
        }
        return table
    }

    /// The second line has the parts for typing, the device's id and its names, and is never cut.
    private func twoLines(_ terminal: Terminal) -> String {
        var table = Table([
            .init("NAME", minimumWidth: 12), .init("CONNECTION", minimumWidth: 10),
            .init("SOURCES", minimumWidth: 12), .init("LARGEST", minimumWidth: 12),
        ])
        for device in devices {
            table.add(cells(device, where: device.descriptor.connection ?? "", "duplex"))
        }
        let lines = table.text(for: terminal).split(separator: "\n").map(String.init)
        var text = (lines.first ?? "") + "\n"
        for (line, device) in zip(lines.dropFirst(), devices) {
            text += line + "\n"
            let descriptor = device.descriptor
            let second = [
                device.id, descriptor.path ?? "", descriptor.state.words, called(device),
            ]
            let third = [
                descriptor.format ?? "",
                descriptor.controls.isEmpty ? "" : "can set " + controls(device),
            ]
            for parts in [second, third].map({ $0.filter { !$0.isEmpty } }) where !parts.isEmpty {
                let more = "  " + parts.joined(separator: " · ")
                text += terminal.styled(Sanitized.line(more), .faint) + "\n"
            }
        }
        return text
    }

    private func places(_ device: ListedDevice) -> String {
        let descriptor = device.descriptor
        return [descriptor.connection, descriptor.path, descriptor.format].compactMap { $0 }
            .joined(separator: ", ")
    }

    private func cells(
        _ device: ListedDevice, where place: String, _ duplex: String
    ) -> [String] {
        let descriptor = device.descriptor
        // `auto` is a way to choose, not a place where pages come from.
        let sources = descriptor.sources.filter { $0 != "auto" }
            .map { $0 == "feeder-duplex" ? duplex : $0 }
        return [
            descriptor.name, place, sources.joined(separator: ", "),
            descriptor.maximumArea.map(size) ?? "",
        ]
    }

    private func controls(_ device: ListedDevice) -> String {
        device.descriptor.controls.joined(separator: ", ")
    }

    private func size(_ area: AreaInMillimeters) -> String {
        "\(whole(area.width)) × \(whole(area.height)) mm"
    }

    /// Millimeters as a whole number; a length that no device can have is shown as the nearest of
    /// 0…1,000,000,000.
    private func whole(_ length: Double) -> Int { length > 0 ? Int(min(1e9, length.rounded())) : 0 }

    private func called(_ device: ListedDevice) -> String {
        (device.aliases + (device.isDefault ? ["(default)"] : [])).joined(separator: ", ")
    }
}

extension DeviceState {
    /// The state in words for people.
    var words: String {
        switch self {
        case .ready: "ready"
        case .busy: "busy"
        case .noPermission: "no permission"
        case .offline: "offline"
        }
    }
}
