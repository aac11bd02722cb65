/// What the face of a headshot says. The pictures of one request differ in it, as frames of one sitting do.
enum HeadshotExpression: Int, CaseIterable {
  case approachable, warm, thoughtful, lively

  /// - Parameter variation: of the request's pictures; beyond the last expression it begins again.
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
