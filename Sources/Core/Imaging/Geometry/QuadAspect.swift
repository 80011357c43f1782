import Glibc

extension Quad {
    /// The focal length of most cameras for pages, in long sides of their pictures: stills of
    /// phones' main cameras have 0.72, their videos 0.85 to 0.95, webcams and document cameras 0.7
    /// to 0.95.
    public static let typicalFocalLength = 0.85

    /// The width over the height of the rectangle that the quad is a photograph of; nil when the
    /// quad is not convex.
    ///
    /// Perspective makes the far side of a page shorter, so the ratio of the sides is wrong. If the
    /// picture was not cropped off center, the four corners determine the camera's focal length and
    /// the true ratio: Zhang and He, "Whiteboard scanning and image enhancement", Digital Signal
    /// Processing 17 (2007; Microsoft Research 2006), equations 11 to 21. They do so badly for a
    /// page seen from nearly above, or tilted in only one direction, as under most cameras on
    /// stands: an error of one pixel in a corner may change the shape by a tenth. So the likeliest
    /// focal length is used, which weighs the corners' value against what cameras usually have.
    ///
    /// - Parameters:
    ///   - width: the width in pixels of the whole picture that contains the quad.
    ///   - height: the height of the whole picture in pixels.
    ///   - focalLength: the camera's focal length, in long sides of the picture; nil to compute it
    ///     from the corners.
    public func trueAspectRatio(
        inPictureOf width: Int, by height: Int, focalLength: Double? = nil
    ) -> Double? {
        guard isConvex, width > 0, height > 0 else { return nil }
        let long = Double(max(width, height))
        // The corners relative to the optical axis, in units of the picture's long side.
        func vector(_ point: Point) -> SIMD3<Double> {
            SIMD3((point.x - Double(width) / 2) / long, (point.y - Double(height) / 2) / long, 1)
        }
        let (m1, m2) = (vector(topLeft), vector(topRight))
        let (m3, m4) = (vector(bottomLeft), vector(bottomRight))
        let k2 = dot(cross(m1, m4), m3) / dot(cross(m2, m4), m3)
        let k3 = dot(cross(m1, m4), m2) / dot(cross(m3, m4), m2)
        let sheet = SeenSheet(across: k2 * m2 - m1, down: k3 * m3 - m1)
        let ratio = sheet.aspectRatio(focalLength: focalLength ?? sheet.likeliestFocalLength)
        return ratio.isFinite && ratio > 0 ? ratio : nil
    }
}

/// Two sides of a sheet in a photograph, as vectors in space that depend on the focal length: their
/// first two components are in focal lengths.
private struct SeenSheet {
    let across: SIMD3<Double>
    let down: SIMD3<Double>

    /// The range of focal lengths from super-wide to tele, in long sides of the picture.
    private static let (shortest, longest) = (0.25, 6.0)
    /// The spread of cameras' focal lengths around the usual one, as the standard deviation of
    /// their logarithm: two thirds have 0.57 to 1.27.
    private static let spread = 0.4
    /// The deviation of a sheet's corners from right angles, as the standard deviation of the
    /// cosine: curl, lenses and slightly wrong corners cause nearly a degree.
    private static let skew = 0.015
    /// The number of focal lengths that are tried, each 1.3 % longer than the previous one.
    private static let trials = 250

    /// The cross product of two vectors in space.
    private func product(
        _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ focalLength: Double
    ) -> Double {
        (a.x * b.x + a.y * b.y) / (focalLength * focalLength) + a.z * b.z
    }

    func aspectRatio(focalLength: Double) -> Double {
        (product(across, across, focalLength) / product(down, down, focalLength)).squareRoot()
    }

    /// The focal length that makes the sheet's corners right angles, weighed against what cameras
    /// usually have.
    var likeliestFocalLength: Double {
        let step = log(Self.longest / Self.shortest) / Double(Self.trials)
        let lengths = (0...Self.trials).map { Self.shortest * exp(Double($0) * step) }
        return lengths.min { unlikeliness(of: $0) < unlikeliness(of: $1) }
            ?? Quad.typicalFocalLength
    }

    /// The negative logarithm of how likely a focal length is, except for a constant and a factor.
    private func unlikeliness(of focalLength: Double) -> Double {
        let cosine =
            product(across, down, focalLength)
            / (product(across, across, focalLength) * product(down, down, focalLength)).squareRoot()
        let (bent, unusual) = (
            cosine / Self.skew, log(focalLength / Quad.typicalFocalLength) / Self.spread
        )
        return bent * bent + unusual * unusual
    }
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

private func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
