import AtelierProtocol

/// Which way the person looks in a headshot, in words. Left and right are the viewer's: a negative angle points the
/// nose at the left edge of the picture, as in the headshots made on this machine.
struct HeadshotTurn {
  private let name: Angle.Name
  /// 0…90 in steps of five: a model tells no finer ones apart.
  private let degrees: Int
  private let isLeft: Bool

  init(_ angle: Angle) {
    name = angle.nearestName
    let rounded = Int((abs(angle.value) * 18).rounded()) * 5
    // The two edges of the front round to what the other names begin with.
    degrees = name == .front ? min(rounded, 20) : rounded
    isLeft = angle.value < 0
  }

  private var side: String { isLeft ? "left" : "right" }
  private var otherSide: String { isLeft ? "right" : "left" }

  /// How head and shoulders are held, and where the eyes look.
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

  /// What lies where in the frame.
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
