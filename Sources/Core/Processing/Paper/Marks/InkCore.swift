import Imaging

/// The part of a patch that is as dark as ink.
///
/// The dark part is separated from the patch, because a speck of dust, a punch hole or a shadow may
/// form one patch with letters that show through from the back.
struct InkCore {
    /// The smallest rectangle around the dark pixels.
    let box: PixelRect
    /// The number of dark pixels.
    let area: Int

    /// The part of `component` that is darker than the paper by more than `level`; nil for none.
    init?(
        of component: InkComponents.Component, in all: InkComponents, on ink: InkMap,
        deeperThan level: Int
    ) {
        var (left, right, top, bottom) = (Int.max, Int.min, Int.max, Int.min)
        var count = 0
        for run in all.runs[component.runs] {
            for x in run.start..<run.end where Int(ink.depth[run.y * ink.width + x]) > level {
                left = min(left, x)
                right = max(right, x)
                top = min(top, run.y)
                bottom = max(bottom, run.y)
                count += 1
            }
        }
        guard count > 0 else { return nil }
        box = PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
        area = count
    }
}
