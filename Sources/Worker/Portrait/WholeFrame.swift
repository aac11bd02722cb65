/// What a picture of the whole photo needs besides that of a part of it: everything works on the square around the photo,
/// of which the photo is the middle columns or rows.
extension HeadshotMaker {
  var isWholeFrame: Bool { plan.shape.placement == .wholeFrame }

  /// The photo in the square around it, on a grid of `size` × `size`.
  func photoArea(of size: Int) -> PhotoArea {
    PhotoArea(photoWidth: plan.shape.width, photoHeight: plan.shape.height, size: size)
  }
}
