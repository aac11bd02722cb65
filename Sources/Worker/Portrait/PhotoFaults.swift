/// What is wrong with many photos, and not with the person: corrected where that is certain, told where it is not.
extension HeadshotMaker {
  func isOutOfFocus(_ face: Rectangle, in image: Plane<Colour>) -> Bool {
    guard plan.faceBox.width >= FaceTuning.Sharpness.minimumFaceWidth else { return false }
    guard let sharpness = FaceSharpness.value(of: face, in: image) else { return false }
    return sharpness < FaceTuning.Sharpness.outOfFocus
  }

  /// The pixels of the square, or of some of its columns, without what a flash or the compression of the photo did to
  /// them.
  /// - Parameter size: the side of the whole square in pixels.
  func crop(
    _ square: CropSquare, of region: PhotoRegion, size: Int = CropPlanner.headshotSize, columns: Range<Int>? = nil
  ) -> PixelImage {
    let image = isEnlarged(square, to: size) ? Deblocker.deblocked(region.image) : region.image
    var crop = CropResampler.image(of: square, in: image, size: size, columns: columns)
    let face = faces(in: square, region, size: size).wanted
    let (across, down) = (plan.faceBox.width / plan.face.box.width, plan.faceBox.height / plan.face.box.height)
    for eye in [plan.face.viewersLeftEye, plan.face.viewersRightEye] {
      let inRegion = region.placed(Rectangle(x: eye.x * across, y: eye.y * down, width: 0, height: 0))
      let place = square.position(of: inRegion.centre)
      let column = place.x * Double(size) - Double(columns?.lowerBound ?? 0)
      RedEye.correct(&crop, eye: Point(x: column, y: place.y * Double(size)), faceWidth: face.width)
    }
    return crop
  }

  /// The last step for what is shown of `square`, in pixels of the region, in a picture of `size` pixels.
  func sharpener(_ square: CropSquare, of region: PhotoRegion, size: Int) -> Sharpener {
    var sharpener = Sharpener.forFace(ofWidth: plan.faceBox.width, before: options.background.behind)
    if sharpener.amount > 0, isEnlarged(square, to: size) {
      sharpener.amount *= 1 - Deblocker.blockiness(of: region.image)
    }
    return sharpener
  }

  /// Whether enlarging makes the blocks of a compressed photo visible.
  private func isEnlarged(_ square: CropSquare, to size: Int) -> Bool {
    square.side * PhotoTuning.Deblocker.leastEnlargement < Double(size)
  }
}
