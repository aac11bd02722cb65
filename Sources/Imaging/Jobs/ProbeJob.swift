/// Reads a picture's header and nothing else.
public struct ProbeJob: ImagingJob, Equatable {
  public typealias Report = ImageInfo
  public static let method = "image/probe"

  public var limits: ImageLimits

  public init(limits: ImageLimits = .preparation) {
    self.limits = limits
  }
}
