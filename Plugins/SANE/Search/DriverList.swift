import ExpectedFailures
import FoundationEssentials
import Glibc

/// The drivers that SANE's configuration names, found as SANE's own loader (sane-dll) finds them.
struct DriverList {
    /// A driver and the file that names it.
    struct Entry: Hashable {
        var name: String
        var file: String
    }

    var entries: [Entry] = []

    /// Reads `dll.conf` and the files of `dll.d` from the folders of `SANE_CONFIG_DIR`, each from
    /// the first that has it.
    init(folders: [String] = DriverList.folders()) {
        if let file = folders.lazy.map({ $0 + "/dll.conf" }).first(where: { access($0, R_OK) == 0 })
        {
            read(file)
        }
        for folder in folders.map({ $0 + "/dll.d" }) {
            let listed = ifSupported { try FileManager.default.contentsOfDirectory(atPath: folder) }
            guard let names = listed else { continue }
            for name in names.sorted() where !name.hasPrefix(".") {
                if name.hasSuffix("~") || name.hasSuffix("#") { continue }
                read(folder + "/" + name)
            }
            break
        }
    }

    /// The folders of SANE's configuration: those of the variable, followed by the usual ones if it
    /// ends in a colon.
    static func folders(
        _ variable: String? = ProcessInfo.processInfo.environment["SANE_CONFIG_DIR"]
    ) -> [String] {
        let usual = [".", "/etc/sane.d"]
        guard let variable, !variable.isEmpty else { return usual }
        let named = variable.split(separator: ":").map(String.init)
        return variable.hasSuffix(":") ? named + usual : named
    }

    /// The file that names a driver, where people can leave it out.
    func file(naming driver: String) -> String? { entries.first { $0.name == driver }?.file }

    private mutating func read(_ file: String) {
        guard let bytes = FileManager.default.contents(atPath: file), bytes.count <= 1 << 20 else {
            return
        }
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            guard let word = line.split(whereSeparator: \.isWhitespace).first.map(String.init),
                !word.hasPrefix("#"), DriverList.isName(word),
                !entries.contains(where: { $0.name == word })
            else { continue }
            entries.append(Entry(name: word, file: file))
        }
    }

    /// True for a possible name of a driver's library.
    static func isName(_ word: String) -> Bool {
        (1...100).contains(word.utf8.count)
            && word.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
                    || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains($0)
            } && !word.hasPrefix(".")
    }
}
