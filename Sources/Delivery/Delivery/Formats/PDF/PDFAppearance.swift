import Imaging

/// The pictures that are painted on a page of a PDF, one over the other.
struct PDFAppearance {
    /// A picture and where it is painted.
    struct Layer {
        var picture: PDFPicture
        /// The place relative to the page's top left corner, in parts of the page's width and
        /// height.
        var place: (x: Double, y: Double, width: Double, height: Double) = (0, 0, 1, 1)
        /// The color for a bilevel picture's black, with transparent white; nil for a picture with
        /// its own colors.
        var color: InkColor?
    }

    /// The pictures, from the lowest to the highest.
    let layers: [Layer]
    /// True if layers were requested, but would have lost detail of the page.
    let keptWhole: Bool

    /// The page's appearance with the requested compression.
    init(_ page: DeliveredPage, _ options: FileSinkOptions) throws {
        switch options.pdf.compression {
        case .lossless:
            self.init(layers: [Layer(picture: try PDFPicture(lossless: page))])
        case .mixed where page.image.format != .bilevel:
            try self.init(mixed: page, quality: options.pdfQuality)
        case .jpeg, .mixed:
            self.init(layers: [Layer(picture: try PDFPicture(page, quality: options.pdfQuality))])
        }
    }

    private init(mixed page: DeliveredPage, quality: Int) throws {
        let whole = Layer(picture: try PDFPicture(page, quality: quality))
        guard let parts = try page.image.layers(resolution: resolution(of: page)) else {
            self.init(layers: [whole], keptWhole: true)
            return
        }
        let (width, height) = (Double(parts.width), Double(parts.height))
        let layers =
            try [Layer(picture: PDFPicture(parts.background, quality: quality))]
            + parts.inks.map { ink in
                Layer(
                    picture: try PDFPicture(stencil: ink.stencil),
                    place: (
                        Double(ink.place.x) / width, Double(ink.place.y) / height,
                        Double(ink.place.width) / width, Double(ink.place.height) / height
                    ), color: ink.color)
            }
        let bytes = layers.reduce(0) { $0 + $1.picture.bytes.count }
        self.init(layers: bytes < whole.picture.bytes.count ? layers : [whole])
    }

    private init(layers: [Layer], keptWhole: Bool = false) {
        self.layers = layers
        self.keptWhole = keptWhole
    }

    /// The operators that paint the layers, which are called /Im1, /Im2 and so on, on a page of
    /// that size in points.
    func operators(on size: PDFPageSize) -> String {
        zip(1..., layers).map { number, layer in
            let place = layer.place
            let matrix = [
                place.width * size.width, 0, 0, place.height * size.height, place.x * size.width,
                (1 - place.y - place.height) * size.height,
            ]
            let numbers = matrix.map { decimal($0, digits: 4) }.joined(separator: " ")
            let color = layer.color.map { Self.operators($0) } ?? ""
            return "q \(color)\(numbers) cm /Im\(number) Do Q\n"
        }.joined()
    }

    /// The operator that sets the color: of DeviceGray for a gray, so that a gray page stays one.
    private static func operators(_ color: InkColor) -> String {
        let parts = [color.red, color.green, color.blue]
        let numbers = parts.map { decimal(Double($0) / 255, digits: 3) }
        return Set(parts).count == 1
            ? "\(numbers[0]) g " : "\(numbers.joined(separator: " ")) rg "
    }
}
