import Glibc

/// Functions of angles for geometry, in degrees.
enum Trigonometry {
    /// The angle of the direction (`x`, `y`), −180…180°.
    static func degrees(y: Double, x: Double) -> Double { atan2(y, x) * 180 / .pi }

    /// Sine and cosine of an angle in degrees.
    static func sineCosine(degrees: Double) -> (sine: Double, cosine: Double) {
        let radians = degrees * .pi / 180
        return (sin(radians), cos(radians))
    }
}
