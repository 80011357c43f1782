import FoundationEssentials
import Glibc
import Testing

@testable import UserFiles

/// Tests the check of which users can change settings and secrets.
@Suite struct TrustTests {
    /// A file whose folder and own mode are set.
    struct Case: Sendable, CustomTestStringConvertible {
        var folder: mode_t = 0o700
        var file: mode_t = 0o600
        var secret = false
        /// The advice in the error; nil for a trusted file.
        var advice: String?
        var testDescription: String {
            "\(String(folder, radix: 8))/\(String(file, radix: 8))\(secret ? " secret" : "")"
        }
    }

    private static let foreign: gid_t = 54_321

    @Test(
        "A file is trusted when no one else can change it, and a secret when no one else can read it",
        arguments: [
            Case(), Case(secret: true), Case(folder: 0o755, file: 0o644),
            Case(folder: 0o755, file: 0o600, secret: true),
            Case(file: 0o644, secret: true, advice: "chmod 600 FILE"),
            Case(file: 0o640, secret: true, advice: "chmod 600 FILE"),
            Case(file: 0o604, secret: true, advice: "chmod 600 FILE"),
            Case(file: 0o620, secret: true, advice: "chmod 600 FILE"),
            Case(file: 0o646, advice: "chmod o-w FILE"),
            Case(file: 0o664, advice: "chmod g-w FILE"),
            Case(file: 0o666, advice: "chmod go-w FILE"),
            Case(folder: 0o777, advice: "chmod go-w FOLDER"),
            Case(folder: 0o1777, advice: "chmod go-w FOLDER"),
            Case(folder: 0o775, advice: "chmod g-w FOLDER"),
            Case(folder: 0o707, secret: true, advice: "chmod o-w FOLDER"),
        ])
    func modes(_ one: Case) throws {
        let place = try Place()
        let file = try place.write("it's/file", "text", mode: one.file)
        chmod(place.path + "/it's", one.folder)
        let error = problem(file, secret: one.secret) { _, _ in false }
        #expect(error?.code == (one.advice == nil ? nil : .untrusted))
        // The path is quoted for a shell, because the folder's name has an apostrophe.
        let quoted = "'" + place.path + "/it'\\''s"
        let advice = one.advice?.replacing("FILE", with: quoted + "/file'")
            .replacing("FOLDER", with: quoted + "'")
        #expect(error?.message.hasSuffix(advice ?? "-") != false, "\(error?.message ?? "")")
    }

    @Test("The user's own group may write, and no other")
    func group() throws {
        let place = try Place()
        let file = try place.write("folder/file", "text", mode: 0o664)
        chmod(place.path + "/folder", 0o775)
        let own = getegid()
        #expect(problem(file) { group, user in group == own && user == geteuid() } == nil)
        #expect(problem(file) { _, _ in false } != nil)
    }

    @Test(
        "The mask of an access list is not a group's",
        .enabled(if: access("/usr/bin/setfacl", X_OK) == 0, "needs setfacl"))
    func accessList() throws {
        let place = try Place()
        let file = try place.write("folder/file", "text", mode: 0o664)
        chmod(place.path + "/folder", 0o775)
        #expect(problem(file) { _, _ in true } == nil)
        guard run("/usr/bin/setfacl", ["-m", "u:daemon:rw", file]) == 0 else {
            try Test.cancel("this file system has no access lists")
        }
        #expect(problem(file) { _, _ in true }?.message.contains("chmod g-w") == true)
    }

    @Test("A sticky folder above the file may be writable by others")
    func above() throws {
        let place = try Place()
        let file = try place.write("shared/own/file", "text")
        chmod(place.path + "/shared", 0o1777)
        #expect(problem(file) == nil)
        chmod(place.path + "/shared", 0o777)
        #expect(problem(file)?.message.contains("chmod go-w \(place.path)/shared") == true)
        // Folders above the home folder are not checked.
        #expect(problem(file, home: place.path + "/shared/own") == nil)
    }

    @Test("A file in a sticky folder of root's is refused, without advice to change the folder")
    func sticky() throws {
        let path = "/tmp/copystand-trust-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        close(file)
        defer { unlink(path) }
        // The check is for a user other than root who does not own the folder.
        let check = TrustCheck(user: 54_321, isPrivate: { _, _ in false }, nameOfUser: { _ in nil })
        let error = #expect(throws: UserFileError.self) { try check.check(ResolvedPath(to: path)) }
        #expect(error?.message.contains("'/tmp'") == true)
        #expect(error?.message.contains("Keep the file in a folder of your own") == true)
        #expect(error?.message.contains("chmod") == false)
    }

    @Test("Both a symbolic link's folder and its target's folder are checked")
    func links() throws {
        let place = try Place()
        try place.write("dotfiles/real", "text")
        try place.write("config/other", "")
        let link = place.path + "/config/file"
        #expect(symlink("../dotfiles/real", link) == 0)
        #expect(problem(link) == nil)
        for folder in ["dotfiles", "config"] {
            chmod(place.path + "/" + folder, 0o777)
            #expect(problem(link)?.message.contains("\(place.path)/\(folder)") == true)
            chmod(place.path + "/" + folder, 0o700)
        }
    }

    @Test(
        "Another user's files are refused, root's are not, even when root asks",
        .enabled(if: geteuid() == 0, "only root can give files away"))
    func owners() throws {
        let place = try Place()
        let file = try place.write("folder/file", "text")
        let folder = place.path + "/folder"
        for path in [file, folder] {
            chown(path, 4711, 0)
            let error = problem(file)
            #expect(error?.message.contains("'\(path)' belongs to the user 4711") == true)
            #expect(error?.message.hasSuffix("sudo chown root \(path)") == true)
            // For that user the other folders belong to someone else, and root may own them.
            #expect(problem(file, user: 4711) == nil)
            #expect(problem(file, user: 4712) != nil)
            chown(path, 0, 0)
        }
        #expect(problem(file, user: 4711) == nil)
        chmod(file, 0o666)
        #expect(problem(file, user: 4711)?.message.hasSuffix("sudo chmod go-w \(file)") == true)
    }

    @Test("Links that form a loop are reported")
    func circle() throws {
        let place = try Place()
        symlink("b", place.path + "/a")
        symlink("a", place.path + "/b")
        #expect(throws: UserFileError.self) { try UserFile(path: place.path + "/a").read() }
    }

    private func problem(
        _ file: String, secret: Bool = false, user: uid_t = geteuid(), home: String? = nil,
        isPrivate: @escaping (gid_t, uid_t) -> Bool = { _, _ in false }
    ) -> UserFileError? {
        let check = TrustCheck(user: user, home: home, isPrivate: isPrivate)
        var about = stat()
        do {
            let way = try ResolvedPath(to: file)
            try check.check(way)
            guard stat(way.target, &about) == 0 else { return .failed("be read", file) }
            try check.check(about, way.target, secret: secret ? "passwords" : nil)
            return nil
        } catch {
            return error
        }
    }
}

/// Runs a program to its end: its exit status, or -1.
func run(_ program: String, _ arguments: [String]) -> Int32 {
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var child: pid_t = 0
    guard posix_spawn(&child, program, nil, nil, &words, environ) == 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
}
