import Glibc
import GuardedFiles
import Imaging

extension MailMessage {
    /// The minimum number of pixels of the longer side with which a page can still be read.
    private static let smallestSide = 400
    private static let mostTries = 8

    /// The message with its pictures made smaller until it fits, with the same result at every
    /// attempt.
    ///
    /// - Parameters:
    ///   - folder: the folder for the smaller pictures.
    ///   - most: the maximum size of the message in bytes.
    /// - Returns: nil when nothing could be read on pictures that fit; the longest side otherwise.
    /// - Throws: ``DeliveryError`` for a picture that can't be read or written.
    func withSmallerPictures(
        in folder: String, most: Int
    ) throws(DeliveryError) -> (message: MailMessage, side: Int)? {
        var scale = 1.0
        var message = self
        for _ in 0..<Self.mostTries {
            // Bytes grow with the area; the factor is a little smaller, because some parts do not
            // get smaller.
            scale *= (0.95 * Double(most) / Double(message.length)).squareRoot()
            message = self
            var longest = 0
            for index in files.indices {
                let (file, side) = try smaller(index, scale, in: folder)
                message.files[index] = file
                longest = max(longest, side)
            }
            guard longest >= Self.smallestSide else { return nil }
            if message.length <= most { return (message, longest) }
        }
        return nil
    }

    private typealias File = (path: String, name: String, mediaType: String, bytes: Int)

    private func smaller(
        _ index: Int, _ scale: Double, in folder: String
    ) throws(DeliveryError) -> (file: File, side: Int) {
        var file = files[index]
        if file.mediaType == "application/pdf" {
            let path = "\(folder)/smaller-\(index + 1).pdf"
            // The program that writes it would follow a link.
            GuardedFolder.removeFile(at: path)
            var pdf = SmallerPDF(scale: scale)
            let side = try pdf.write(file.path, as: path)
            file.path = path
            file.bytes = try Self.length(path)
            return (file, side)
        }
        do {
            let picture = try Raster.decodedJPEG(
                from: GuardedFolder.readFile(at: file.path))
            let side = Int((Double(max(picture.width, picture.height)) * scale).rounded(.down))
            let bytes = try picture.thumbnail(longSide: max(1, side)).encodedJPEG()
            let name = "smaller-\(index + 1).jpg"
            try GuardedFolder.folder(at: folder).replace(name, with: bytes)
            file.path = folder + "/" + name
            file.bytes = bytes.count
            return (file, side)
        } catch {
            throw DeliveryError(
                .inputOutput, "The picture '\(file.name)' can't be made smaller: \(error)")
        }
    }

    private static func length(_ path: String) throws(DeliveryError) -> Int {
        try reading { () throws(GuardedFileError) in
            let (folder, name) = try GuardedFolder.above(path)
            return try folder.status(name).map { Int($0.st_size) } ?? 0
        }
    }
}
