import Imaging

/// The places of earlier pages with their contents: when a sheet is removed, the page below
/// reappears where it was.
struct KnownPlaces: Sendable {
    private struct Place: Sendable {
        var quad: Quad
        var signature: PageSignature
    }

    private var places: [Place] = []

    /// The maximum number of places to remember; examining one takes a tenth of a millisecond.
    private static let most = 24
    /// Places of the same page count as one if they are no farther apart than this part of the
    /// page's diagonal.
    private static let same = 0.01

    /// Remembers the place of a still page.
    mutating func note(_ quad: Quad, in picture: Raster) {
        guard let signature = PageSignature(of: quad, in: picture) else { return }
        places.removeAll {
            $0.quad.drift(from: quad) < Self.same && signature.isSurely($0.signature)
        }
        if places.count == Self.most { places.removeFirst() }
        places.append(Place(quad: quad, signature: signature))
    }

    /// The place of an earlier page that is visible there again; nil if there is none.
    ///
    /// - Parameters:
    ///   - picture: the gray picture.
    ///   - isMeant: whether to look for a page at a place.
    func page(in picture: Raster, where isMeant: (Quad) -> Bool) -> Quad? {
        places.last { place in
            isMeant(place.quad)
                && PageSignature(of: place.quad, in: picture)?.isSurely(place.signature) == true
        }?.quad
    }
}
