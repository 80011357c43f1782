import Imaging

/// Where known pages were, and what is on them: a page that reappears when a sheet is removed is
/// where it was.
struct KnownPlaces: Sendable {
    private struct Place: Sendable {
        var quad: Quad
        var signature: PageSignature
    }

    private var places: [Place] = []

    /// The most places that are remembered; each takes a tenth of a millisecond to examine.
    private static let most = 24
    /// Places of the same page that are no farther apart than this part of its diagonal count as
    /// one.
    private static let same = 0.01

    /// Remembers a page that was still.
    mutating func note(_ quad: Quad, in picture: Raster) {
        guard let signature = PageSignature(of: quad, in: picture) else { return }
        places.removeAll {
            $0.quad.drift(from: quad) < Self.same && signature.isSurely($0.signature)
        }
        if places.count == Self.most { places.removeFirst() }
        places.append(Place(quad: quad, signature: signature))
    }

    /// The place of an earlier page that is where it was before; nil if there is none.
    ///
    /// - Parameters:
    ///   - picture: the gray picture.
    ///   - isMeant: whether a page is looked for at a place.
    func page(in picture: Raster, where isMeant: (Quad) -> Bool) -> Quad? {
        places.last { place in
            isMeant(place.quad)
                && PageSignature(of: place.quad, in: picture)?.isSurely(place.signature) == true
        }?.quad
    }
}
