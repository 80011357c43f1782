import Testing

@testable import Detection
@testable import Imaging

@Suite struct KnownPlacesTests {
    private static func places(_ desks: [Desk]) -> KnownPlaces {
        var places = KnownPlaces()
        for desk in desks { places.note(desk.quad, in: desk.luma()) }
        return places
    }

    @Test("A page that reappears is found in its old place, in other light")
    func again() {
        let places = Self.places([
            Desk(page: 1, noise: 4), Desk(page: 2, quad: Desk.place.moved(9, -6), noise: 4),
            Desk(page: 3, quad: Desk.place.moved(-20, 3), noise: 4),
        ])
        for (page, quad) in [(2, Desk.place.moved(9, -6)), (1, Desk.place)] {
            let picture = Desk(page: page, quad: quad, light: 0.8, noise: 4, seed: 7).luma()
            #expect(places.page(in: picture) { _ in true } == quad)
            #expect(places.page(in: picture) { _ in false } == nil)
        }
    }

    @Test("Places do not match a moved page, or another page")
    func elsewhere() {
        let places = Self.places([Desk(page: 1, noise: 4)])
        for desk in [
            Desk(page: 1, quad: Desk.place.moved(12, 5), noise: 4), Desk(page: 2, noise: 4),
            Desk(page: nil, noise: 4),
        ] {
            #expect(places.page(in: desk.luma()) { _ in true } == nil)
        }
    }

    @Test("A page that rests repeatedly uses one place, and the oldest of many is forgotten")
    func most() {
        var places = Self.places([Desk(page: 1, noise: 4)])
        let other = Desk(page: 2, noise: 4).luma()
        for _ in 0..<40 { places.note(Desk.place, in: other) }
        let first = Desk(page: 1, noise: 4, seed: 9).luma()
        #expect(places.page(in: first) { _ in true } == Desk.place)
        for step in 1...40 { places.note(Desk.place.moved(Double(6 * step), 0), in: other) }
        #expect(places.page(in: first) { _ in true } == nil)
    }
}
