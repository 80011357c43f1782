import CaptureKit

extension DecodeFault {
    /// The error for people: what failed, where, and what to do next.
    func sentence(for file: String, page: Int? = nil, format: ImportFormat? = nil) -> CaptureError {
        let place = page.map { "Page \($0) of '\(file)'" } ?? "'\(file)'"
        switch self {
        case .damaged(let detail):
            let looks = format.map { ", which looks like \($0.article)," } ?? ""
            return CaptureError(
                .damagedData, "\(place)\(looks) is damaged: \(detail)",
                advice:
                    "Copy, download or scan it again; if another program can open it, save it again from there"
            )
        case .unrecognized(let looksLike):
            return CaptureError(
                .damagedData, "\(place) is not a file that can be read as pages: \(looksLike)",
                advice:
                    "Supported files: \(ImportFormat.list); 'watch' also reads recordings: .mp4, .mov, .webm, .mkv, .avi, .mjpeg and .y4m"
            )
        case .foreign(let content):
            return CaptureError(
                .unsupported, "\(place) is \(content.name), which is not read",
                advice: content.advice)
        case .noPictures:
            return CaptureError(
                .damagedData, "\(place) holds no picture that can be read",
                advice: "Name a folder of pictures: \(ImportFormat.list)")
        case .video(let kind):
            return CaptureError(
                .unsupported, "\(place) is \(kind), which can't be decoded here",
                advice:
                    "Convert it to Motion JPEG first: ffmpeg -i \(quoted(file)) -an -c:v mjpeg -q:v 3 clip.avi"
            )
        case .videoLibrary(let library):
            return CaptureError(
                .unsupported,
                "\(place) is a video, and \(library), which decodes it, can't be loaded",
                advice: "Install it: sudo apt install ffmpeg")
        case .recording:
            return CaptureError(
                .unsupported, "\(place) is a recording, and 'import' reads no recordings",
                advice: "Watch it: copystand watch --device \(quoted("file:" + file)) -o pages.pdf")
        case .notLive:
            return CaptureError(
                .unsupported, "\(place) is a picture or a document, not a recording",
                advice: "Import it: copystand import \(quoted(file)) -o pages.pdf")
        case .unsupported(let detail):
            return CaptureError(
                .unsupported, "\(place) can't be decoded: \(detail)",
                advice: "Save it as PNG, TIFF or PDF with the program that made it")
        default: return refusal(of: file, place)
        }
    }

    /// The error for a file whose contents were not read at all.
    private func refusal(of file: String, _ place: String) -> CaptureError {
        switch self {
        case .sizeless:
            return CaptureError(
                .unsupported,
                "\(place) reports no size, as system files that are generated on the fly do",
                advice: "Pipe its content in: cat \(quoted(file)) | copystand import -")
        case .noFile:
            return CaptureError(
                .unsupported, "\(place) is a device, socket or pipe, not a file",
                advice: "Pipe its content in: … | copystand import -")
        case .tooLarge(let size, let limit):
            return CaptureError(
                .tooLarge, "\(place) is too large: \(size), the limit is \(limit)",
                advice: "Reduce it or split it into parts first")
        case .passwordMissing:
            return CaptureError(
                .passwordNeeded, "\(place) is encrypted and needs a password",
                advice:
                    "Put it on the first line of a file that only you can read: --password-file FILE"
            )
        case .passwordWrong:
            return CaptureError(
                .passwordNeeded, "The password given does not open \(place)",
                advice: "Put the right one on the first line of the file that --password-file names"
            )
        case .missing:
            return CaptureError(
                .noSuchDevice, "There is no file or folder '\(file)'",
                advice: "Check the path; list its folder with ls")
        case .permissionDenied:
            return CaptureError(
                .permissionDenied, "\(place) can't be opened: permission denied",
                advice: "Make it readable for your user, for example with chmod u+r")
        case .inputOutput(let detail):
            return CaptureError(
                .inputOutput, "\(place) can't be read: \(detail)",
                advice:
                    "Check with ls -l whether it is a broken link, and check the disk"
            )
        case .noPageSelected(let selection, let pages):
            return CaptureError(
                .invalidValue,
                "'\(file)' has \(pages) page\(pages == 1 ? "" : "s"), none of which is in '\(selection)'",
                advice: "Choose pages from 1 to \(pages), or leave out the option 'pages'")
        case .outOfMemory(let bytes):
            return CaptureError(
                .tooLarge,
                "There is not enough memory for \(place), which takes \(bytes >> 20) MiB decoded",
                advice: "Close other programs, or reduce it or split it into parts first")
        default: return CaptureError(.cancelled, "Reading \(place) was canceled")
        }
    }
}

/// A word, quoted as one word for a shell.
private func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0)
            || "/._-:+,=@%".unicodeScalars.contains($0)
    }
    guard !isPlain else { return word }
    return "'"
        + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
        + "'"
}
