import CaptureKit
import Glibc

/// The objects that an attacker might have changed, by name: processes, and files in a folder.
func snapshot(_ processes: [(name: String, identity: pid_t)], _ folder: String) -> [String: String]
{
    var result: [String: String] = [:]
    for (name, identity) in processes {
        let folder = "/proc/\(identity)/"
        result["the limits of \(name)"] = text(folder + "limits")
        result["the chances of \(name)"] = text(folder + "oom_score_adj")
        result["the group of \(name)"] = "\(getpgid(identity))"
        let fields = text(folder + "stat").split(separator: ")").last?.split(separator: " ") ?? []
        // proc(5): fields 3, 18, 19, 22, 40 and 41; the first two fields are already removed here.
        for (name, index) in [
            "priority": 15, "nice value": 16, "start": 19, "realtime priority": 37, "policy": 38,
        ].map({ ("the \($0.key) of \(name)", $0.value) }) {
            result[name] = index < fields.count ? String(fields[index]) : "gone"
        }
        let letter = fields.first ?? ""
        result["the state of \(name)"] = "TtZX".contains(letter) ? String(letter) : "well"
        result["the processors of \(name)"] =
            text(folder + "status").split(separator: "\n")
            .first { $0.hasPrefix("Cpus_allowed:") }.map(String.init)
    }
    result["the names in the folder"] = folderNames(folder).sorted().joined(separator: " ")
    for name in ["victim", "given"] { describe(folder + "/" + name, as: name, in: &result) }
    for path in ["/dev/shm/copystand-attack", "/tmp/copystand-attack"] {
        result[path] = access(path, F_OK) == 0 ? "is there" : "is not there"
    }
    result["the shared memory"] = segments("/proc/sysvipc/shm")
    return result
}

private func describe(_ path: String, as name: String, in result: inout [String: String]) {
    var information = stat()
    guard lstat(path, &information) == 0 else {
        result["the file \(name)"] = "gone"
        return
    }
    result["the mode of \(name)"] = "\(information.st_mode)"
    result["the owner of \(name)"] = "\(information.st_uid) \(information.st_gid)"
    result["the size of \(name)"] = "\(information.st_size)"
    guard name == "victim" else { return }
    // The access time is left out. The second time is the time of any change, including a change of
    // attributes.
    result["the times of \(name)"] =
        "\(information.st_mtim) \(information.st_ctim)"
    result["the content of \(name)"] = text(path)
}

/// The key, number, mode and size of each shared memory segment like the attacker's, which has no
/// key and 1 MiB: other programs of the machine, such as PostgreSQL, come and go meanwhile.
private func segments(_ path: String) -> String {
    var found: [String] = []
    for line in text(path).split(separator: "\n") {
        let fields = line.split(separator: " ").prefix(4)
        if fields.first == "0", fields.last == "1048576" {
            found.append(fields.joined(separator: " "))
        }
    }
    return found.joined(separator: ", ")
}

/// The arguments of a process.
func commandLine(_ process: String) -> String { text("/proc/\(process)/cmdline") }

/// Starts a process of the same user that does nothing.
func startBystander() -> pid_t? {
    var child = pid_t()
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/sleep"), strdup("600"), nil]
    defer { words.forEach { free($0) } }
    return posix_spawn(&child, "/bin/sleep", nil, nil, &words, environ) == 0 ? child : nil
}

/// O_NOATIME: reading must not change the files that are compared.
private let withoutAccess: Int32 = 0o1000000

private func text(_ path: String) -> String {
    // A process that can't be traced appears to belong to root.
    let hidden = path.hasPrefix("/proc/") ? 0 : withoutAccess
    let file = open(path, O_RDONLY | O_CLOEXEC | hidden)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}
