import CaptureKit
import Testing

@testable import SANEBackend

/// Tests the common settings with option lists of real drivers.
@Suite struct CommonSettingsTests {
    private func plan(_ driver: DriverListing) -> OptionPlan {
        OptionPlan(Listing(driver.listing).options, deviceType: driver.type)
    }

    private func choices(_ name: String, _ plan: OptionPlan) -> [String]? {
        guard case .choice(let choices) = plan.options.first(where: { $0.name == name })?.type
        else {
            return nil
        }
        return choices
    }

    @Test("The test has the option lists of more than fifteen drivers")
    func count() { #expect(Set(DriverListing.all.map(\.driver)).count >= 20) }

    @Test("Sources, modes and papers have the common names", arguments: DriverListing.all)
    func names(_ driver: DriverListing) {
        let plan = plan(driver)
        #expect(choices("source", plan) == driver.sources)
        #expect(choices("mode", plan) == driver.modes)
        guard !driver.noArea else {
            #expect(choices("paper", plan) == nil)
            return
        }
        for paper in driver.papers { #expect(choices("paper", plan)?.contains(paper) == true) }
        for paper in driver.notPapers { #expect(choices("paper", plan)?.contains(paper) == false) }
        #expect(plan.options.first { $0.name == "resolution" }?.unit == .dpi)
    }

    @Test("A common setting sets the driver's options", arguments: DriverListing.all)
    func effects(_ driver: DriverListing) throws {
        let options = Listing(driver.listing).options
        let settings = commonSettings(deviceType: driver.type, isAutomatic: false)
        for effect in driver.effects {
            let sides = effect.split(separator: "→").map(String.init)
            let wanted = try #require(
                sides.first?.split(separator: "=").map { $0.filter { $0 != " " } })
            let setting = try #require(
                settings.first { $0.option(options)?.name == wanted[0] }, "\(wanted[0])")
            let value: OptionValue =
                Int(wanted[1]).map { .integer($0) } ?? .text(wanted[1])
            let steps = setting.steps(to: value, options).compactMap { step -> String? in
                guard let option = options[step.option], option.isWritable else { return nil }
                // The range of the edges changes with the paper's size, so they are clamped only
                // when they are set.
                let value = option.unit == .millimeters ? step.value : option.nearest(step.value)
                return "\(step.option)=\(words(value))"
            }
            #expect("\(sides[0])→ " + steps.joined(separator: " ") == effect)
        }
    }

    private func words(_ value: NativeValue) -> String {
        switch value {
        case .toggle(let isOn): isOn ? "yes" : "no"
        case .text(let text): text
        case .numbers(let numbers):
            numbers.map { number in
                let rounded = (number * 10).rounded() / 10
                return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
            }.joined(separator: ",")
        }
    }

    @Test(
        "A driver's own option stays reachable under its name, or with sane- before it",
        arguments: DriverListing.all)
    func native(_ driver: DriverListing) throws {
        let plan = plan(driver)
        let names = plan.options.map(\.name)
        #expect(Set(names).count == names.count)
        for option in Listing(driver.listing).options.all {
            let folded = OptionNames.folded(option.name)
            #expect(names.contains(folded) || names.contains("sane-\(folded)"))
        }
        // A second percent scale is not needed if the driver has one.
        if driver.driver == "airscan" { #expect(!names.contains("sane-brightness")) }
        if driver.driver == "brother4" { #expect(names.contains("sane-brightness")) }
    }

    @Test(
        "A driver's description of an option is shown on one line",
        arguments: [
            ("  Selects\n\tthe  mode.\r\n", "Selects the mode."), ("Größe – x", "Größe – x"),
            (" \n", ""), ("", ""),
        ])
    func oneLine(_ text: String, _ line: String) {
        #expect(onOneLine(text) == line)
    }

    @Test("Option names become valid, and each occurs once")
    func legalNames() {
        var names = OptionNames(taken: ["mode"])
        #expect(names.legal("Mode", title: "", index: 3) == "mode-2")
        #expect(names.legal("test_picture(A)", title: "", index: 4) == "test-picture-a")
        #expect(names.legal("", title: "Lamp – warm", index: 5) == "lamp-warm")
        #expect(names.legal("äöü", title: "ß", index: 6) == "option-6")
        #expect(names.legal("äöü", title: "ß", index: 6) == "option-6-2")
    }

    @Test(
        "Unknown values are shown as none, and set values are read back in our terms")
    func current() {
        var options = Listing(DriverListing.all[0].listing).options
        func value(_ name: String) -> OptionValue? {
            OptionPlan(options, deviceType: "").options.first { $0.name == name }?.value
        }
        #expect(value("source") == .text("flatbed"))
        #expect(value("mode") == .text("bilevel"))
        let source = options.all.firstIndex { $0.name == "source" } ?? 0
        options.all[source].value = .text("Transparency Unit")
        #expect(value("source") == nil)
        options.all[source].value = .text("Automatic Document Feeder")
        let sides = options.all.firstIndex { $0.name == "adf-mode" } ?? 0
        options.all[sides].value = .text("Duplex")
        #expect(value("source") == .text("feeder-duplex"))
        #expect(value("paper") == .text("maximum"))
    }

    @Test("Geometry in pixels is shown in millimeters at the resolution set")
    func pixels() throws {
        let options = Listing(
            """
            --resolution 300dpi [300]
            -l 0..2549pel [0]
            -t 0..3507pel [0]
            -x 0..2549pel [2549]
            -y 0..3507pel [3507]
            """
        ).options
        let area = try #require(ScanArea(options))
        #expect(abs(area.maximum.width - 2549 * 25.4 / 300) < 0.001)
        let steps = PaperSetting().steps(to: .text("a4"), options)
        let right = try #require(steps.first { $0.option == "br-x" }?.value.number)
        #expect(abs(right - 2480.3) < 0.1)
    }

    @Test("A hand-held or unusual device without common options has at least a source")
    func bare() {
        let plan = OptionPlan(NativeOptions(all: []), deviceType: "hand-held scanner")
        #expect(plan.options.map(\.name) == ["source"])
        #expect(plan.options.first?.value == .text("flatbed"))
    }
}
