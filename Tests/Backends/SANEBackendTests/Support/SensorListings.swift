import CaptureKit
import Testing

/// Drivers' options for buttons, paper and covers, in the form of `scanimage -A`, and the expected
/// sensors.
struct SensorListing: CustomTestStringConvertible, Sendable {
    var driver: String
    var buttons: [String] = []
    var paper: [String] = []
    var covers: [String] = []
    /// The sensors whose value in the listing is 'yes'.
    var tripped: [String] = []
    var listing: String

    var testDescription: String { driver }

    static let all: [SensorListing] = [
        SensorListing(
            driver: "genesys", buttons: ["scan", "file", "email", "copy", "ocr", "power", "extra"],
            paper: ["page-loaded"], tripped: ["email"],
            listing: """
                Sensors:
                --scan[=(yes|no)] [no] [hardware]
                --file[=(yes|no)] [no] [hardware]
                --email[=(yes|no)] [yes] [hardware]
                --copy[=(yes|no)] [no] [hardware]
                --page-loaded[=(yes|no)] [no] [hardware]
                --ocr[=(yes|no)] [no] [hardware]
                --power[=(yes|no)] [no] [hardware]
                --extra[=(yes|no)] [no] [hardware]
                --need-calibration[=(yes|no)] [yes] [hardware]
                Buttons:
                --clear-calibration
                """),
        SensorListing(
            driver: "fujitsu", buttons: ["scan", "email"], paper: ["page-loaded"],
            covers: ["cover-open"], tripped: ["page-loaded", "scan"],
            listing: """
                --top-edge[=(yes|no)] [no] [hardware]
                --a4-paper[=(yes|no)] [no] [hardware]
                --page-loaded[=(yes|no)] [yes] [hardware]
                --omr-df[=(yes|no)] [no] [hardware]
                --cover-open[=(yes|no)] [no] [hardware]
                --power-save[=(yes|no)] [no] [hardware]
                --email[=(yes|no)] [no] [hardware]
                --manual-feed[=(yes|no)] [no] [hardware]
                --scan[=(yes|no)] [yes] [hardware]
                --function 0..9 [1] [hardware]
                --ink-low[=(yes|no)] [no] [hardware]
                --double-feed[=(yes|no)] [no] [hardware]
                --error-code 0..255 [0] [hardware]
                --duplex[=(yes|no)] [no] [hardware]
                """),
        SensorListing(
            driver: "canon_dr", buttons: ["start", "stop", "button-3", "newfile"],
            paper: ["adf-loaded", "card-loaded"], tripped: ["adf-loaded"],
            listing: """
                --start[=(yes|no)] [no] [hardware]
                --stop[=(yes|no)] [no] [hardware]
                --button-3[=(yes|no)] [no] [hardware]
                --newfile[=(yes|no)] [no] [hardware]
                --countonly[=(yes|no)] [no] [hardware]
                --bypassmode[=(yes|no)] [no] [hardware]
                --counter 0..500 (in steps of 1) [3] [hardware]
                --adf-loaded[=(yes|no)] [yes] [hardware]
                --card-loaded[=(yes|no)] [no] [hardware]
                """),
        SensorListing(
            driver: "epjitsu", buttons: ["scan"], paper: ["page-loaded"], covers: ["cover-open"],
            tripped: ["cover-open"],
            listing: """
                --scan[=(yes|no)] [no] [hardware]
                --page-loaded[=(yes|no)] [no] [hardware]
                --top-edge[=(yes|no)] [no] [hardware]
                --cover-open[=(yes|no)] [yes] [hardware]
                --power-save[=(yes|no)] [no] [hardware]
                """),
        SensorListing(
            driver: "pixma", buttons: ["button-1", "button-2"], tripped: ["button-2"],
            listing: """
                --button-controlled[=(yes|no)] [no]
                Buttons:
                --button-update
                --button-1 <int> [0] [read-only]
                --button-2 <int> [1] [read-only]
                --original <int> [0] [read-only]
                --target <int> [0] [read-only]
                --scan-resolution <int> [0] [read-only]
                """),
        SensorListing(
            driver: "avision", buttons: ["message"], tripped: ["message"],
            listing: """
                --adf-flip[=(yes|no)] [yes]
                --message <string> [scan] [read-only]
                """),
        SensorListing(
            driver: "avision at rest", buttons: ["message"],
            listing: "--message <string> [] [read-only]"),
        SensorListing(
            driver: "hp5590", buttons: ["button-pressed"], paper: ["doc-in-adf"],
            tripped: ["button-pressed", "doc-in-adf"],
            listing: """
                --button-pressed none|power|scan|collect|file|email|copy|up|down|mode|cancel \
                [scan] [read-only]
                --color-led color|black_white [color] [read-only]
                --lcd-counter 1..99 [1] [read-only]
                --doc-in-adf[=(yes|no)] [yes] [read-only]
                """),
        SensorListing(
            driver: "hp5590 at rest", buttons: ["button-pressed"], paper: ["doc-in-adf"],
            listing: """
                --button-pressed none|power|scan|collect|file|email|copy|up|down|mode|cancel \
                [none] [read-only]
                --doc-in-adf[=(yes|no)] [no] [read-only]
                """),
        SensorListing(
            driver: "rts8891", buttons: ["button-scan", "button-copy"], tripped: ["button-copy"],
            listing: """
                --button-scan[=(yes|no)] [no] [hardware]
                --button-copy[=(yes|no)] [yes] [hardware]
                """),
        SensorListing(
            driver: "gt68xx", paper: ["page-loaded"],
            listing: """
                --need-calibration[=(yes|no)] [no] [hardware]
                --page-loaded[=(yes|no)] [no] [hardware]
                --clear-calibration
                """),
        SensorListing(
            driver: "p5", paper: ["page-loaded"],
            listing: """
                --page-loaded[=(yes|no)] [no] [hardware]
                --need-calibration[=(yes|no)] [yes] [hardware]
                """),
        // A document scanner without sensors: the options that look like sensors can be set.
        SensorListing(
            driver: "kvs40xx",
            listing: """
                --manual-feed off|wait_doc|wait_key [off]
                --feeder-mode single|continuous [single]
                --dfeed-sence normal|thick|thin [normal]
                --cancel[=(yes|no)] [no]
                """),
        SensorListing(
            driver: "brother4",
            listing: "--source FlatBed|Automatic Document Feeder(left aligned) [FlatBed]"),
    ]
}
