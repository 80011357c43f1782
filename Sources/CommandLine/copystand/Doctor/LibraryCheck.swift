import CaptureHost
import Glibc
import Readers

/// Checks that the shared libraries of the program and of every backend are installed.
struct LibraryCheck {
    private static let name = "Libraries"

    /// The programs to check, by name.
    var programs: [(name: String, path: String)]

    /// Libraries that are not linked, but loaded when they are first needed.
    var loadedLater: [String] = []

    /// Checks this program, the one that reads text, and the programs of backends.
    init(program: String?, backends: [BackendReport]) {
        programs = backends.compactMap { report in report.program.map { (report.id, $0) } }
        guard let program else { return }
        programs = [("copystand", program), ("text", HelperCommand.installed.program)] + programs
        loadedLater = ["libcurl.so.4"]
    }

    /// The problems of these programs; runs each program's loader, which takes some milliseconds.
    func findings() async -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        for (name, path) in programs {
            guard access(path, X_OK) == 0 else {
                findings.append(
                    .failure(
                        Self.name, "\(name) needs the program \(path), which does not exist",
                        remedy: "reinstall Copystand"))
                continue
            }
            findings += Self.missing(in: await Self.loaderList(path)).map { Self.lacks(name, $0) }
        }
        for library in loadedLater {
            if let handle = dlopen(library, RTLD_LAZY) {
                dlclose(handle)
            } else {
                findings.append(Self.lacks("copystand", library))
            }
        }
        if findings.isEmpty {
            findings.append(
                .ok(
                    Self.name,
                    "all are installed for "
                        + programs.map(\.name).joined(separator: ", ")))
        }
        return findings
    }

    private static func lacks(_ name: String, _ library: String) -> DoctorFinding {
        .failure(
            Self.name, "\(name) needs \(library), which is not installed", remedy: remedy(library))
    }

    /// The missing libraries in a loader's list, such as `libheif.so.1 => not found`.
    static func missing(in list: String) -> [String] {
        list.split(separator: "\n").compactMap { line in
            let words = line.split { $0 == " " || $0 == "\t" }
            guard words.count >= 4, words[1] == "=>", words[2] == "not", words[3] == "found"
            else { return nil }
            return String(words[0])
        }
    }

    /// The command that installs a library: its Debian 12 package if known.
    static func remedy(_ library: String) -> String {
        packages.first { library.hasPrefix($0.key) }.map { "sudo apt install \($0.value)" }
            ?? "sudo apt install apt-file && sudo apt-file update && apt-file search \(library)"
    }

    private static let packages: KeyValuePairs = [
        "libtesseract.so": "libtesseract5", "liblept.so": "liblept5",
        "libturbojpeg.so": "libturbojpeg0", "libjpeg.so": "libjpeg62-turbo",
        "libtiff.so": "libtiff6", "libqpdf.so": "libqpdf29",
        "libmujs.so": "libmujs2", "libgumbo.so": "libgumbo1", "libopenjp2.so": "libopenjp2-7",
        "libjbig2dec.so": "libjbig2dec0", "libharfbuzz.so": "libharfbuzz0b",
        "libfreetype.so": "libfreetype6", "libcrypto.so": "libssl3", "libheif.so": "libheif1",
        "libexif.so": "libexif12", "libpng16.so": "libpng16-16", "libwebp.so": "libwebp7",
        "libsane.so": "libsane1", "libv4l2.so": "libv4l-0", "libsqlite3.so": "libsqlite3-0",
        "libmicrohttpd.so": "libmicrohttpd12", "libgomp.so": "libgomp1",
        "libcurl.so": "libcurl4",
    ]

    /// The loader's list for a program, as `ldd` prints it with LD_TRACE_LOADED_OBJECTS; empty when
    /// the program can't run.
    private static func loaderList(_ path: String) async -> String {
        await SmallProcess.output(
            of: path, environment: ["LD_TRACE_LOADED_OBJECTS": "1", "PATH": "/usr/bin:/bin"],
            deadline: .seconds(5))
    }
}
