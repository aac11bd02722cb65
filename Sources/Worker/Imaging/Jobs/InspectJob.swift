/// Reads only a picture's header.
public struct InspectJob: ImagingJob, Equatable {
  public typealias Report = ImageInfo
  public static let method = "image/inspect"

  public var limits: ImageLimits

  public init(limits: ImageLimits = .preparation) {
    self.limits = limits
  }
}
