import Documents
import Glibc
import Imaging
import Recognition

/// The row of a label in which a number stands most likely, by its signs alone, on the label turned until that row is level.
///
/// Four degrees of tilt move the end of a number by a letter's height.
struct LevelRow {
    /// The label, turned.
    let image: Raster
    /// How far, clockwise.
    let degrees: Double
    /// Where the number stands on it.
    let place: Box

    /// By how much a label is turned: what is left of it then is less than a degree.
    private static let tilts = [0, -1.5, 1.5, -3, 3]

    /// The likeliest of all rows at all tilts; nil where there is none.
    static func likeliest(on label: Raster, _ reader: SerialReader) -> LevelRow? {
        var best: (row: LevelRow, confidence: Double)?
        for degrees in tilts {
            let image = label.rotated(byDegrees: degrees)
            let found = reader.read([], signs: SignReader.readRows(of: image)).first
            guard let found, found.confidence > best?.confidence ?? 0 else { continue }
            best = (LevelRow(image: image, degrees: degrees, place: found.box), found.confidence)
        }
        return best?.row
    }
}

extension Box {
    /// Where what stands in this box stands once the picture is turned clockwise about its middle.
    func turned(byDegrees degrees: Double, in width: Int, _ height: Int) -> Box {
        guard degrees != 0 else { return self }
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let across = Double(2 * x + self.width - width) / 2
        let down = Double(2 * y + self.height - height) / 2
        return Box(
            x: Int((Double(width) / 2 + cosine * across - sine * down).rounded())
                - self.width / 2,
            y: Int((Double(height) / 2 + sine * across + cosine * down).rounded())
                - self.height / 2,
            width: self.width, height: self.height)
    }
}
