import AtelierProtocol

extension PicturePrompt {
  /// A low temperature: a headshot must be true to the photo, not inventive.
  public static let headshotTemperature = 0.25

  /// One of the engineered prompts: that of the background and the nearest named angle, with the turn in degrees.
  /// - Parameter variation: 0 for the first picture of a request; each further one asks for another expression.
  public static func headshot(_ style: Style, variation: Int = 0) -> PicturePrompt {
    let direction = HeadshotDirection(style.angle ?? .front)
    let background = style.background ?? .usual
    return PicturePrompt(
      paragraphs: [
        background.assignment, identity, "\(direction.pose) \(HeadshotExpression(variation: variation).words)",
        "\(background.camera) \(direction.framing)", background.light(from: direction.lightSide),
        background.surroundings, limits,
      ], temperature: headshotTemperature)
  }

  private static let identity = """
    Identity comes before everything else: whoever knows this person must recognise them at once and find nothing \
    changed. Keep the shape of the face and jaw, the forehead and hairline, and the set, shape and colour of the eyes, \
    brows, nose, lips, teeth and ears exactly as the photo shows them. Every asymmetry stays on its own side; never \
    mirror the face. Keep the skin's own tone and its own texture, with pores and lines, and leave freckles, moles, \
    scars, birthmarks and tattoos where they are. Keep the apparent age, the build, the gender expression and the \
    ethnic features; the colour, length, texture and parting of the hair, and any beard or stubble; and whatever is \
    worn on the head or face: glasses, hearing aids, piercings, jewellery, a head covering. Add none that the photo \
    does not show. Do not beautify: no smoothed skin, no slimmer face, no larger eyes, no whiter teeth, nothing made \
    younger or more regular. Where the pose reveals what the photo hides, continue it from what the photo does show.
    """

  private static let limits = """
    The result is a single unretouched photograph of one person that fills the whole frame. Nobody else appears, not \
    even blurred; no hands near the face; no text, lettering, logo, watermark, signature, border or collage; nothing \
    of an illustration, a painting or a computer rendering.
    """
}

/// Which way the person looks in a headshot, in words. Left and right are the viewer's: a negative angle points the
/// nose at the left edge of the picture, as in the headshots made on this machine.
struct HeadshotDirection {
  private let name: Angle.Name
  /// 0…90 in steps of five: a model cannot distinguish finer ones.
  private let degrees: Int
  private let isLeft: Bool

  init(_ angle: Angle) {
    name = angle.nearestName
    let rounded = Int((abs(angle.value) * 18).rounded()) * 5
    // The bounds of the front range would round to the first degrees of the other names.
    degrees = name == .front ? min(rounded, 20) : rounded
    isLeft = angle.value < 0
  }

  private var side: String { isLeft ? "left" : "right" }
  private var otherSide: String { isLeft ? "right" : "left" }

  /// The pose of head and shoulders, and where the eyes look.
  var pose: String {
    switch degrees {
    case 0:
      """
      The person faces the camera squarely, head and shoulders turned to neither side, so that both halves of the face \
      show equally, and the eyes look straight into the lens.
      """
    case ...20:
      """
      The person is turned slightly, about \(number) degrees, \(direction): the nose points just past the camera, both \
      halves of the face stay in full view, and the eyes look straight into the lens.
      """
    case ...45:
      """
      The person is turned about \(number) degrees \(direction), in a three-quarter view: \(nose), the person's \
      \(side) cheek is the nearer one, both eyes stay in view, and they look into the lens.
      """
    case ...65:
      """
      The person is turned about \(number) degrees \(direction), well beyond a three-quarter view: \(nose), the \
      person's \(side) cheek is the nearer one, the farther eye is only just in view, and the gaze follows the nose.
      """
    case ..<90:
      """
      The person is turned about \(number) degrees \(direction), almost in profile: \(nose), the person's \(side) \
      cheek faces the camera, and the gaze follows the nose.
      """
    default:
      """
      The person is turned ninety degrees \(direction), in full profile: \(nose), only the person's \(side) cheek, eye \
      and ear are seen, and the gaze follows the nose.
      """
    }
  }

  /// The position of the subject in the frame.
  var framing: String {
    let room =
      name == .front ? "the head is centred" : "more room is left on the \(side) side, into which the person looks"
    return """
      The frame holds head and shoulders: the head takes up about half its height, the eyes lie on the upper third, a \
      little room stays above the hair, the lower edge cuts across the upper chest, and \(room).
      """
  }

  /// The side of the picture the main light comes from: the one the face is turned to, which models it best.
  var lightSide: String { name == .front ? "left" : side }

  private var direction: String { "to the viewer's \(side), which is the person's own \(otherSide)" }
  private var nose: String { "the nose points towards the \(side) edge of the picture" }

  private var number: String {
    let ones = degrees % 10 == 5 ? "-five" : ""
    return switch degrees {
    case ..<10: "five"
    case ..<15: "ten"
    case ..<20: "fifteen"
    case ..<30: "twenty\(ones)"
    case ..<40: "thirty\(ones)"
    case ..<50: "forty\(ones)"
    case ..<60: "fifty\(ones)"
    case ..<70: "sixty\(ones)"
    case ..<80: "seventy\(ones)"
    case ..<90: "eighty\(ones)"
    default: "ninety"
    }
  }
}

