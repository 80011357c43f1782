/// The network's result for a picture: for every cell of a square grid, the probability that it
/// belongs to the page, to its edge, and to a corner.
///
/// The maps are in the network's memory and are valid until its next run. Points are in cells, from
/// the center of the top left cell.
struct PageMaps {
    /// The number of cells in a side.
    let side: Int
    /// Three planes of probabilities.
    let values: UnsafePointer<Float>
    /// The probability that the picture shows a page, 0…1.
    let presence: Double

    /// The whole page, even where an object covers it.
    var mask: UnsafePointer<Float> { values }
    /// The lines along the page's sides.
    var edge: UnsafePointer<Float> { values + side * side }
    /// The places of its corners.
    var corner: UnsafePointer<Float> { values + 2 * side * side }
}
