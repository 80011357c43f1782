import Imaging

/// Where pages lay that are known, and what is on them: one that comes to light again when a sheet
/// is removed lies where it did.
struct KnownPlaces: Sendable {
    private struct Place: Sendable {
        var quad: Quad
        var signature: PageSignature
    }

    private var places: [Place] = []

    /// The most places that are remembered; each takes a tenth of a millisecond to be looked at.
    private static let most = 24
    /// Places of the same page that are no farther apart than this part of its diagonal are one.
    private static let same = 0.01

    /// Remembers a page that lay still.
    mutating func note(_ quad: Quad, in picture: Raster) {
        guard let signature = PageSignature(of: quad, in: picture) else { return }
        places.removeAll {
            $0.quad.drift(from: quad) < Self.same && signature.isSurely($0.signature)
        }
        if places.count == Self.most { places.removeFirst() }
        places.append(Place(quad: quad, signature: signature))
    }

    /// Where a page is as it lay before; nil where none does.
    ///
    /// - Parameters:
    ///   - picture: the gray picture.
    ///   - isMeant: whether a place is where a page is looked for.
    func page(in picture: Raster, where isMeant: (Quad) -> Bool) -> Quad? {
        places.last { place in
            isMeant(place.quad)
                && PageSignature(of: place.quad, in: picture)?.isSurely(place.signature) == true
        }?.quad
    }
}
