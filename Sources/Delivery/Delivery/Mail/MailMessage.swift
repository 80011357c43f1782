import CCurl
import FoundationEssentials

/// A message with files (RFC 5322, MIME), the same bytes at every try.
struct MailMessage {
    var sender: String
    var recipients: [String]
    var subject: String
    var body: String
    /// The date in seconds since 1970.
    var date: Double
    /// The unique part of the message's id, before the `@`.
    var mark: String
    var files: [(path: String, name: String, mediaType: String, bytes: Int)]

    /// The bytes of a line of base64, before and after encoding (RFC 2045, 6.8).
    static let line = (plain: 57, encoded: 76)

    /// The Message-ID, which is the same at every attempt.
    var id: String { "<\(mark)@\(sender.split(separator: "@").last ?? "copystand")>" }

    private var boundary: String { "copystand-\(mark)" }

    /// The part before the files.
    var head: String {
        """
        Date: \(Self.date(date))
        From: <\(sender)>
        To: \(recipients.map { "<\($0)>" }.joined(separator: ",\r\n "))
        Subject: \(Self.encoded(subject))
        Message-ID: \(id)
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary="\(boundary)"

        --\(boundary)
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: base64

        \(Self.base64(Array(body.utf8)))
        """.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    }

    /// The part before a file.
    func head(of file: Int) -> String {
        let name = DocumentName.disposition(files[file].name)
        return "\r\n--\(boundary)\r\nContent-Type: \(files[file].mediaType)\r\n"
            + "Content-Transfer-Encoding: base64\r\nContent-Disposition: \(name)\r\n\r\n"
    }

    /// The part after the files.
    var tail: String { "\r\n--\(boundary)--\r\n" }

    /// The size of the whole message in bytes.
    var length: Int {
        var length = head.utf8.count + tail.utf8.count
        for (index, file) in files.enumerated() {
            let lines = (file.bytes + Self.line.plain - 1) / Self.line.plain
            length += head(of: index).utf8.count + (file.bytes + 2) / 3 * 4 + 2 * lines
        }
        return length
    }

    /// Bytes as lines of base64, each with its end.
    static func base64(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "" }
        return Data(bytes).base64EncodedString(options: [
            .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
        ]) + "\r\n"
    }

    /// A header's text, in encoded words where it has more than ASCII (RFC 2047).
    static func encoded(_ text: String) -> String {
        let clean = String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        let isPlain = clean.utf8.allSatisfy { (32..<127).contains($0) } && !clean.contains("=?")
        if isPlain && clean.utf8.count < 200 { return clean }
        var words: [String] = []
        var part = ""
        for character in clean {
            // At most 45 bytes: 75 with the characters around their base64.
            if part.utf8.count + String(character).utf8.count > 45 {
                words.append(part)
                part = ""
            }
            part.append(character)
        }
        return (words + [part]).map {
            "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?="
        }.joined(separator: "\r\n ")
    }

    /// A time in the format of RFC 5322, 3.3.
    static func date(_ seconds: Double) -> String {
        // An invalid moment becomes 1970, as in ``Timestamp``.
        let isKnown = (-62_135_596_800..<253_402_300_800).contains(seconds)
        let seconds = isKnown ? seconds : 0
        let time = Timestamp(seconds: seconds)
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        // 1970 began on a Thursday.
        let day = Int((seconds / 86_400).rounded(.down)) % 7
        return
            "\(days[(day + 7) % 7]), \(time.day) \(months[time.month - 1]) \(padded(time.year, 4)) "
            + "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2)) +0000"
    }
}

/// A message's bytes for a transfer, which reads files piece by piece.
final class MailSource: TransferSource {
    let length: Int
    /// True once all bytes were handed out, so that the message may have arrived.
    var isAtEnd: Bool { given == length }
    var isUntouched: Bool { given == 0 }
    private var given = 0
    private let message: MailMessage
    private var files: [FileSource] = []
    private var next = 0
    private var pending: ArraySlice<UInt8>

    /// - Throws: ``DeliveryError`` `inputOutput` for a file that can't be read.
    init(_ message: MailMessage) throws(DeliveryError) {
        self.message = message
        length = message.length
        pending = Array(message.head.utf8)[...]
        for file in message.files { files.append(try FileSource(file.path)) }
        if !files.isEmpty { pending += Array(message.head(of: 0).utf8) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if pending.isEmpty && !fill() { return Int(CURL_READFUNC_ABORT) }
        let part = pending.prefix(buffer.count)
        pending = pending.dropFirst(part.count)
        buffer.copyBytes(from: part)
        given += part.count
        return part.count
    }

    /// Makes the next bytes ready; false when a file can't be read.
    private func fill() -> Bool {
        guard next <= files.count else { return true }
        if next < files.count {
            // Whole lines are read, so that only the end of the file is padded.
            var chunk = [UInt8](repeating: 0, count: MailMessage.line.plain * 1024)
            var count = 0
            while count < chunk.count {
                let read = chunk.withUnsafeMutableBytes {
                    files[next].read(into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
                }
                guard read != Int(CURL_READFUNC_ABORT) else { return false }
                if read == 0 { break }
                count += read
            }
            pending = Array(MailMessage.base64(Array(chunk.prefix(count))).utf8)[...]
            if count > 0 { return true }
            next += 1
            if next < files.count {
                pending = Array(message.head(of: next).utf8)[...]
                return true
            }
        }
        next = files.count + 1
        pending = Array(message.tail.utf8)[...]
        return true
    }
}
