/// Asks the worker for its versions and whether its installation is complete; for `atelier doctor`.
public struct VersionsJob: ImagingJob, Equatable {
  public static let method = "worker/versions"

  public init() {}

  public struct Report: Codable, Sendable, Equatable {
    /// The version of libvips, such as "8.14.1".
    public var libvips: String
    /// The version of libheif, such as "1.15.1"; nil if libvips has come without it.
    public var libheif: String?
    /// The formats that can be read, of HEIC and AVIF a picture each; all of ``ImageFormat`` on a complete installation.
    public var readableFormats: [ImageFormat]
    /// True when the embedded networks are those that this version was built with, and can be run.
    public var modelsUsable: Bool
    /// Why the networks cannot be used.
    public var modelsProblem: String?

    public init(
      libvips: String, libheif: String? = nil, readableFormats: [ImageFormat], modelsUsable: Bool,
      modelsProblem: String? = nil
    ) {
      self.libvips = libvips
      self.libheif = libheif
      self.readableFormats = readableFormats
      self.modelsUsable = modelsUsable
      self.modelsProblem = modelsProblem
    }
  }
}