/// The facial expression of a headshot. The pictures of one request differ in it, like frames of one sitting.
enum HeadshotExpression: Int, CaseIterable {
  case approachable, warm, thoughtful, lively

  /// - Parameter variation: the picture's variation; after the last expression the first one follows again.
  init(variation: Int) {
    let count = Self.allCases.count
    self = Self.allCases[(variation % count + count) % count]
  }

  var words: String { "\(look) \(Self.mouth)" }

  private var look: String {
    switch self {
    case .approachable:
      """
      The posture is upright and at ease, and the expression is calm, confident and approachable, with the hint of a \
      smile that reaches the eyes.
      """
    case .warm:
      """
      This is a later frame of the same sitting, in another mood: the smile is a shade warmer, the shoulders are \
      looser, and the chin is a touch lower.
      """
    case .thoughtful:
      """
      This is a later frame of the same sitting, in another mood: the expression is quieter and more thoughtful, the \
      face almost at rest, and the head is tilted a few degrees towards one shoulder.
      """
    case .lively:
      """
      This is a later frame of the same sitting, in another mood: the eyes are bright, as in the moment before a \
      laugh, and the upper body leans slightly towards the camera.
      """
    }
  }

  private static let mouth = """
    A mouth that is closed in the photo stays closed, so that no teeth are invented; the features themselves do not \
    change.
    """
}

extension Background {
  /// A flat background in the words of a photographer.
  private var flatWords: String {
    guard let colour = flatColour, self != .white else { return "pure white (#ffffff)" }
    return "one flat colour, which is \(colour.text) in sRGB (red \(colour.red), green \(colour.green), blue \(colour.blue))"
  }
}

/// The details that come with a headshot's background: purpose, camera, light and location.
extension Background {
  var assignment: String {
    """
    Photograph the person in the attached photo anew, as an experienced portrait photographer would \(occasion): one \
    photorealistic head-and-shoulders portrait of exactly that person. If the photo shows several people, portray only \
    the one whose face is largest.
    """
  }

  private var occasion: String {
    switch self {
    case .auto, .professional, .white, .transparent, .colour: "in the studio, for the website of a company"
    case .casual, .keep: "on an unhurried afternoon out of doors, for a personal page"
    }
  }

  var camera: String {
    switch self {
    case .auto, .professional, .white, .transparent, .colour:
      """
      The camera stands at eye level two metres away: a full-frame body with an 85 mm portrait lens at f/5.6, which \
      keeps the proportions of the face natural and holds it in crisp focus from the tip of the nose to the ears.
      """
    case .casual, .keep:
      """
      The camera stands at eye level two metres away: a full-frame body with an 85 mm portrait lens at f/2.8, focused \
      on the nearer eye, which keeps the proportions of the face natural and the whole face sharp while everything \
      behind it melts away.
      """
    }
  }

  /// - Parameter side: the side of the picture, as the viewer sees it.
  func light(from side: String) -> String {
    switch self {
    case .auto, .professional:
      """
      A large softbox, a little above eye level and forty-five degrees to the \(side) of the picture, is the key \
      light; a reflector opposite keeps the shadows open, and a faint rim light lifts hair and shoulders off the \
      backdrop. The shadows fall softly, each visible eye has one clean catchlight, and a neutral white balance leaves \
      the skin its true colour.
      """
    case .white, .transparent, .colour:
      """
      A large softbox, a little above eye level and forty-five degrees to the \(side) of the picture, is the key \
      light; a reflector opposite keeps the shadows open. The background is lit by itself and evenly, and none of its \
      light or colour falls on hair, skin or clothes. The shadows fall softly on the person alone, each visible eye has \
      one clean catchlight, and a neutral white balance leaves the skin its true colour.
      """
    case .casual, .keep:
      """
      The light is late-afternoon daylight in open shade, soft and slightly warm, coming mainly from the \(side) of \
      the picture; pale walls around throw enough of it back that no shadow is harsh. Each visible eye has a natural \
      catchlight, and the warmth of the light never shifts the skin's own colour.
      """
    }
  }

  var surroundings: String {
    switch self {
    case .auto, .professional:
      """
      Behind the person hangs a plain seamless paper backdrop in a neutral mid-grey, a little lighter around the head \
      and falling off gently towards the corners. The person wears well-fitting business clothes in a muted solid \
      colour, such as a dark jacket over a light shirt or blouse, of the cut this person would choose; clothes of \
      faith or culture are kept.
      """
    case .white, .transparent, .colour:
      """
      Behind the person is nothing but \(flatWords), the same in every place up to all four edges of the picture: no \
      backdrop with folds, no gradient, no vignette, no shadow, no texture and no rim around the hair. The person wears \
      the clothes of the photo.
      """
    case .casual, .keep:
      """
      Far behind the person lies a quiet street with trees and a café terrace, so far out of focus that only soft \
      shapes and round highlights in green and warm tones remain. The person wears the clothes of the photo if they \
      suit such a day, otherwise plain relaxed ones, such as a knitted jumper or a shirt with an open collar; clothes \
      of faith or culture are kept.
      """
    }
  }
}
