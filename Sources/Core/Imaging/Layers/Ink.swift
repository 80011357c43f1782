/// The ink on a page: patches of dark pixels that stand out sharply from their surroundings.
struct Ink {
    /// The width of the page in pixels.
    let width: Int
    let height: Int
    /// All dark patches, including those that are not ink.
    let patches: InkComponents
    /// The numbers of the patches that are ink.
    private(set) var kept: [Int]

    /// The dark patches of a gray page, without three kinds: specks of less than a hundredth of an
    /// inch in both directions, patches that do not stand out, such as pale pencil and shading, and
    /// patches in the page's rim, such as the desk beside a photographed page.
    fileprivate init(_ gray: Raster, _ dark: Raster, resolution: Double) {
        width = gray.width
        height = gray.height
        patches = InkComponents(of: dark)
        kept = []
        let least = max(2, Int(resolution * resolution / 10_000))
        let rim = PageLayers.rim(resolution: resolution)
        let inside = PixelRect(
            x: rim, y: rim, width: width - 2 * rim, height: height - 2 * rim)
        for (number, patch) in patches.components.enumerated()
        where patch.area >= least && patch.box.intersection(inside) != nil {
            let runs = patches.runs[patch.runs]
            if standsOut(runs, in: gray, dark, resolution: resolution) { kept.append(number) }
        }
    }

    /// Leaves out patches that are not on paper but, for example, in a photograph: more than half
    /// of it is in tiles with other detail.
    ///
    /// - Returns: whether there were any such patches.
    mutating func leaveOut(detail grid: DetailGrid) -> Bool {
        let before = kept.count
        kept.removeAll { number in
            let patch = patches.components[number]
            let busy = patches.runs[patch.runs].reduce(0) { sum, run in
                grid.isBusy(x: (run.start + run.end) / 2, y: run.y)
                    ? sum + run.end - run.start : sum
            }
            return 2 * busy > patch.area
        }
        return kept.count < before
    }

    /// Leaves out the patches with these numbers.
    mutating func leaveOut(_ patches: Set<Int>) { kept.removeAll(where: patches.contains) }

    /// For every pixel, row by row: 2 on ink, 1 within `reach` pixels of it, 0 elsewhere.
    func map(reach: Int) -> [UInt8] {
        var map = [UInt8](repeating: 0, count: width * height)
        map.withUnsafeMutableBufferPointer { map in
            for number in kept {
                for run in patches.runs[patches.components[number].runs] {
                    let left = max(0, run.start - reach)
                    let right = min(width, run.end + reach)
                    for y in max(0, run.y - reach)...min(height - 1, run.y + reach) {
                        (map.baseAddress! + y * width + left).update(
                            repeating: 1, count: right - left)
                    }
                }
            }
            for number in kept {
                for run in patches.runs[patches.components[number].runs] {
                    (map.baseAddress! + run.y * width + run.start).update(
                        repeating: 2, count: run.end - run.start)
                }
            }
        }
        return map
    }
}

extension Raster {
    /// The ink on a gray page.
    ///
    /// - Parameter resolution: dots per inch.
    func ink(resolution: Double) throws(ImagingError) -> Ink {
        let radius = max(8, Int(resolution / 12))
        let dark = try binarized(.sauvola(radius: radius, factor: 0.2))
        return Ink(self, dark, resolution: resolution)
    }
}

/// True if a dark patch stands out: at least a quarter of the adjacent places that are not dark are
/// 48 levels brighter.
///
/// Only a quarter is needed, because the threshold finds large patches of one color dark only at
/// their edge, whose other side is the patch itself. The places to the left and right of every run
/// are examined, and above and below it every few pixels.
private func standsOut(
    _ runs: ArraySlice<InkComponents.Run>, in gray: Raster, _ dark: Raster, resolution: Double
) -> Bool {
    let step = max(2, Int(resolution / 100))
    var (clear, neighbors) = (0, 0)
    gray.withRows { rows in
        dark.withRows { marks in
            var level = 0
            func look(_ x: Int, _ y: Int) {
                guard x >= 0, x < gray.width, y >= 0, y < gray.height,
                    marks.row(y)[x / 8] & (0x80 >> UInt8(x % 8)) == 0
                else { return }
                neighbors += 1
                if Int(rows.row(y)[x]) >= level + 48 { clear += 1 }
            }
            var (sum, pixels) = (0, 0)
            for run in runs {
                let row = rows.row(run.y)
                for x in run.start..<run.end { sum += Int(row[x]) }
                pixels += run.end - run.start
            }
            level = sum / max(1, pixels)
            for run in runs {
                look(run.start - step, run.y)
                look(run.end - 1 + step, run.y)
                for x in stride(from: run.start, to: run.end, by: step) {
                    look(x, run.y - step)
                    look(x, run.y + step)
                }
            }
        }
    }
    return neighbors > 0 && 4 * clear >= neighbors
}
