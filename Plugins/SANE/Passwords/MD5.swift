import CNettle
import Hashing

/// The MD5 hash (RFC 1321), which SANE's network protocol uses for passwords.
///
/// It is too weak for any other use.
enum MD5 {
    /// The hash of `message` as 32 lowercase hexadecimal digits, by nettle's `md5_digest`.
    static func hexadecimal(_ message: [UInt8]) -> String {
        var context = md5_ctx()
        nettle_md5_init(&context)
        nettle_md5_update(&context, message.count, message)
        var hash = [UInt8](repeating: 0, count: 16)
        nettle_md5_digest(&context, hash.count, &hash)
        return hexadecimalDigits(hash)
    }
}
