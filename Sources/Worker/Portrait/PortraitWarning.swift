import Localization

/// Something that the person should know about a finished headshot.
public struct PortraitWarning: Sendable, Equatable {
  /// The stable name, as it is sent.
  public enum Kind: String, Sendable, CaseIterable {
    /// The face has few pixels, so the picture will be soft.
    case lowResolution = "low_resolution"
    /// There are other people in the photo; the most prominent one was chosen.
    case severalFaces = "several_faces"
    /// The photo ends close to the head or the shoulders, so the crop is not the usual one.
    case tightCrop = "tight_crop"
    /// The photo is a cut-out, so that there is no background that could be shown out of focus.
    case noBackground = "no_background"
    /// The head is clearly turned, and the headshot keeps it so.
    case turnedHead = "turned_head"
    /// The photo's own background was kept, because a studio backdrop would have shown flaws of the cut.
    case backgroundKept = "background_kept"
    /// The photo has too few pixels for the size that was asked for.
    case sizeDiffers = "size_differs"
    /// The photo breaks a rule for passports.
    case passportRule = "passport_rule"
    /// The face lacks more light than may be added.
    case tooDark = "too_dark"
    /// The face is not in focus, or moved.
    case outOfFocus = "out_of_focus"
    /// An eye is closed, or hardly open.
    case eyesClosed = "eyes_closed"
    /// Somebody else stays in the picture, or is so close that the cut between both is a guess.
    case anotherPerson = "another_person"
    /// The clothes have nearly the colour of the new background.
    case clothesLikeBackground = "clothes_like_background"
    /// Before a flat colour or none, the photo's background may still show between the hairs.
    case backgroundInHair = "background_in_hair"
  }

  public var kind: Kind
  /// What the person should know and can do.
  public var message: Sentence

  public init(kind: Kind, message: Sentence) {
    self.kind = kind
    self.message = message
  }
}

extension PortraitWarning {
  /// The headshot keeps the turn of the photo, `yaw` degrees.
  static func turnedHead(_ yaw: Double) -> PortraitWarning {
    PortraitWarning(
      kind: .turnedHead,
      message: "The photo shows \(PortraitError.describe(yaw)), and the picture keeps it so. "
        + "A photo taken from the front gives a picture from the front.")
  }
}
