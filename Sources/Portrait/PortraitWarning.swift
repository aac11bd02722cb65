/// Something the person should know about a headshot that was made nevertheless.
public struct PortraitWarning: Sendable, Equatable {
  /// The stable name, as it goes over the wire.
  public enum Kind: String, Sendable {
    /// The face has few pixels, the picture will be soft.
    case lowResolution = "low_resolution"
    /// Other people are in the photo; the most prominent one was taken.
    case severalFaces = "several_faces"
    /// The photo ends close to the head or the shoulders, so the crop is not the usual one.
    case tightCrop = "tight_crop"
  }

  public var kind: Kind
  /// One sentence a person can act on.
  public var message: String

  public init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }
}
