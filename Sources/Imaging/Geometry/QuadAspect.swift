extension Quad {
    /// The focal length of most cameras that look at pages, in long sides of their pictures: stills of telephones' main cameras have 0.72,
    /// their films 0.85 to 0.95, webcams and document cameras 0.7 to 0.95.
    public static let typicalFocalLength = 0.85

    /// The width over the height of the rectangle that the quad is a photograph of; nil when the quad is not convex.
    ///
    /// Perspective makes the far side of a page shorter, so the sides' own ratio misleads. The four corners tell the camera's focal length
    /// and the true ratio, if the picture was not cropped off centre: Zhang and He, "Whiteboard scanning and image enhancement",
    /// Digital Signal Processing 17 (2007; Microsoft Research 2006), equations 11 to 21. When two sides are nearly parallel the focal length can't be told;
    /// `typicalFocalLength` is assumed then, which hardly matters to such a page.
    ///
    /// - Parameters:
    ///   - width: width in pixels of the whole picture the quad lies in.
    ///   - height: its height in pixels.
    ///   - focalLength: the camera's, in long sides of the picture; nil has the corners tell it.
    public func trueAspectRatio(
        inPictureOf width: Int, by height: Int, focalLength: Double? = nil
    ) -> Double? {
        guard isConvex, width > 0, height > 0 else { return nil }
        let long = Double(max(width, height))
        // Centred on the optical axis, in units of the picture's long side.
        func vector(_ point: Point) -> SIMD3<Double> {
            SIMD3((point.x - Double(width) / 2) / long, (point.y - Double(height) / 2) / long, 1)
        }
        let (m1, m2) = (vector(topLeft), vector(topRight))
        let (m3, m4) = (vector(bottomLeft), vector(bottomRight))
        let k2 = dot(cross(m1, m4), m3) / dot(cross(m2, m4), m3)
        let k3 = dot(cross(m1, m4), m2) / dot(cross(m3, m4), m2)
        let n2 = k2 * m2 - m1
        let n3 = k3 * m3 - m1
        let told = -(n2.x * n3.x + n2.y * n3.y) / (n2.z * n3.z)
        // Outside a quarter (super-wide) to 6 (tele) the corners' noise speaks, not the camera.
        let isSound = told > 0.0625 && told < 36
        let typical = Self.typicalFocalLength * Self.typicalFocalLength
        let focalSquared = focalLength.map { $0 * $0 } ?? (isSound ? told : typical)
        let across = (n2.x * n2.x + n2.y * n2.y) / focalSquared + n2.z * n2.z
        let down = (n3.x * n3.x + n3.y * n3.y) / focalSquared + n3.z * n3.z
        let ratio = (across / down).squareRoot()
        return ratio.isFinite && ratio > 0 ? ratio : nil
    }
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

private func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
