/// Checks the header of an ICC profile (ICC.1:2022, 7.2).
public enum ProfileHeader {
    private static let length = 128
    /// The classes of profiles for scanners, displays, printers and color spaces.
    private static let classes = ["scnr", "mntr", "prtr", "spac"]

    /// Refuses bytes that are not a complete profile, or one for another kind of samples.
    public static func check(_ bytes: [UInt8], _ kind: SampleKind) throws(ProfileFault) {
        guard bytes.count <= ColorSource.mostBytes else { throw .tooLarge }
        guard bytes.count > length + 4, bytes[36..<40].elementsEqual("acsp".utf8) else {
            throw .damaged
        }
        let size = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let class_ = String(decoding: bytes[12..<16], as: UTF8.self)
        guard size <= bytes.count, size > length, classes.contains(class_) else { throw .damaged }
        guard kind.signature.withUTF8Buffer({ $0.elementsEqual(bytes[16..<20]) }) else {
            throw .foreign
        }
    }
}
