import Glibc
import Localization

/// Computes the square of the headshot from the face alone.
enum CropPlanner {
  private typealias Tuning = CropTuning.Planner

  /// The side of the finished picture in pixels.
  static let headshotSize = PictureShape.usualSide

  /// The face in pixels of the whole photo.
  struct Face {
    var eyes: Point
    var width: Double
    var height: Double
    var roll: Double

    init(_ face: FaceLocation, photoWidth: Int, photoHeight: Int) {
      let (width, height) = (Double(photoWidth), Double(photoHeight))
      let left = Point(x: face.viewersLeftEye.x * width, y: face.viewersLeftEye.y * height)
      let right = Point(x: face.viewersRightEye.x * width, y: face.viewersRightEye.y * height)
      eyes = Point(x: (left.x + right.x) / 2, y: (left.y + right.y) / 2)
      roll = face.roll
      // A leaning ellipse fills a larger upright box than a level one; undo that.
      let lean = min(abs(face.roll), Tuning.largestLevelled) * .pi / 180
      let (boxWidth, boxHeight) = (face.box.width * width, face.box.height * height)
      let (along, across) = (cos(lean) * cos(lean), sin(lean) * sin(lean))
      func level(_ length: Double, _ other: Double) -> Double {
        let squared = (length * length * along - other * other * across) / (along - across)
        return max(length / 2, max(0, squared).squareRoot())
      }
      self.width = level(boxWidth, boxHeight)
      self.height = level(boxHeight, boxWidth)
    }
  }

  /// The ideal square, as if the photo had no edges.
  static func idealSquare(for face: Face, shape: PictureShape = .square) -> CropSquare {
    let limit = Tuning.maximumRotation
    let rotation = abs(face.roll) <= Tuning.naturalLean ? 0 : max(-limit, min(limit, face.roll))
    let side = max(face.height, face.width * Tuning.wideFace) / Tuning.faceHeight / shape.aspect
    let square = CropSquare(centre: face.eyes, side: side, rotation: rotation)
    let down = square.directions.down
    let distance = (0.5 - shape.eyeHeight) * side
    return CropSquare(
      centre: Point(x: face.eyes.x + down.x * distance, y: face.eyes.y + down.y * distance), side: side,
      rotation: rotation)
  }

  static func plan(
    for location: FaceLocation, photoWidth: Int, photoHeight: Int, shape: PictureShape = .square
  ) throws(PortraitError) -> HeadshotPlan {
    guard photoWidth > 0, photoHeight > 0, shape.isPlausible else { throw .malformedImage }
    guard isPlausible(location) else { throw .noFace }
    if shape.placement == .wholeFrame {
      return wholeFramePlan(for: location, photoWidth: photoWidth, photoHeight: photoHeight, shape: shape)
    }
    let face = Face(location, photoWidth: photoWidth, photoHeight: photoHeight)
    guard face.width >= Tuning.minimumFaceWidth else { throw .faceTooSmall(pixels: max(0, Int(face.width))) }
    let square = square(for: face, location, photoWidth: photoWidth, photoHeight: photoHeight, shape: shape)
    let region = region(around: square, photoWidth: photoWidth, photoHeight: photoHeight)
    // A larger picture may show less of the photo, but not with fewer pixels than the photo has.
    let needed =
      shape.longestSide > headshotSize ? Double(shape.longestSide) / CropTuning.Fitter.smallestSize : Double(headshotSize)
    let scale = min(1, needed / square.side)
    return HeadshotPlan(
      region: region, scale: scale, square: square,
      faceBox: inPhoto(location.box, photoWidth, photoHeight),
      otherBoxes: location.others.map { inPhoto($0, photoWidth, photoHeight) }, face: location,
      warnings: location.warnings + resolutionWarnings(face) + eyeWarnings(location, shape), shape: shape)
  }

  /// The square around the whole photo, which shows nothing beyond it.
  private static func wholeFramePlan(
    for location: FaceLocation, photoWidth: Int, photoHeight: Int, shape: PictureShape
  ) -> HeadshotPlan {
    let side = Double(max(photoWidth, photoHeight))
    let asked = shape.longestSide
    let shape = PictureShape.wholeFrame(width: photoWidth, height: photoHeight, longestSide: shape.longestSide)
    return HeadshotPlan(
      region: PixelRectangle(x: 0, y: 0, width: photoWidth, height: photoHeight),
      scale: min(1, Double(max(headshotSize, shape.longestSide)) / side),
      square: CropSquare(
        centre: Point(x: Double(photoWidth) / 2, y: Double(photoHeight) / 2), side: side, rotation: 0),
      faceBox: inPhoto(location.box, photoWidth, photoHeight),
      otherBoxes: location.others.map { inPhoto($0, photoWidth, photoHeight) }, face: location,
      warnings: shape.longestSide < asked && asked > headshotSize ? [smallPhoto(photoWidth, photoHeight)] : [],
      shape: shape)
  }

