import FoundationEssentials
import Glibc
import Imaging
import Testing

@testable import Delivery

@Suite struct PDFLayersTests {
    private let mixed: FileSinkOptions

    init() {
        var options = FileSinkOptions()
        options.pdf.compression = .mixed
        mixed = options
    }

    private func page(_ picture: Raster) -> DeliveredPage {
        samplePage(picture, resolution: picture.resolution ?? 300)
    }

    /// The type, color space, coding and resolution of each picture, by `pdfimages -list`.
    private func pictures(_ path: String) throws -> [String] {
        try run("pdfimages", "-list", path).output.split(separator: "\n").dropFirst(2).map { row in
            let columns = row.split(separator: " ").map(String.init)
            return [columns[2], columns[5], columns[8], columns[12]].joined(separator: " ")
        }
    }

    @Test("Letters are a stencil at the page's resolution over a background of 100 dpi")
    func letters() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let receipt = try deliver([page(writtenPage(.gray8))], to: path, options: mixed)
        try expectSound(path)
        #expect(try pictures(path) == ["image gray jpeg 100", "stencil - ccitt 300"])
        #expect(receipt.notes == nil)
    }

    @Test("The packed page looks like the original, and is much smaller than its JPEG")
    func alike() throws {
        let folder = try TemporaryFolder()
        let source = writtenPage()
        try deliver([page(source)], to: folder.path + "/whole.pdf")
        try deliver([page(source)], to: folder.path + "/a.pdf", options: mixed)
        let (whole, small) = (
            try contents(folder.path + "/whole.pdf").count,
            try contents(folder.path + "/a.pdf").count
        )
        #expect(small * 5 < whole, "\(small) of \(whole)")
        let shown = try drawn(folder.path + "/a.pdf", in: folder)
        try #require(shown.width == source.width && shown.height == source.height)
        let gap = meanDifference(shown, source.converted(to: .gray8))
        #expect(gap < 4, "\(gap)")
    }

    @Test("Every ink keeps its color")
    func colors() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let inks: [(UInt8, UInt8, UInt8)] = [(20, 25, 40), (190, 30, 40), (30, 50, 180)]
        try deliver([page(writtenPage(inks: inks))], to: path, options: mixed)
        try expectSound(path)
        #expect(try pictures(path).filter { $0.hasPrefix("stencil") }.count == 3)
        let file = try run("qpdf", "--qdf", "--object-streams=disable", path, "-").output
        let painted = file.split(separator: "\n").filter { $0.contains(" rg ") }
            .map { $0.split(separator: " ").compactMap { Double($0) }.prefix(3).map { $0 * 255 } }
        for ink in inks {
            let wanted = [Double(ink.0), Double(ink.1), Double(ink.2)]
            #expect(
                painted.contains { zip($0, wanted).allSatisfy { abs($0 - $1) < 12 } },
                "\(ink) in \(painted)")
        }
    }

    @Test(
        "A sliver of paper next to a slanted banner does not prevent layers",
        arguments: [[150], [200, 125, 85]])
    func sliver(edge: [UInt8]) throws {
        let folder = try TemporaryFolder()
        var picture = writtenPage()
        let (width, stride) = (picture.width, picture.stride)
        picture.withMutableBytes { bytes in
            for x in 0..<width {
                // The paper above the dark area is up to nine pixels high, and the edge is as soft
                // as in a scan.
                for y in x / 100..<140 {
                    for channel in 0..<3 {
                        let at = y * stride + 3 * x + channel
                        let depth = y - x / 100
                        let flat: UInt8 = channel == 2 ? 140 : 45
                        bytes[at] = depth < edge.count ? edge[depth] : flat
                    }
                }
            }
        }
        let receipt = try deliver([page(picture)], to: folder.path + "/a.pdf", options: mixed)
        #expect(receipt.notes == nil)
        #expect(try pictures(folder.path + "/a.pdf").contains { $0.hasPrefix("stencil") })
    }

    @Test("The desk that shows at the rim of a page is not ink")
    func rim() throws {
        var picture = writtenPage()
        let (height, stride) = (picture.height, picture.stride)
        picture.withMutableBytes { bytes in
            for y in 0..<height where y / 40 % 2 == 0 {
                for at in 0..<9 { bytes[y * stride + at] = 60 }
            }
        }
        let layers = try #require(try picture.layers(resolution: 300))
        #expect(layers.inks.allSatisfy { $0.place.x >= 4 })
        #expect(!layers.inks.isEmpty)
    }

    @Test(
        "The dark rim of a soft picture is not painted in one color",
        arguments: [PixelFormat.gray8, .rgb8])
    func photograph(_ format: PixelFormat) throws {
        let folder = try TemporaryFolder()
        var source = writtenPage(.rgb8)
        let place = PixelRect(x: 150, y: 300, width: 600, height: 500)
        paintSky(on: &source, place)
        try deliver(
            [page(source.converted(to: format))], to: folder.path + "/a.pdf", options: mixed)
        let shown = try drawn(folder.path + "/a.pdf", in: folder)
        let gap = worstTile(of: place, shown, source.converted(to: .gray8))
        #expect(gap < 8, "\(gap)")
    }

    @Test("A page of texture stays a JPEG at its resolution, and the receipt says so")
    func texture() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let receipt = try deliver(
            [page(writtenPage()), page(texturedPage())], to: path, options: mixed)
        #expect(try pictures(path).last == "image rgb jpeg 300")
        #expect(receipt.notes?.count == 1)
        #expect(receipt.notes?.first?.hasPrefix("Page 2 is kept as a JPEG") == true)
    }

    @Test(
        "Pages with nothing to separate are valid",
        arguments: [
            (1, 1, UInt8(255)), (900, 1, 200), (1, 900, 0), (600, 800, 0), (600, 800, 255),
            (3, 3, 128),
        ])
    func empty(width: Int, height: Int, level: UInt8) throws {
        let folder = try TemporaryFolder()
        var picture = Raster(width: width, height: height, format: .rgb8, resolution: 300)
        picture.withMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = level }
        }
        try deliver([page(picture)], to: folder.path + "/a.pdf", options: mixed)
        try expectSound(folder.path + "/a.pdf")
        let shown = try drawn(folder.path + "/a.pdf", in: folder)
        // Only the middle is checked, since the edges of such a small page partly cover pixels.
        let gray = shown.withBytes { Int($0[shown.height / 2 * shown.stride + shown.width / 2]) }
        #expect(abs(gray - Int(level)) <= 3)
    }

    @Test("Bilevel pages stay as they are")
    func bilevel() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        try deliver([samplePage(samplePicture(.bilevel))], to: path, options: mixed)
        #expect(try pictures(path) == ["image gray ccitt 75"])
    }
}

