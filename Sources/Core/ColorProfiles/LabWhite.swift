import CLittleCMS

/// The white point of a file's L*a*b* colors, if it is not D50.
public struct LabWhite: Sendable {
    private let white: SIMD3<Double>
    /// The matrix from XYZ under that white to XYZ under D50, column by column.
    private let columns: [SIMD3<Double>]

    /// A white point by x and y of CIE 1931; nil for D50, which needs no conversion, and for
    /// impossible values.
    public init?(x: Double, y: Double) {
        guard (0.1...0.8).contains(x), (0.1...0.8).contains(y), x + y < 1 else { return nil }
        var place = cmsCIExyY(x: x, y: y, Y: 1)
        var white = cmsCIEXYZ()
        cmsxyY2XYZ(&white, &place)
        guard let d50 = cmsD50_XYZ() else { return nil }
        if abs(white.X - d50.pointee.X) < 0.005, abs(white.Z - d50.pointee.Z) < 0.005 { return nil }
        var columns: [SIMD3<Double>] = []
        for unit in [cmsCIEXYZ(X: 1, Y: 0, Z: 0), .init(X: 0, Y: 1, Z: 0), .init(X: 0, Y: 0, Z: 1)]
        {
            var (unit, adapted) = (unit, cmsCIEXYZ())
            guard cmsAdaptToIlluminant(&adapted, &white, d50, &unit) != 0 else { return nil }
            columns.append(SIMD3(adapted.X, adapted.Y, adapted.Z))
        }
        self.columns = columns
        self.white = SIMD3(white.X, white.Y, white.Z)
    }

    /// A color of the file, converted to D50; both in 16 bits as ICC profiles of version 4 encode
    /// them.
    public func adapted(_ color: SIMD3<UInt16>) -> SIMD3<UInt16> {
        var lab = cmsCIELab(
            L: Double(color.x) / 655.35, a: Double(color.y) / 257 - 128,
            b: Double(color.z) / 257 - 128)
        var own = cmsCIEXYZ(X: white.x, Y: white.y, Z: white.z)
        var xyz = cmsCIEXYZ()
        cmsLab2XYZ(&own, &xyz, &lab)
        let sum = columns[0] * xyz.X + columns[1] * xyz.Y + columns[2] * xyz.Z
        xyz = cmsCIEXYZ(X: sum.x, Y: sum.y, Z: sum.z)
        cmsXYZ2Lab(nil, &lab, &xyz)
        func coded(_ value: Double) -> UInt16 { UInt16(min(max(value.rounded(), 0), 65_535)) }
        return SIMD3(
            coded(lab.L * 655.35), coded((lab.a + 128) * 257), coded((lab.b + 128) * 257))
    }
}
