import HTTPClient

/// The idle connections of one outbox, by their kind.
struct OpenConnections: Sendable {
    let curl = IdleConnections<SinkDefinition, CurlHandle>()
    let smb = IdleConnections<SinkDefinition, SMBConnection>()
}