/// The page of a PDF as ghostscript draws it at 300 dpi, gray.
private func drawn(_ path: String, in folder: TemporaryFolder) throws -> Raster {
    let picture = folder.path + "/drawn.png"
    let shown = try run(
        "gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pnggray", "-r300",
        "-sOutputFile=\(picture)", path)
    #expect(shown.status == 0)
    return try Raster.decoded(from: try contents(picture)).converted(to: .gray8)
}

private func meanDifference(_ left: Raster, _ right: Raster) -> Double {
    left.withBytes { left in
        right.withBytes { right in
            let sum = left.indices.reduce(0) { $0 + abs(Int(left[$1]) - Int(right[$1])) }
            return Double(sum) / Double(left.count)
        }
    }
}

/// Paints light that changes slowly from 40 to 200 levels, and becomes redder to the right.
private func paintSky(on page: inout Raster, _ place: PixelRect) {
    let stride = page.stride
    page.withMutableBytes { bytes in
        for y in place.y..<place.y + place.height {
            for x in place.x..<place.x + place.width {
                let (across, down) = (Double(x - place.x), Double(y - place.y))
                let level = 120 + 80 * sin(across / 60) * cos(down / 80)
                let redder = 30 * across / Double(place.width)
                for (channel, value) in [level + redder, level, level - redder].enumerated() {
                    bytes[y * stride + 3 * x + channel] = UInt8(value)
                }
            }
        }
    }
}

/// The largest difference between the means of 20 × 20 pixels within an area of two gray pictures.
private func worstTile(of place: PixelRect, _ left: Raster, _ right: Raster) -> Double {
    var worst = 0.0
    for top in stride(from: place.y, to: place.y + place.height, by: 20) {
        for first in stride(from: place.x, to: place.x + place.width, by: 20) {
            let tile = PixelRect(x: first, y: top, width: 20, height: 20)
            worst = max(worst, abs(meanLevel(left, tile) - meanLevel(right, tile)))
        }
    }
    return worst
}

private func meanLevel(_ picture: Raster, _ place: PixelRect) -> Double {
    picture.withBytes { bytes in
        let sum = (place.y..<place.y + place.height).reduce(0) { sum, y in
            (place.x..<place.x + place.width).reduce(sum) {
                $0 + Int(bytes[y * picture.stride + $1])
            }
        }
        return Double(sum) / Double(place.width * place.height)
    }
}
