/// Places where ink ends in a surface that is not paper: inside a banner whose rim is
/// its only ink, or inside a photograph.
struct InkSeams {
    private struct Seam {
        var places = 0
        var seen = 0
    }

    private var seams: [Int: Seam] = [:]
    private let least: Int

    /// Examines places a fiftieth of an inch beyond the ink that are neither ink nor much brighter.
    ///
    /// - Parameters:
    ///   - map: 0 for pixels away from ink, row by row.
    ///   - resolution: dots per inch.
    init(of palette: InkPalette, in page: Raster, gray: Raster, _ map: [UInt8], resolution: Double)
    {
        let reach = max(2, Int(resolution / 50))
        let step = max(1, Int(resolution / 100))
        least = Int(resolution / 6)
        var seams: [Int: Seam] = [:]
        page.withRows { colors in
            gray.withRows { levels in
                let reader = InkReader(colors: colors, levels: levels, page.format.channels)
                palette.forEachRun { run, patch, color in
                    func look(_ x: Int, _ y: Int) {
                        guard x > 0, x + 1 < page.width, y >= 0, y < page.height,
                            map[y * page.width + x] == 0
                        else { return }
                        let here = reader.mean(about: x, y)
                        guard InkPalette.brightness(here - color) < Self.paper else { return }
                        seams[patch, default: Seam()].places += 1
                        if InkPalette.distance(here, color) > Self.visible {
                            seams[patch, default: Seam()].seen += 1
                        }
                    }
                    look(run.start - reach, run.y)
                    look(run.end - 1 + reach, run.y)
                    for x in stride(from: run.start, to: run.end, by: step) {
                        look(x, run.y - reach)
                        look(x, run.y + reach)
                    }
                }
            }
        }
        self.seams = seams
    }

    /// The patches whose edges would be visible, because along at least a quarter of them the
    /// surface differs from the patch's single color.
    var patches: Set<Int> {
        Set(seams.filter { $0.value.places >= least && 4 * $0.value.seen > $0.value.places }.keys)
    }

    /// The minimum difference in brightness between ink and a background, in levels.
    private static let paper: Float = 48
    /// The minimum distance of two colors that is visible side by side.
    private static let visible: Float = 12
}
