import CaptureKit
import ESCL
import ScanService
import Testing

@testable import ScannerSharing

/// Tests the scan plans for requests.
@Suite struct ScanPlanTests {
    /// An A4 scanner whose feeder scans only fronts.
    private var abilities: DeviceAbilities {
        var abilities = DeviceAbilities()
        let input = ScannerCapabilities.Input(
            least: (120, 120), most: (2480, 3508), colorModes: [.gray, .color],
            resolutions: [75, 150, 300, 600])
        abilities.inputs = [.platen: input, .feeder: input]
        (abilities.hasArea, abilities.hasModes, abilities.hasResolution) = (true, true, true)
        return abilities
    }

    @Test("An empty request means the glass in color at 300 dpi, as JPEG") func empty() throws {
        let plan = try ScanPlan(ScanSettings(), abilities)
        #expect(plan.source == .platen)
        #expect(plan.colorMode == .color)
        #expect(plan.resolution == 300)
        #expect(plan.format == .jpeg)
        #expect(plan.limit == 1)
        #expect(plan.region == ScanRegion(x: 0, y: 0, width: 2480, height: 3508))
        #expect(plan.settings.source == "flatbed")
        #expect(plan.settings.mode == "color")
        let area = try #require(plan.settings.area)
        #expect(abs(area.width - 209.97) < 0.01)
        #expect(abs(area.height - 297.01) < 0.01)
    }

    @Test("A feeder gives all its pages") func feeder() throws {
        let plan = try ScanPlan(ScanSettings(source: .feeder, format: .pdf), abilities)
        #expect(plan.limit == nil)
        #expect(plan.settings.source == "feeder")
        #expect(plan.format == .pdf)
    }

    @Test(
        "The nearest resolution is taken",
        arguments: [(1, 75), (110, 75), (120, 150), (300, 300), (9600, 600)])
    func resolution(_ asked: Int, _ taken: Int) throws {
        #expect(
            try ScanPlan(ScanSettings(xResolution: asked), abilities).resolution == taken)
    }

    @Test(
        "A region is cut to the glass, and is not smaller than the device accepts",
        arguments: [
            (
                ScanRegion(x: 100, y: 200, width: 600, height: 900),
                ScanRegion(x: 100, y: 200, width: 600, height: 900)
            ),
            (
                ScanRegion(x: 0, y: 0, width: 9999, height: 9999),
                ScanRegion(x: 0, y: 0, width: 2480, height: 3508)
            ),
            (
                ScanRegion(x: 2000, y: 3000, width: 1000, height: 1000),
                ScanRegion(x: 2000, y: 3000, width: 480, height: 508)
            ),
            (
                ScanRegion(x: 5, y: 5, width: 1, height: 1),
                ScanRegion(x: 5, y: 5, width: 120, height: 120)
            ),
            (
                ScanRegion(x: 2470, y: 3500, width: 50, height: 50),
                ScanRegion(x: 2360, y: 3388, width: 120, height: 120)
            ),
        ])
    func region(_ asked: ScanRegion, _ taken: ScanRegion) throws {
        let plan = try ScanPlan(ScanSettings(region: asked), abilities)
        #expect(plan.region == taken)
    }

    @Test(
        "A setting that the device doesn't support is refused",
        arguments: [
            (ScanSettings(source: .feederDuplex), "one side only"),
            (ScanSettings(colorMode: .blackAndWhite), "Grayscale8, RGB24"),
            (ScanSettings(region: ScanRegion(x: 2480, y: 0, width: 10, height: 10)), "beyond"),
        ])
    func refused(_ wish: ScanSettings, _ said: String) {
        let error = #expect(throws: ESCLError.self) { try ScanPlan(wish, abilities) }
        #expect(error?.message.contains(said) == true)
    }

    @Test("Nothing is set on a device without options") func plain() throws {
        var abilities = abilities
        (abilities.hasArea, abilities.hasModes, abilities.hasResolution) = (false, false, false)
        let plan = try ScanPlan(
            ScanSettings(region: ScanRegion(x: 9, y: 9, width: 200, height: 200), brightness: 5),
            abilities)
        #expect(plan.settings == CommonSettings(source: "flatbed"))
    }

    @Test("Options become abilities") func abilitiesOfOptions() {
        func number(_ name: String, _ range: ClosedRange<Double>) -> DeviceOption {
            DeviceOption(
                name: name, title: name, help: name, type: .number(range: range, step: nil))
        }
        var found = DeviceAbilities()
        found.take(
            [
                number("area-left", 0...200), number("area-top", 0...280),
                number("area-width", 10...216), number("area-height", 10...300),
                DeviceOption(
                    name: "mode", title: "", help: "", type: .choice(["color", "gray", "odd"])),
                DeviceOption(
                    name: "resolution", title: "", help: "",
                    type: .integer(range: 90...700, step: 1)),
                number("brightness", -50...50),
                DeviceOption(
                    name: "page-loaded", title: "", help: "", type: .toggle, isReadOnly: true,
                    sensor: .paper),
            ], for: .platen, DeviceDescriptor(id: "a", name: "a", kind: .scanner))
        let input = found.inputs[.platen]
        #expect(input?.most.width == 2551)
        #expect(input?.most.height == 3543)
        #expect(input?.colorModes == [.gray, .color])
        #expect(input?.resolutions == [100, 150, 200, 300, 400, 600])
        #expect(found.brightness == .init(least: -50, most: 50, usual: 0))
        #expect(found.sensesPaper && found.hasArea && found.hasModes && found.hasResolution)
    }
}
