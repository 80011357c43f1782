/// The place of the images of an archive on a server, as its database stores it.
///
/// Since the database has it, a machine needs only one address.
public struct ImageSettings: Codable, Hashable, Sendable {
    /// A folder that all machines see under the same path, or `s3://BUCKET/PREFIX`.
    public var place: String
    /// The address of a store that speaks S3, such as `https://s3.example`; nil for a folder.
    public var endpoint: String?
    /// The store's region; nil for a folder.
    public var region: String?
    /// The access key's id; nil for a folder.
    public var key: String?
    /// The secret access key; nil for a folder.
    public var secret: String?

    /// Images in a folder, or in a bucket if the rest is given.
    public init(
        place: String, endpoint: String? = nil, region: String? = nil, key: String? = nil,
        secret: String? = nil
    ) {
        self.place = place
        self.endpoint = endpoint
        self.region = region
        self.key = key
        self.secret = secret
    }
}

extension ImageSettings: CustomStringConvertible, CustomDebugStringConvertible {
    /// Only the place: the secret is not shown.
    public var description: String { place }
    /// Only the place: the secret is not shown.
    public var debugDescription: String { place }
}
