import Glibc
import TFLite

/// Two other networks, asked for the person only where the views of the first leave doubts: U²-Net-p, which finds what
/// stands out of a photo, and the segmentation of MediaPipe's pose network, which looks for a body below the face.
///
/// Neither is better alone: the one misses dark clothes and takes a chair for a part of the person, the other gives
/// outlines a halo.
struct SecondarySegmenter {
  private typealias Tuning = MatteTuning.Secondary

  /// What each takes for the person, 0…1, on the grid of the square.
  struct Opinions {
    var salience: Plane<Float>
    var pose: Plane<Float>

    var all: [Plane<Float>] { [salience, pose] }
  }

  /// Each network is loaded for the photo and given up at once: most photos need none, and the rest of the work has its
  /// memory. Loading takes a thirtieth of the time of running.
  /// - Parameter face: the wanted face, in pixels of the grid of `size`.
  func opinions(
    on square: CropSquare, in sampler: Sampler, face: Rectangle, size: Int
  ) throws(PortraitError) -> Opinions {
    let wide = CropRectangle(square.scaled(by: Tuning.salienceView))
      .inside(width: Double(sampler.image.width), height: Double(sampler.image.height))
    let salience = try Self.output(of: EmbeddedModel.salience.load(cores: 2)) { side in
      Self.normalised(sampler.squeezed(wide, size: side, outside: .nearest))
    }
    let body = Self.body(below: face, on: square, size: size)
    let pose = try Self.output(of: EmbeddedModel.poseSegmentation.load()) { side in
      sampler.square(body, size: side, outside: .black)
    }
    return Opinions(
      salience: Self.plane(salience, of: wide, on: square, size: size),
      pose: Self.plane(pose.map(Self.probability), of: CropRectangle(body), on: square, size: size))
  }

  /// - Parameter input: the picture that the network looks at, of the given side.
  private static func output(of network: Interpreter, for input: (Int) -> [Float]) throws(PortraitError) -> [Float] {
    guard network.outputShapes == [Array(network.inputShape.dropLast()) + [1]] else {
      throw .modelsUnusable("The segmentation network has another output than expected.")
    }
    return try network.outputs(for: input(network.inputShape[1]))[0]
  }

  /// What U²-Net-p was trained with: the mean and the deviation of each colour over ImageNet (`data_loader.py` of U-2-Net).
  static func normalised(_ colours: [Float]) -> [Float] {
    let (means, deviations): ([Float], [Float]) = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
    return colours.indices.map { (colours[$0] - means[$0 % 3]) / deviations[$0 % 3] }
  }

  /// The square in which the pose network expects a body, of which a portrait shows the upper part: MediaPipe finds it by
  /// the hips, which no portrait shows.
  private static func body(below face: Rectangle, on square: CropSquare, size: Int) -> CropSquare {
    let unit = face.height / Double(size)
    let centre = Point(x: face.centre.x / Double(size), y: face.centre.y / Double(size) + Tuning.body.down * unit)
    return CropSquare(
      centre: square.point(centre.x, centre.y), side: Tuning.body.side * unit * square.side, rotation: square.rotation)
  }

  static func probability(_ logOdds: Float) -> Float {
    // Further out, nothing changes but the exponential overflows.
    1 / (1 + expf(-max(-30, min(30, logOdds))))
  }

  static func plane(_ values: [Float], of field: CropRectangle, on square: CropSquare, size: Int) -> Plane<Float> {
    let side = Int(Double(values.count).squareRoot())
    let grid = PersonSegmenter.Grid(
      size: size, scale: Point(x: field.width / square.side, y: field.height / square.side),
      middle: field.position(of: square.centre), fades: false)
    return PersonSegmenter.View(mask: Plane(width: side, height: side, values: values), grid: grid).plane
  }
}
