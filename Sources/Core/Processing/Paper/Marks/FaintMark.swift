import Imaging

/// The depth and sharpness of a patch's faint parts.
///
/// Sharpness is the slope of the edges as a fraction of the depth: about half or more per pixel for
/// a pen, a print head or a pencil, less where light spread in the paper. Slope and depth are means
/// of fourth powers over means of squares, in which edges and the darkest parts count most. They
/// are summed over the whole patch, because the effect of noise on such sums is known, while the
/// steepest of many pixels is a noisy one.
struct FaintMark {
    /// The maximum depth, in levels.
    private(set) var depth = 0
    /// The number of measured pixels, along rows and along columns.
    private var count = 0
    /// The sums of the squares and fourth powers of the differences to the pixels on both sides.
    private var slopes = (squares: 0, fourths: 0)
    /// The sums of the squares and fourth powers of the depths.
    private var depths = (squares: 0, fourths: 0)

    /// Measures the parts of `component` that have no pixel darker than `ceiling` within four
    /// pixels: dust and shadows have sharp edges too.
    init(
        of component: InkComponents.Component, in all: InkComponents, on ink: InkMap, ceiling: Int
    ) {
        for run in all.runs[component.runs] {
            for x in run.start..<run.end {
                let here = run.y * ink.width + x
                if x >= 4, x + 4 < ink.width { add(here, step: 1, of: ink, ceiling) }
                if run.y >= 4, run.y + 4 < ink.height {
                    add(here, step: ink.width, of: ink, ceiling)
                }
            }
        }
    }

    private mutating func add(_ here: Int, step: Int, of ink: InkMap, _ ceiling: Int) {
        for at in stride(from: here - 4 * step, through: here + 4 * step, by: step)
        where Int(ink.depth[at]) > ceiling { return }
        let level = Int(ink.depth[here])
        depth = max(depth, level)
        count += 1
        depths.squares += level * level
        depths.fourths += level * level * level * level
        for neighbor in stride(from: here - step, through: here + step, by: 2 * step) {
            let difference = level - Int(ink.depth[neighbor])
            let square = difference * difference
            slopes.squares += square
            slopes.fourths += square * square
        }
    }

    /// True when the edges are certainly sharp, on paper with noise of that many levels.
    func isSharp(noise: Double) -> Bool {
        // Fewer than a dozen pixels are not a stroke.
        guard count >= 12 else { return false }
        // Noise counts slightly more than on bare paper, because a patch ends where noise happens
        // to make it lighter.
        let variance = 2 * 1.21 * noise * noise
        let number = 2 * Double(count)
        let squares = Double(slopes.squares) - number * variance
        guard squares > 0 else { return false }
        let fourths =
            Double(slopes.fourths) - 6 * variance * squares - 3 * number * variance * variance
        // One and a half standard deviations of the noise in the sum, with the edges and alone.
        let spread =
            16 * variance * fourths * fourths / squares
            + 24 * number * variance * variance * variance * variance
        let least = fourths - 1.5 * spread.squareRoot()
        let depth = Double(depths.fourths) / Double(max(1, depths.squares))
        return least > 0.48 * 0.48 * depth * squares
    }
}
