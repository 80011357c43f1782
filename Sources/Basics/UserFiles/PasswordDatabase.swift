package import Glibc

/// The home folder of a user, from the password database; nil for an unknown user.
func homeInPasswordDatabase(_ user: uid_t) -> String? {
    entry(of: user) { String(cString: $0.pw_dir) }
}

/// The name of a user; nil for an unknown one.
package func userName(_ user: uid_t) -> String? {
    entry(of: user) { String(cString: $0.pw_name) }
}

/// True if a group has the user's name and no other member, as Debian and Fedora make one for each
/// user.
package func isPrivateGroup(_ group: gid_t, of user: uid_t) -> Bool {
    guard let name = userName(user) else { return false }
    var found = Glibc.group()
    let isPrivate = withGrowingBuffer { buffer, size -> (Int32, Bool) in
        var result: UnsafeMutablePointer<Glibc.group>?
        let failure = getgrgid_r(group, &found, buffer, size, &result)
        guard failure == 0, result != nil, let list = found.gr_mem else { return (failure, false) }
        var members: [String] = []
        var index = 0
        while let member = list[index] {
            members.append(String(cString: member))
            index += 1
        }
        return (0, String(cString: found.gr_name) == name && members.allSatisfy { $0 == name })
    }
    return isPrivate ?? false
}

private func entry(of user: uid_t, _ read: (passwd) -> String) -> String? {
    var found = passwd()
    let text = withGrowingBuffer { buffer, size -> (Int32, String?) in
        var result: UnsafeMutablePointer<passwd>?
        let failure = getpwuid_r(user, &found, buffer, size, &result)
        return (failure, failure == 0 && result != nil ? read(found) : nil)
    }
    return text ?? nil
}

/// Repeats a call with a buffer of twice the size while the call fails with `ERANGE`, up to one
/// megabyte.
private func withGrowingBuffer<Value>(
    _ call: (UnsafeMutablePointer<CChar>, Int) -> (failure: Int32, Value)
) -> Value? {
    var size = 1024
    while size <= 1 << 20 {
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
        defer { buffer.deallocate() }
        let (failure, value) = call(buffer, size)
        if failure == 0 { return value }
        guard failure == ERANGE || failure == EINTR else { return nil }
        if failure == ERANGE { size *= 2 }
    }
    return nil
}
