import AtelierProtocol

/// What a headshot's background brings with it: for whom it is taken, with what, in which light, and where.
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
    case .professional: "in the studio, for the website of a company"
    case .casual: "on an unhurried afternoon out of doors, for a personal page"
    }
  }

  var camera: String {
    switch self {
    case .professional:
      """
      The camera stands at eye level two metres away: a full-frame body with an 85 mm portrait lens at f/5.6, which \
      keeps the proportions of the face natural and holds it in crisp focus from the tip of the nose to the ears.
      """
    case .casual:
      """
      The camera stands at eye level two metres away: a full-frame body with an 85 mm portrait lens at f/2.8, focused \
      on the nearer eye, which keeps the proportions of the face natural and the whole face sharp while everything \
      behind it melts away.
      """
    }
  }

  /// - Parameter side: of the picture, as the viewer sees it.
  func light(from side: String) -> String {
    switch self {
    case .professional:
      """
      A large softbox, a little above eye level and forty-five degrees to the \(side) of the picture, is the key \
      light; a reflector opposite keeps the shadows open, and a faint rim light lifts hair and shoulders off the \
      backdrop. The shadows fall softly, each visible eye has one clean catchlight, and a neutral white balance leaves \
      the skin its true colour.
      """
    case .casual:
      """
      The light is late-afternoon daylight in open shade, soft and slightly warm, coming mainly from the \(side) of \
      the picture; pale walls around throw enough of it back that no shadow is harsh. Each visible eye has a natural \
      catchlight, and the warmth of the light never shifts the skin's own colour.
      """
    }
  }

  var surroundings: String {
    switch self {
    case .professional:
      """
      Behind the person hangs a plain seamless paper backdrop in a neutral mid-grey, a little lighter around the head \
      and falling off gently towards the corners. The person wears well-fitting business clothes in a muted solid \
      colour, such as a dark jacket over a light shirt or blouse, of the cut this person would choose; clothes of \
      faith or culture are kept.
      """
    case .casual:
      """
      Far behind the person lies a quiet street with trees and a café terrace, so far out of focus that only soft \
      shapes and round highlights in green and warm tones remain. The person wears the clothes of the photo if they \
      suit such a day, otherwise plain relaxed ones, such as a knitted jumper or a shirt with an open collar; clothes \
      of faith or culture are kept.
      """
    }
  }
}
