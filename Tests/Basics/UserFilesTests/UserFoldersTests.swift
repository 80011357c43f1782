import FoundationEssentials
import Glibc
import Testing

@testable import UserFiles

/// Tests the paths of a user's own files.
@Suite struct UserFoldersTests {
    private static let registered = "/home/registered"

    private func folders(
        _ environment: [String: String], registered: String? = registered
    ) -> UserFolders {
        UserFolders(environment: environment, user: 4711) { user in
            #expect(user == 4711)
            return registered
        }
    }

    @Test(
        "The XDG variable counts if it is absolute, then HOME, then the password database",
        arguments: UserFolders.Kind.allCases)
    func order(_ kind: UserFolders.Kind) throws {
        let name = kind.variable
        let inHome: String =
            switch kind {
            case .config: ".config"
            case .data: ".local/share"
            case .state: ".local/state"
            case .cache: ".cache"
            }
        for (environment, expected) in [
            ([name: "/named", "HOME": "/home/me"], "/named"),
            ([name: "/named/", "HOME": "relative"], "/named"),
            ([name: "relative", "HOME": "/home/me"], "/home/me/\(inHome)"),
            ([name: "", "HOME": "/home/me//"], "/home/me/\(inHome)"),
            (["HOME": "/home/me"], "/home/me/\(inHome)"),
            (["HOME": "relative"], "/home/registered/\(inHome)"),
            (["HOME": ""], "/home/registered/\(inHome)"), ([:], "/home/registered/\(inHome)"),
        ] {
            #expect(
                try folders(environment).path(kind) == expected + "/copystand", "\(environment)")
        }
    }

    @Test(
        "Without any home, the error names the variables to set, and no other place is used",
        arguments: [nil, "", "/", "relative"])
    func none(_ registered: String?) {
        for kind in UserFolders.Kind.allCases {
            let error = #expect(throws: UserFileError.self) {
                try folders(["HOME": "relative"], registered: registered).usable(kind)
            }
            #expect(error?.code == .noHome)
            #expect(error?.message.contains("Set HOME or \(kind.variable)") == true)
            #expect(error?.message.contains("4711") == true)
        }
    }

    @Test("The error for a missing home, or one that is a file, names the variable to set")
    func unusable() throws {
        let place = try Place()
        let file = try place.write("file", "text")
        for (home, reason) in [
            (place.path + "/missing", "does not exist"), (file, "is not a folder"),
        ] {
            let error = #expect(throws: UserFileError.self) {
                try folders(["HOME": home]).usable(.state)
            }
            #expect(error?.code == .folderUnusable)
            #expect(error?.message.contains("'\(home)' \(reason)") == true)
            #expect(error?.message.contains("XDG_STATE_HOME") == true)
        }
        #expect(access(place.path + "/missing", F_OK) != 0)
    }

    @Test("A missing folder on a path is no error, but a file in its place is")
    func way() throws {
        let place = try Place()
        let environment = ["HOME": place.path, "XDG_DATA_HOME": place.path + "/a/b"]
        #expect(try folders(environment).usable(.data) == place.path + "/a/b/copystand")
        #expect(try folders(environment).usable(.config) == place.path + "/.config/copystand")
        try place.write(".config", "")
        #expect(throws: UserFileError.self) { try folders(environment).usable(.config) }
        try place.write("file", "")
        #expect(throws: UserFileError.self) {
            try folders(["XDG_CACHE_HOME": place.path + "/file"]).usable(.cache)
        }
    }

    @Test("The password database knows the user of this process")
    func database() throws {
        let entry = try #require(getpwuid(geteuid()))
        #expect(homeInPasswordDatabase(geteuid()) == String(cString: entry.pointee.pw_dir))
        #expect(userName(geteuid()) == String(cString: entry.pointee.pw_name))
        #expect(homeInPasswordDatabase(3_999_999_999) == nil)
    }

    @Test("The runtime folder is the user's own, or there is none")
    func runtime() throws {
        let place = try Place()
        let own = UserFolders(environment: ["XDG_RUNTIME_DIR": place.path], user: geteuid()) { _ in
            nil
        }
        #expect(own.runtime() == place.path)
        // A user who doesn't exist has no folder there either.
        #expect(folders(["XDG_RUNTIME_DIR": place.path]).runtime() == nil)
        #expect(folders(["XDG_RUNTIME_DIR": "relative"]).runtime() == nil)
    }
}
