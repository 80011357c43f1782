import ColorProfiles
import Documents
import Imaging
import Testing

@testable import Delivery

/// Tests the colors of JPEGs that are put into a PDF unchanged.
@Suite struct PDFColorsTests {
    /// A JPEG of one color, and the page that was captured as this JPEG.
    private func page(_ profile: [UInt8]?, gray: Bool = false, number: Int = 1) throws
        -> DeliveredPage
    {
        var picture = Raster(
            width: 64, height: 48, format: gray ? .gray8 : .rgb8, resolution: 72)
        picture.withMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = gray ? 120 : [60, 160, 60][index % 3] }
        }
        let jpeg = try picture.encodedJPEG(quality: 100, subsampling: .none)
        return samplePage(
            picture, number: number,
            originalJPEG: profile.map { JPEGColors.replaced(in: jpeg, by: $0) } ?? jpeg)
    }

    private func space(_ path: String) throws -> Substring? {
        try run("pdfimages", "-list", path).output.split(separator: "\n").last?
            .split(separator: " ").dropFirst(5).first
    }

    @Test("The profile is embedded once, and another program shows its colors")
    func embedded() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let profile = MadeProfile.adobeRGB.bytes
        try deliver([page(profile), page(profile, number: 2)], to: path)
        try expectSound(path)
        #expect(try space(path) == "icc")
        let text = try run("qpdf", "--qdf", "--object-streams=disable", path, "-").output
        #expect(text.ranges(of: "/ICCBased").count == 1)
        // Ghostscript converts by the profile in the file: Adobe RGB's green is beyond sRGB's,
        // which cuts red to 0.
        let shown = folder.path + "/a.ppm"
        #expect(
            try run(
                "gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-dLastPage=1", "-sDEVICE=ppmraw",
                "-r72", "-o", shown, path
            ).status == 0)
        let pixel = try contents(shown).suffix(3).map(Int.init)
        #expect(pixel[0] <= 3 && abs(pixel[1] - 161) <= 3 && abs(pixel[2] - 47) <= 3, "\(pixel)")
    }

    @Test("Without a profile, or with one that does not fit, colors are the device's")
    func device() throws {
        let folder = try TemporaryFolder()
        let pages = [
            (try page(nil), "rgb"), (try page(MadeProfile.adobeRGB.bytes, gray: true), "gray"),
            (try page(Array(MadeProfile.adobeRGB.bytes.prefix(200))), "rgb"),
        ]
        for (index, (page, expected)) in pages.enumerated() {
            let path = folder.path + "/\(index).pdf"
            try deliver([page], to: path)
            try expectSound(path)
            #expect(try space(path) == Substring(expected))
        }
    }

    @Test("A JPEG with a profile is read as sRGB")
    func read() throws {
        let jpeg = try #require(try page(MadeProfile.adobeRGB.bytes).originalJPEG)
        let picture = try Raster.decoded(from: jpeg)
        let pixel = picture.withBytes { $0.prefix(3).map(Int.init) }
        #expect(pixel[0] == 0 && abs(pixel[1] - 161) <= 2 && abs(pixel[2] - 47) <= 2, "\(pixel)")
    }

    @Test(
        "Pixels that are not square make a page of the right size, with both resolutions in a TIFF")
    func oblong() throws {
        let folder = try TemporaryFolder()
        var page = samplePage(
            Raster(width: 1_728, height: 1_100, format: .bilevel), resolution: 204)
        page.page.resolutionDown = 98
        try deliver([page], to: folder.path + "/a.pdf")
        try deliver([page], to: folder.path + "/a.tiff")
        try deliver([page], to: folder.path + "/a.png")
        // 1,728 / 204 and 1,100 / 98 inches.
        let size = field("Page size:", in: try run("pdfinfo", folder.path + "/a.pdf").output)
        #expect(size?.hasPrefix("609.882 x 808.163") == true, "\(size ?? "")")
        let tags = try run("tiffinfo", folder.path + "/a.tiff").output
        #expect(tags.contains("Resolution: 204, 98 pixels/inch"))
        #expect(
            try run(
                "identify", "-units", "PixelsPerInch", "-format", "%x %y", folder.path + "/a.png"
            )
            .output.split(separator: " ").compactMap(Double.init).map { $0.rounded() } == [
                204, 98,
            ])
    }
}
