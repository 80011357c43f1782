import Archive
import Documents
import FoundationEssentials
import Glibc
import Imaging
import Testing

@testable import Delivery

@Suite struct ArchiveSinkTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/copystand-sink-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private func page(_ image: Raster, original: [UInt8]? = nil) -> DeliveredPage {
        DeliveredPage(
            page: Page(
                number: 1, width: image.width, height: image.height, resolution: 75,
                text: sampleText([sampleLine(["Archived", "words"], y: 100)]),
                provenance: Provenance(device: "test:device")), image: image,
            originalJPEG: original)
    }

    private func add(_ pages: [DeliveredPage], to sink: any Sink) throws -> Receipt {
        let writer = try sink.begin(sampleInfo)
        for page in pages { try writer.add(page) }
        return try writer.finish()
    }

    private func pixels(_ image: Raster) -> [UInt8] { image.withBytes { Array($0) } }

    @Test(
        "A document's receipt has its number, under which the archive has pages, words and thumbnails"
    )
    func delivery() throws {
        try withFolder { folder in
            let sink = try Outputs.sink(for: "archive:\(folder)/a")
            let receipt = try add(
                [page(samplePicture(.gray8)), page(samplePicture(.rgb8))], to: sink)
            #expect(receipt.locations == ["1"] && receipt.pages == 2 && receipt.bytes > 0)
            let archive = try Archive(folder: folder + "/a", .readOnly)
            let document = try archive.document(DocumentID(rawValue: 1))
            #expect(document.summary.title == "May" && document.pages.count == 2)
            #expect(try archive.search("archived").hits.count == 2)
            let small = try Raster.decoded(
                from: archive.image(try #require(document.pages[0].thumbnail)))
            #expect(max(small.width, small.height) == 360)
        }
    }

    @Test(
        "Exact pictures stay exact: Group 4 for black and white, PNG if no loss is allowed",
        arguments: [
            (PixelFormat.bilevel, 90, "image/tiff"), (.gray8, 0, "image/png"),
            (.rgb8, 0, "image/png"),
        ])
    func lossless(format: PixelFormat, quality: Int, media: String) throws {
        try withFolder { folder in
            let picture = samplePicture(format)
            _ = try add([page(picture)], to: ArchiveSink(folder: folder, quality: quality))
            let archive = try Archive(folder: folder, .readOnly)
            let kept = try archive.document(DocumentID(rawValue: 1)).pages[0]
            #expect(kept.media == media)
            // The pages are compared in gray, because the bits after a row's end mean nothing.
            let isSame =
                try pixels(archive.deliverable(kept).image.converted(to: .rgb8))
                == pixels(picture.converted(to: .rgb8))
            #expect(isSame)
        }
    }

    @Test("A JPEG that was not altered is kept and passed on byte for byte; a turned page is not")
    func passThrough() throws {
        try withFolder { folder in
            let picture = samplePicture(.gray8)
            let original = try picture.encodedJPEG(quality: 50)
            _ = try add([page(picture, original: original)], to: ArchiveSink(folder: folder))
            let archive = try Archive(folder: folder, .readWrite)
            let id = DocumentID(rawValue: 1)
            let kept = try archive.document(id).pages[0]
            let isSame = try archive.deliverable(kept).originalJPEG == original
            #expect(isSame)
            try archive.perform([.rotate(pages: [kept.id], by: .clockwise90)], on: id)
            let turned = try archive.deliverable(archive.document(id).pages[0])
            #expect(turned.originalJPEG == nil)
        }
    }

    @Test("A page of a file is a picture for whoever may not open the whole file")
    func closedFile() throws {
        try withFolder { folder in
            let place = folder + "/book.pdf"
            try Data("attachments and titles".utf8).write(to: URL(filePath: place))
            let picture = samplePicture(.gray8)
            let all = try Archive(folder: folder + "/archive", .create)
            let addition = try all.begin(
                DocumentInfo(
                    title: "Book", created: 0, user: ArchiveUser(name: "ada", station: "")))
            for number in 1...2 {
                var new = NewPage(
                    page: Page(
                        number: number, width: picture.width, height: picture.height,
                        resolution: 100, provenance: Provenance(device: "test:1", label: nil)),
                    image: try picture.encodedJPEG(quality: 50), media: "image/jpeg")
                new.original = (
                    place,
                    FilePage(
                        name: "book.pdf", media: "application/pdf", number: number,
                        likeness: .same)
                )
                try addition.add(new)
            }
            let book = try addition.finish()
            let ada = all.used(by: ArchiveUser(name: "ada", station: "", sees: .own))
            func hasFile(_ archive: Archive) throws -> Bool {
                let document = try archive.document(book)
                return try archive.deliverable(document.pages[0], of: document).document != nil
            }
            let part = try ada.split(book, after: ada.document(book).pages[0].id)
            #expect(try hasFile(ada))
            try all.perform([], owner: "bob", on: part)
            #expect(try !hasFile(ada))
            #expect(try hasFile(all))
        }
    }

    @Test("An export has the pages in their order, cut and turned, with the words at their places")
    func export() throws {
        try withFolder { folder in
            let first = samplePicture(.gray8)
            let second = samplePicture(.rgb8, width: 300, height: 200)
            _ = try add(
                [page(first), page(second)], to: ArchiveSink(folder: folder + "/a", quality: 0))
            let archive = try Archive(folder: folder + "/a", .readWrite)
            let id = DocumentID(rawValue: 1)
            let pages = try archive.document(id).pages
            try archive.perform(
                [
                    .move(page: pages[1].id, to: 0),
                    .crop(page: pages[0].id, to: Box(x: 50, y: 90, width: 200, height: 100)),
                    .rotate(pages: [pages[0].id], by: .half),
                ], on: id)
            let receipt = try archive.deliver(id, to: FileSink(path: folder + "/out.png"))
            #expect(receipt.locations == [folder + "/out-001.png", folder + "/out-002.png"])
            let written = try Raster.decoded(
                from: Array(Data(contentsOf: URL(filePath: folder + "/out-002.png"))))
            let expected = first.cropped(to: PixelRect(x: 50, y: 90, width: 200, height: 100))
                .rotated(by: .half)
            let isSame = pixels(written) == pixels(expected)
            #expect(isSame)
            let text = try archive.document(id).pages[1].page.text
            // "Archived" was at 60,100, 8 letters of 7 pixels wide and 12 high.
            #expect(
                text?.words.first?.box
                    == Box(x: 200 - 10 - 56, y: 100 - 10 - 12, width: 56, height: 12))
        }
    }

    @Test(
        "An interrupted document is not in the archive; a second archive's error is returned"
    )
    func brokenOff() throws {
        try withFolder { folder in
            let writer = try ArchiveSink(folder: folder).begin(sampleInfo)
            try writer.add(page(samplePicture(.gray8)))
            writer.cancel()
            #expect(throws: DeliveryError.self) { try writer.finish() }
            #expect(try Archive(folder: folder, .readOnly).documents().isEmpty)
            try FileManager.default.createDirectory(
                atPath: folder + "/other", withIntermediateDirectories: false)
            try Data("no database".utf8).write(to: URL(filePath: folder + "/other/archive.sqlite"))
            #expect {
                try ArchiveSink(folder: folder + "/other").begin(sampleInfo)
            } throws: { ($0 as? DeliveryError)?.message.contains("not an SQLite database") == true }
        }
    }

    @Test("Only a name that begins with the sink's is in the archive; the others are files")
    func names() throws {
        #expect(try Outputs.sink(for: "archive:/a").name == "archive:/a")
        #expect(try Outputs.sink(for: "./archive:x.pdf") is FileSink)
        #expect(try Outputs.sink(for: "archive.pdf") is FileSink)
    }
}
