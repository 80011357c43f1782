import CaptureKit

/// A side of the scanned area.
enum AreaEdge: Int, CaseIterable, Sendable {
    case left, top, width, height

    /// The side's name.
    var word: String {
        switch self {
        case .left: "left"
        case .top: "top"
        case .width: "width"
        case .height: "height"
        }
    }
}

/// One of `area-left`, `area-top`, `area-width` and `area-height`, in millimeters from the glass's
/// corner.
///
/// The last set value stays, and its counterpart adapts: a width that reaches beyond the glass
/// moves the area to the left.
struct AreaSetting: DriverSetting {
    var edge: AreaEdge

    /// The minimum width and height, in millimeters.
    private static let least = 1.0

    func option(_ options: NativeOptions) -> DeviceOption? {
        guard let area = ScanArea(options) else { return nil }
        let most = edge == .left || edge == .width ? area.maximum.width : area.maximum.height
        let isStart = edge == .left || edge == .top
        let range = isStart ? 0...most : AreaSetting.least...most
        let value = area.current.map { min(most, max(range.lowerBound, $0[edge.rawValue])) }
        return DeviceOption(
            name: "area-" + edge.word, title: "Area " + edge.word, help: help, group: commonGroup,
            type: .number(range: range, step: nil), unit: .millimeters,
            value: value.map { .number($0) }, isActive: area.isWritable && area.current != nil)
    }

    func covered(_ options: NativeOptions) -> [String] { ScanArea(options)?.names ?? [] }

    func steps(to value: OptionValue, _ options: NativeOptions) -> [OptionStep] {
        guard let area = ScanArea(options), var now = area.current else { return [] }
        let wanted: Double
        switch value {
        case .number(let number): wanted = number
        case .integer(let number): wanted = Double(number)
        default: return []
        }
        let maximum = [area.maximum.width, area.maximum.height]
        let axis = edge.rawValue % 2
        now[edge.rawValue] = wanted
        let partner = (edge.rawValue + 2) % 4
        if now[axis] + now[axis + 2] > maximum[axis] {
            now[partner] = max(0, maximum[axis] - wanted)
        }
        return area.steps(
            left: now[0], top: now[1], width: now[2], height: now[3], isPaper: false)
    }

    private var help: String {
        switch edge {
        case .left: "Where the scanned area begins, from the left."
        case .top: "Where the scanned area begins, from the top."
        case .width: "How wide the scanned area is."
        case .height: "How tall the scanned area is."
        }
    }
}