  private static func smallPhoto(_ width: Int, _ height: Int) -> PortraitWarning {
    PortraitWarning(
      kind: .sizeDiffers,
      message: "The photo has fewer pixels than were asked for, so the picture has \(width) × \(height) pixels. "
        + "A photo with a higher resolution gives a larger picture.")
  }

  private static func inPhoto(_ box: Rectangle, _ photoWidth: Int, _ photoHeight: Int) -> Rectangle {
    Rectangle(
      x: box.x * Double(photoWidth), y: box.y * Double(photoHeight), width: box.width * Double(photoWidth),
      height: box.height * Double(photoHeight))
  }

  private static func square(
    for face: Face, _ location: FaceLocation, photoWidth: Int, photoHeight: Int, shape: PictureShape
  ) -> CropSquare {
    guard case .passport(let geometry) = shape.placement, let measures = location.measures else {
      return idealSquare(for: face, shape: shape)
    }
    let chin = Point(x: measures.chin.x * Double(photoWidth), y: measures.chin.y * Double(photoHeight))
    return geometry.square(eyes: face.eyes, chin: chin, roll: face.roll)
  }

  /// A network can return anything. Only values that are possible for a face in this photo are accepted.
  private static func isPlausible(_ face: FaceLocation) -> Bool {
    let boxes = [face.box] + face.others
    let numbers = boxes.flatMap { [$0.x, $0.y, $0.width, $0.height] }
    let eyes = [face.viewersLeftEye.x, face.viewersLeftEye.y, face.viewersRightEye.x, face.viewersRightEye.y]
    return (numbers + eyes).allSatisfy(Tuning.plausible.contains) && face.box.width > 0 && face.box.height > 0
      && (-180...180).contains(face.roll) && face.yaw.isFinite
  }

  /// The part of the photo that contains the square and its surroundings, in whole pixels; never empty.
  private static func region(around square: CropSquare, photoWidth: Int, photoHeight: Int) -> PixelRectangle {
    let bounds = square.scaled(by: Tuning.surroundings).bounds
    func span(_ start: Double, _ length: Double, _ limit: Int) -> (Int, Int) {
      let first = max(0, min(Double(limit - 1), start.rounded(.down)))
      let last = max(first + 1, min(Double(limit), (start + length).rounded(.up)))
      return (Int(first), Int(last - first))
    }
    let (x, width) = span(bounds.x, bounds.width, photoWidth)
    let (y, height) = span(bounds.y, bounds.height, photoHeight)
    return PixelRectangle(x: x, y: y, width: width, height: height)
  }

  private static func eyeWarnings(_ face: FaceLocation, _ shape: PictureShape) -> [PortraitWarning] {
    // The rules of a passport say so themselves.
    if case .passport = shape.placement { return [] }
    guard let measures = face.measures, abs(face.yaw) <= FaceTuning.Eyes.largestYaw else { return [] }
    guard measures.eyeOpening < FaceTuning.Eyes.narrowest else { return [] }
    return [
      PortraitWarning(
        kind: .eyesClosed,
        message: "An eye is closed or nearly so, and the picture keeps it so. "
          + "A photo with both eyes open gives a better picture.")
    ]
  }

  private static func resolutionWarnings(_ face: Face) -> [PortraitWarning] {
    let pixels = Int(face.width)
    if face.width < Tuning.poorFaceWidth {
      return [
        PortraitWarning(
          kind: .lowResolution,
          message: "The face is only \(pixels) pixels wide, so the picture will look clearly blurred. "
            + "Please use a photo taken much closer.")
      ]
    }
    if face.width < Tuning.comfortableFaceWidth {
      return [
        PortraitWarning(
          kind: .lowResolution,
          message: "The face is \(pixels) pixels wide, so the picture will be a little soft. "
            + "A photo taken closer, with a face of at least \(Int(Tuning.comfortableFaceWidth)) pixels, would be sharper.")
      ]
    }
    return []
  }
}
