public import Documents

/// A kind of number that identifies a device or an article.
public enum SerialKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// Fifteen digits of a phone, the last a check digit (3GPP TS 23.003).
    case imei
    /// The same number for a phone's second radio.
    case imei2 = "imei-2"
    /// Twelve hexadecimal digits that identify a network interface (IEEE 802).
    case mac
    /// A book's number of ten or thirteen characters, with a check digit.
    case isbn
    /// An article's number: EAN-13, EAN-8 or UPC-A.
    case ean
    /// Ten to twelve letters and digits as Apple gives them, never `O` or `I`.
    case apple
    /// A pattern of the user's own.
    case own = "pattern"
    /// Six or more letters and digits after words such as "Serial No."
    case labeled = "labelled"

    /// A form of such a number, with its check digit and its lengths.
    struct Form {
        let pattern: SerialPattern
        let check: CheckDigit
        /// The additional cost of a rare form: minus the logarithm of its frequency among all
        /// forms.
        var cost = 0.0
        let lengths: ClosedRange<Int>
    }

    /// The forms of the known kinds; the reader adds a user's pattern.
    var forms: [Form] {
        switch self {
        case .imei, .imei2: [Self.form(#"\d{15}"#, .luhn, 15...15)]
        case .mac: [Self.form("[0-9A-F]{12}", .none, 12...12)]
        case .isbn:
            [
                Self.form(#"97[89]\d{10}"#, .gtin, 13...13),
                Self.form(#"\d{9}[0-9X]"#, .isbn10, 10...10),
            ]
        case .ean:
            [
                Self.form(#"\d{13}"#, .gtin, 13...13), Self.form(#"\d{12}"#, .gtin, 12...12),
                Self.form(#"\d{8}"#, .gtin, 8...8),
            ]
        case .apple:
            [
                // The number of 2010 to 2021 has the place, year and week of production: the year
                // is a consonant, the week a digit or a consonant.
                Self.form(
                    "[A-HJ-NP-Z0-9]{3}[CDFGHJ-NP-TV-Z][1-9CDFGHJ-NP-RTV-Y][A-HJ-NP-Z0-9]{7}",
                    .none, 12...12),
                Self.form("[A-HJ-NP-Z0-9]{12}", .none, cost: 4, 12...12),
                Self.form("[A-HJ-NP-Z0-9]{10}", .none, 10...10),
                // The number until 2010. A newer device is likelier to have one of ten or twelve
                // characters that was misread.
                Self.form("[A-HJ-NP-Z0-9]{11}", .none, cost: 1, 11...11),
            ]
        // The length is unknown, so a missed character is not noticed.
        case .labeled: [Self.form(#"\w{6,24}"#, .none, cost: 0.4, 6...24)]
        case .own: []
        }
    }

    private static func form(
        _ pattern: String, _ check: CheckDigit, cost: Double = 0, _ lengths: ClosedRange<Int>
    ) -> Form {
        do {
            return Form(
                pattern: try SerialPattern(pattern), check: check, cost: cost, lengths: lengths)
        } catch {
            preconditionFailure(error.message)
        }
    }

    /// The words before such a number, in lowercase letters and digits.
    var labels: [String] {
        switch self {
        case .imei: ["imei", "imei1", "imeimeid"]
        case .imei2: ["imei2"]
        case .mac:
            [
                "mac", "macaddress", "wifi", "wifiaddress", "wlan", "bluetooth", "ethernet",
                "address",
            ]
        case .isbn: ["isbn", "isbn13", "isbn10"]
        case .ean: ["ean", "upc", "gtin", "ean13"]
        case .apple, .own, .labeled:
            [
                "serial", "serialno", "serialnumber", "serialnr", "sn", "snr", "sno", "s",
                "seriennummer", "seriennr", "numero", "serie", "numerodeserie", "ser", "serno",
            ]
        }
    }

    /// The words before numbers that do not name a device.
    static let otherLabels = [
        "model", "modell", "modelno", "emc", "part", "partno", "pn", "mpn", "fcc", "fccid", "ic",
        "rated",
        "input", "output", "order", "meid", "eid", "iccid", "tel", "phone", "date", "version",
        "build", "lot",
        "batch", "type", "ref", "sku", "capacity", "imsi",
    ]
}

/// A number that was found on a device or label.
public struct FoundSerial: Hashable, Sendable {
    /// The number, without blanks; a MAC address with colons between its bytes.
    public var text: String
    /// The kind of number.
    public var kind: SerialKind
    /// The confidence, 0…1; below ``SerialReader/certain`` a person should check the number.
    public var confidence: Double
    /// The place of the number, in pixels of the picture.
    public var box: Box
    /// Other possible readings, with the likeliest first.
    public var alternatives: [String]
}
