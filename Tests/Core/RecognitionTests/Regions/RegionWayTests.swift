import Documents
import Imaging
import Recognition
import Testing

@testable import Readers

@Suite("The ways of reading a region again") struct RegionWayTests {
    private func region(isTurned: Bool = false, isLight: Bool = false) -> Region {
        Region(
            box: Box(x: 0, y: 0, width: 100, height: 20),
            letters: [Box(x: 10, y: 5, width: 8, height: 10)], isTurned: isTurned,
            shades: isLight ? Region.Shades(ground: 0, letters: 255) : nil)
    }

    @Test("The engine comes first, and then the network, if there is one")
    func readers() {
        #expect(RegionWay.ways(for: region(), hasNetwork: true).map(\.byNetwork) == [false, true])
        let alone = RegionWay.ways(for: region(), hasNetwork: false)
        #expect(alone == [RegionWay(), RegionWay(layout: .sparse)])
    }

    @Test("Turned letters are turned both ways", arguments: [true, false])
    func turns(isLight: Bool) {
        let region = region(isTurned: true, isLight: isLight)
        let ways = RegionWay.ways(for: region, hasNetwork: true)
        let both: [QuarterTurn?] = [.counterclockwise90, .clockwise90]
        #expect(ways.map(\.turn) == both + both)
        #expect(ways.map(\.byNetwork) == [false, false, true, true])
    }

    @Test("Each way is described with what was done and by whom")
    func descriptions() {
        let upright = RegionWay()
        #expect(upright.description(of: region(), reader: "one") == "as a block by one")
        #expect(
            RegionWay(layout: .sparse).description(of: region(), reader: "one")
                == "as single words by one")
        #expect(
            upright.description(of: region(isLight: true), reader: "two") == "inverted by two")
        #expect(
            RegionWay(turn: .clockwise90).description(
                of: region(isTurned: true, isLight: true), reader: "two")
                == "inverted and turned right by two")
    }
}
