import CaptureKit

/// A picture as `scanimage` writes it, with its samples in the capture protocol's order.
struct PNM {
    var width: Int
    var height: Int
    var format: FrameFormat
    var bytes: [UInt8]

    /// Reads P4, P5 or P6; nil for anything else.
    init?(_ file: [UInt8]) {
        var place = 0
        var fields: [String] = []
        while fields.count < (fields.first == "P4" ? 3 : 4), place < file.count {
            if file[place] == UInt8(ascii: "#") {
                while place < file.count, file[place] != 10 { place += 1 }
            } else if file[place] <= 32 {
                place += 1
            } else {
                let start = place
                while place < file.count, file[place] > 32 { place += 1 }
                fields.append(String(decoding: file[start..<place], as: UTF8.self))
            }
        }
        guard fields.count >= 3, let width = Int(fields[1]), let height = Int(fields[2]) else {
            return nil
        }
        let isWide = fields.count == 4 && fields[3] == "65535"
        switch fields[0] {
        case "P4": format = .bilevel
        case "P5": format = isWide ? .gray16 : .gray8
        case "P6": format = isWide ? .rgb16 : .rgb8
        default: return nil
        }
        (self.width, self.height) = (width, height)
        bytes = Array(file[min(place + 1, file.count)...])
        // PNM has the high byte first.
        if isWide {
            for place in stride(from: 0, to: bytes.count - 1, by: 2) {
                bytes.swapAt(place, place + 1)
            }
        }
    }
}
