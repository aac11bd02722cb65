import AtelierProtocol

extension View {
  /// From where a hairstyle is seen, and what of it. Left and right are the viewer's.
  var hairstylePose: String {
    switch self {
    case .front:
      """
      Show the front view: the person faces the camera squarely, head and shoulders turned to neither side, so that \
      both halves of the face show equally and the eyes look straight into the lens. The hairline or fringe, the \
      parting, both temples and the fall of the hair on either side of the face are seen.
      """
    case .left, .right:
      """
      Show the \(rawValue) profile: head and shoulders are turned ninety degrees to the viewer's \(rawValue), which is \
      the person's own \(otherSide), so that the nose points towards the \(rawValue) edge of the picture, only the \
      person's \(rawValue) cheek, eye and ear are seen, and the gaze follows the nose. The line of the cut from \
      the forehead over the temple and the ear down to the nape, and the outline of the crown, are seen.
      """
    case .back:
      """
      Show the back view: the person is turned a hundred and eighty degrees, away from the camera, which looks \
      squarely at the back of the head and of the shoulders; nothing of the face is seen, neither in profile nor \
      reflected. The crown, the back of both ears where the hair leaves them free, the nape, the neckline and the ends \
      of the hair are seen.
      """
    }
  }

  private var otherSide: String { self == .left ? "right" : "left" }
}
