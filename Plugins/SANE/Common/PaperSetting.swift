import CaptureKit

/// The scanned area by the name of a sheet: `a4`, `letter` and their like, `maximum`, or `custom`
/// for any other area.
struct PaperSetting: DriverSetting {
    func option(_ options: NativeOptions) -> DeviceOption? {
        guard let area = ScanArea(options) else { return nil }
        return DeviceOption(
            name: "paper", title: "Paper",
            help: "The size of the sheet, from the corner; custom if the area was set directly.",
            group: commonGroup,
            type: .choice(papers(area).map(\.name) + ["maximum", "custom"]),
            value: .text(current(area)), isActive: area.isWritable)
    }

    func covered(_ options: NativeOptions) -> [String] { [] }

    func steps(to value: OptionValue, _ options: NativeOptions) -> [OptionStep] {
        guard case .text(let name) = value, let area = ScanArea(options) else { return [] }
        let most = area.maximum
        if name == "maximum" {
            return area.steps(
                left: 0, top: 0, width: most.width, height: most.height, isPaper: true)
        }
        guard let paper = papers(area).first(where: { $0.name == name }) else { return [] }
        return area.steps(
            left: 0, top: 0, width: min(paper.width, most.width),
            height: min(paper.height, most.height), isPaper: true)
    }

    private func papers(_ area: ScanArea) -> [Paper] {
        Paper.fitting(width: area.maximum.width, height: area.maximum.height)
    }

    private func current(_ area: ScanArea) -> String {
        guard let now = area.current else { return "custom" }
        func fits(_ width: Double, _ height: Double, _ tolerance: Double) -> Bool {
            abs(now[2] - width) <= tolerance && abs(now[3] - height) <= tolerance
        }
        let most = area.maximum
        let named = papers(area).first {
            fits(min($0.width, most.width), min($0.height, most.height), 1)
        }
        if let named { return named.name }
        return fits(most.width, most.height, 0.5) ? "maximum" : "custom"
    }
}
