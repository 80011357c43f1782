/// The corners of the page in a captured picture, in pixels, as the capturing program found them.
public struct PageCorners: Codable, Hashable, Sendable {
    /// x and y of the page's top left, top right, bottom right and bottom left corner.
    public let points: [[Double]]

    /// Corners in the order top left, top right, bottom right, bottom left; nil unless they are
    /// four pairs of finite numbers.
    public init?(_ points: [[Double]]) {
        guard points.count == 4,
            points.allSatisfy({
                $0.count == 2 && $0.allSatisfy { $0.isFinite && $0.magnitude < 1e6 }
            })
        else { return nil }
        self.points = points
    }

    /// Reads corners from a page's note, which may be damaged.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let corners = PageCorners(try container.decode([[Double]].self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a page has four corners of two numbers each")
        }
        self = corners
    }

    /// Writes the corners as an array of four pairs.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(points)
    }
}
