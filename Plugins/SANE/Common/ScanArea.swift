import CaptureKit

/// The scanned area of a driver, in millimeters.
struct ScanArea: Sendable {
    private let edges: [NativeOption]
    private let page: (width: NativeOption?, height: NativeOption?)
    /// Millimeters of the driver's unit, across and down.
    private let scale: (x: Double, y: Double)

    /// The area; nil when the driver has no edges, or none whose reach is known.
    init?(_ options: NativeOptions) {
        let names = [Spellings.left, Spellings.top, Spellings.right, Spellings.bottom]
        edges = names.compactMap { options.first(of: $0) }
        guard edges.count == 4, edges.allSatisfy({ $0.bounds != nil && $0.wordCount == 1 }) else {
            return nil
        }
        if edges.allSatisfy({ $0.unit == .millimeters }) {
            scale = (1, 1)
        } else if edges.allSatisfy({ $0.unit == .pixels }),
            let dpi = ResolutionSetting().current(options)
        {
            scale = (25.4 / dpi.x, 25.4 / dpi.y)
        } else {
            return nil
        }
        page = (
            options.first(of: Spellings.paperWidth).flatMap(ScanArea.usable),
            options.first(of: Spellings.paperHeight).flatMap(ScanArea.usable)
        )
        guard maximum.width >= 1, maximum.height >= 1 else { return nil }
    }

    private static func usable(_ option: NativeOption) -> NativeOption? {
        option.isWritable && option.unit == .millimeters && option.bounds != nil ? option : nil
    }

    /// True when all four edges can be set now.
    var isWritable: Bool { edges.allSatisfy(\.isWritable) }

    /// The maximum area, in millimeters.
    var maximum: (width: Double, height: Double) {
        (
            extent(edges[0], edges[2], page: page.width, scale: scale.x),
            extent(edges[1], edges[3], page: page.height, scale: scale.y)
        )
    }

    private func extent(
        _ near: NativeOption, _ far: NativeOption, page: NativeOption?, scale: Double
    ) -> Double {
        let reach = (far.bounds?.upperBound ?? 0) - (near.bounds?.lowerBound ?? 0)
        return rounded(max(reach * scale, page?.bounds?.upperBound ?? 0))
    }

    /// Left, top, width and height now, in millimeters; nil when the driver does not report them.
    var current: [Double]? {
        let values = edges.compactMap { $0.value?.number }
        guard values.count == 4 else { return nil }
        let origin = (edges[0].bounds?.lowerBound ?? 0, edges[1].bounds?.lowerBound ?? 0)
        return [
            rounded((values[0] - origin.0) * scale.x), rounded((values[1] - origin.1) * scale.y),
            rounded((values[2] - values[0]) * scale.x), rounded((values[3] - values[1]) * scale.y),
        ]
    }

    /// The names of the driver's four edges.
    var names: [String] { edges.map(\.name) }

    /// The steps to an area: first the feeder's paper size, because the range of the edges depends
    /// on it.
    ///
    /// - Parameter isPaper: true when the area is a whole sheet, which a feeder then expects.
    func steps(
        left: Double, top: Double, width: Double, height: Double, isPaper: Bool
    ) -> [OptionStep] {
        var steps: [OptionStep] = []
        for (option, needed) in [(page.width, left + width), (page.height, top + height)] {
            guard let option else { continue }
            if isPaper || option.value?.number ?? 0 < needed {
                steps.append(OptionStep(option, needed))
            }
        }
        return steps + axis(0, left, length: width, scale: scale.x)
            + axis(1, top, length: height, scale: scale.y)
    }

    /// The steps along one axis, never with the far edge before the near one, because some drivers
    /// refuse that.
    private func axis(_ near: Int, _ start: Double, length: Double, scale: Double)
        -> [OptionStep]
    {
        let origin = edges[near].bounds?.lowerBound ?? 0
        let nearStep = OptionStep(edges[near], origin + start / scale)
        let farStep = OptionStep(edges[near + 2], origin + (start + length) / scale)
        let isMovingOut = (nearStep.value.number ?? 0) > (edges[near].value?.number ?? 0)
        return isMovingOut ? [farStep, nearStep] : [nearStep, farStep]
    }

    /// A value in whole thousandths of a millimeter; SANE's fixed point is finer than necessary.
    private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
