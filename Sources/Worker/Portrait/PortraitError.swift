import Localization

/// Why no headshot could be made. `sentence` tells the person what to do about it.
public enum PortraitError: Error, Sendable, Equatable {
  /// An embedded network is not the one that this version was built with, or cannot be run.
  case modelsUnusable(String)
  /// The number of bytes does not fit the picture's sides, or the picture is not the planned region.
  case malformedImage
  /// No face was found.
  case noFace
  /// A face was found, but it is `pixels` wide in the photo: too few to make a picture from.
  case faceTooSmall(pixels: Int)
  /// A face was found, but the photo's edge cuts through it.
  case faceCutOff
  /// Several people are equally prominent; choosing one would be a guess.
  case severalFaces(count: Int)
  /// The heads of several people touch, so that none can be cut out alone.
  case headsTouch(count: Int)
  /// The most prominent face is out of focus, and `count` others are sharp.
  case sharpBehindBlurred(count: Int)
  /// The head is turned by `found` degrees instead of `asked`, and the studio cannot turn it. Negative is towards the
  /// viewer's left.
  case cannotTurnHead(asked: Double, found: Double)
  /// The caller's progress closure asked to stop.
  case cancelled

  public var sentence: Sentence {
    switch self {
    case .modelsUnusable(let reason):
      "The on-device networks cannot be used: \(reason)"
    case .malformedImage:
      "The picture's data does not fit its dimensions."
    case .noFace:
      "No face was found in the photo. "
        + "Please use a photo that shows your face from the front, well lit and unobstructed."
    case .faceTooSmall(let pixels):
      "The face is only \(pixels) pixels wide. Please use a photo taken closer, or one with a higher resolution."
    case .faceCutOff:
      "The photo's edge cuts through the face. Please use a photo that shows the whole face."
    case .severalFaces(let count):
      "The photo shows \(count) people of about the same size. Please use a photo of one person, or crop it to one."
    case .headsTouch(let count):
      "The heads of \(count) people touch in the photo. Please use a photo of one person, or crop it to one."
    case .sharpBehindBlurred:
      "The person in front is out of focus, and somebody behind is sharp. "
        + "Please use a photo of one person, or crop it to one."
    case .cannotTurnHead(let asked, let found):
      "The on-device provider cannot turn a head: the photo shows \(Self.describe(found)), the style asks for "
        + "\(Self.describe(asked)). Please use a photo taken from that side."
    case .cancelled:
      "The headshot was cancelled."
    }
  }

  static func describe(_ degrees: Double) -> Sentence {
    let whole = Int(degrees.rounded())
    if abs(whole) <= 5 { return "the face from the front" }
    return whole < 0 ? "the face turned \(-whole)° to the left" : "the face turned \(whole)° to the right"
  }
}
