import Encodings

/// Which bucket, at which server, and below which prefix:
/// `s3://pictures/atelier?endpoint=https://storage.example:9000&region=eu-central-1`.
///
/// It never contains a key. Without an endpoint the bucket is Amazon's.
public struct BucketAddress: Sendable, Equatable {
  /// Where the bucket's name stands in a URL.
  public enum Addressing: String, Sendable, CaseIterable {
    /// `https://storage.example/pictures/key`
    case path
    /// `https://pictures.storage.example/key`
    case virtual
  }

  public let bucket: String
  /// What the name of every object begins with: empty, or it ends with a slash.
  public let prefix: String
  public let region: String
  public let addressing: Addressing
  public let endpoint: Endpoint

  /// The server, without the bucket.
  public struct Endpoint: Sendable, Equatable {
    public let isPlain: Bool
    /// A name or an address; one of IPv6 stands in brackets.
    public let host: String
    /// Nil where it is that of the scheme.
    public let port: UInt16?
    /// What every path begins with: empty, or it begins with a slash and ends with none.
    public let path: String
  }

  /// The scheme and the server, as a URL begins.
  var origin: String { "\(endpoint.isPlain ? "http" : "https")://\(authority)" }

  /// The header `Host`.
  var authority: String {
    let host = addressing == .virtual ? "\(bucket).\(endpoint.host)" : endpoint.host
    return endpoint.port.map { "\(host):\($0)" } ?? host
  }

  /// - Parameter key: the whole name of an object; empty for the bucket itself.
  func path(of key: String) -> String {
    let start = addressing == .path ? "\(endpoint.path)/\(bucket)" : endpoint.path
    return addressing == .path && key.isEmpty ? start : "\(start)/\(key)"
  }
}

extension BucketAddress: CustomStringConvertible {
  /// For the operator: what the address stands for, in one form.
  public var description: String {
    let server = "\(endpoint.isPlain ? "http" : "https")://\(endpoint.host)\(endpoint.port.map { ":\($0)" } ?? "")"
    return "s3://\(bucket)/\(prefix) at \(server)\(endpoint.path)"
  }
}
