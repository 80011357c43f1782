import CaptureKit
import Testing

@testable import FileImportBackend

@Suite("A file's certain facts are reported with its pages") struct DescribedPageTests {
    /// A color page whose samples are all the same or scattered.
    private func page(_ width: Int, _ height: Int, isNoisy: Bool) throws -> DecodedPage {
        let page = try DecodedPage(
            format: .rgb8, width: width, height: height, limits: ImportLimits())
        var state: UInt32 = 7
        for index in page.pixels.mutableBytes.indices where isNoisy {
            state = state &* 1_664_525 &+ 1_013_904_223
            page.pixels.mutableBytes[index] = UInt8(truncatingIfNeeded: state >> 24)
        }
        return page
    }

    private func facts(_ page: DecodedPage, assumed: Int = 0) -> PageFacts? {
        page.described(label: "a", expected: 1, assumedResolution: assumed).facts
    }

    @Test(
        "A picture of a screen's size without noise is a screenshot",
        arguments: [
            (1080, 2340, true), (1920, 1080, true), (1240, 1754, false), (1275, 1650, false),
        ])
    func screenshot(_ width: Int, _ height: Int, _ isScreen: Bool) throws {
        let drawn = try facts(page(width, height, isNoisy: false))
        #expect((drawn?.origin == .screenshot) == isScreen)
        #expect((drawn?.edgesArePaper == true) == isScreen)
        #expect(try facts(page(width, height, isNoisy: true)) == nil)
    }

    @Test("A resolution from a file counts as stated, and one that the user gave as measured")
    func size() throws {
        var named = try page(100, 140, isNoisy: true)
        #expect(facts(named, assumed: 300)?.size == .measured)
        named.resolution = Resolution(x: 72)
        #expect(facts(named, assumed: 300)?.size == .stated)
    }

    @Test("Certain facts stay certain after a page is turned or reduced")
    func kept() throws {
        var drawn = try page(90, 140, isNoisy: false)
        drawn.facts = PageFacts(origin: .rendered, size: .measured, edgesArePaper: true)
        let turned = try drawn.turned(.right, limits: ImportLimits())
        #expect(turned.facts == drawn.facts)
        #expect(try turned.reduced(limits: ImportLimits()).facts == drawn.facts)
    }
}
