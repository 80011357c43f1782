import Imaging
import Recognition

/// A way of reading a region again.
struct RegionWay: Hashable, Sendable {
    /// True for the reader with the network, false for the engine.
    var byNetwork = false
    /// The turn that makes the region's lines level.
    var turn: QuarterTurn?
    /// The layout of the region's text.
    var layout = TextLayout.block

    /// The ways for a region, the likeliest first; later ones are tried only if no earlier answer
    /// is certain.
    static func ways(for region: Region, hasNetwork: Bool) -> [RegionWay] {
        let turns: [QuarterTurn?] = region.isTurned ? [.counterclockwise90, .clockwise90] : [nil]
        var ways = turns.map { RegionWay(turn: $0) }
        if !region.isTurned, region.shades == nil, !hasNetwork {
            ways.append(RegionWay(layout: .sparse))
        }
        if hasNetwork { ways += turns.map { RegionWay(byNetwork: true, turn: $0) } }
        return ways
    }

    /// The way in words, such as `inverted and turned left`; `reader` is the name of its reader.
    func description(of region: Region, reader: String) -> String {
        var parts: [String] = []
        if region.shades != nil { parts.append("inverted") }
        switch turn {
        case .clockwise90: parts.append("turned right")
        case .counterclockwise90: parts.append("turned left")
        default: break
        }
        if parts.isEmpty { parts.append(layout == .sparse ? "as single words" : "as a block") }
        return parts.joined(separator: " and ") + " by " + reader
    }
}
