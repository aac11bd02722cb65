import Glibc
import TFLite

/// A network of the operator that finds the person in a square picture.
///
/// Nothing of it is trusted: what it gives is checked each time, and one that has failed is not asked again. Do not use it
/// from two tasks at once.
public final class PersonNetwork {
  /// What it takes for a colour between 0 and 1.
  public enum Values: Sendable {
    case unit
    case signed
    case bytes
    case imagenet
  }

  /// What its first result says of each pixel.
  public enum Output: Sendable {
    case person
    case logOdds
    /// The first class is the background.
    case classes
  }

  /// Why it cannot be used.
  public enum Failure: Error, Sendable, Equatable {
    case otherDigest
    case model(ModelError)
    /// The shapes of its input and output.
    case shapes(input: [Int], output: [Int])
    /// The least and the largest number of its output, or nil when some is none.
    case values(ClosedRange<Float>?)
  }

  /// The lengths of the axes of a square picture, and whether its channels come before its rows.
  private struct Layout {
    let side: Int
    let channels: Int
    let channelsFirst: Bool

    init?(_ shape: [Int]) {
      let shape = shape.count == 3 ? shape + [1] : shape
      guard shape.count == 4, shape[0] == 1 else { return nil }
      if shape[1] == shape[2] {
        (side, channels, channelsFirst) = (shape[1], shape[3], false)
      } else if shape[2] == shape[3] {
        (side, channels, channelsFirst) = (shape[2], shape[1], true)
      } else {
        return nil
      }
    }

    /// Where a channel of a pixel is.
    func index(_ pixel: Int, _ channel: Int) -> Int {
      channelsFirst ? channel * side * side + pixel : pixel * channels + channel
    }
  }

  /// The sides that are accepted: smaller ones show no outline, larger ones take seconds.
  private static let sides = 32...1024
  /// Rounding takes a network's numbers a little beyond 0 and 1.
  private static let tolerance: Float = 0.02

  public let name: String
  /// Whether its answer takes the place of the embedded networks' instead of being one among them.
  public let isMatte: Bool
  /// The first failure, after which it is not asked any more.
  public private(set) var failure: Failure?
  private let values: Values
  private let output: Output
  private let interpreter: Interpreter
  private let input: Layout
  private let result: Layout

  /// The side of the picture that it looks at.
  public var inputSide: Int { input.side }

  /// - Parameters:
  ///   - bytes: a `.tflite` file.
  ///   - digest: the file's SHA-256 in lowercase hexadecimal digits.
  public init(
    name: String, bytes: [UInt8], digest: String, isMatte: Bool, values: Values, output: Output
  ) throws(Failure) {
    guard SHA256.hexDigest(of: bytes) == digest else { throw .otherDigest }
    do throws(ModelError) {
      interpreter = try Interpreter(model: bytes, cores: 2)
    } catch {
      throw .model(error)
    }
    let shapes = (input: interpreter.inputShape, output: interpreter.outputShapes.first ?? [])
    guard let input = Layout(shapes.input), input.channels == 3, Self.sides.contains(input.side),
      let result = Layout(shapes.output), Self.sides.contains(result.side),
      output == .classes ? result.channels > 1 : result.channels == 1
    else { throw .shapes(input: shapes.input, output: shapes.output) }
    (self.name, self.isMatte, self.values, self.output) = (name, isMatte, values, output)
    (self.input, self.result) = (input, result)
  }

  /// Looks at a picture that is bright in the middle, as a test.
  public func tryOnce() throws(Failure) {
    let side = input.side
    let colours = (0..<side * side).flatMap { pixel in
      let (x, y) = (Float(pixel % side) / Float(side) - 0.5, Float(pixel / side) / Float(side) - 0.5)
      let bright = max(0, 1 - 3 * (x * x + y * y).squareRoot())
      return [0.2 + 0.7 * bright, 0.2 + 0.5 * bright, 0.3 + 0.3 * bright]
    }
    _ = try person(in: colours)
  }

  /// What it takes for the person, 0…1, on the grid of the square.
  /// - Returns: nil when it fails or has failed.
  func opinion(on square: CropSquare, in sampler: Sampler, size: Int) -> Plane<Float>? {
    guard failure == nil else { return nil }
    let field = CropRectangle(square.scaled(by: MatteTuning.Secondary.salienceView))
      .inside(width: Double(sampler.image.width), height: Double(sampler.image.height))
    do throws(Failure) {
      let person = try person(in: sampler.squeezed(field, size: input.side, outside: .nearest))
      return SecondarySegmenter.plane(person, of: field, on: square, size: size)
    } catch {
      failure = error
      return nil
    }
  }

  /// - Parameter colours: three numbers 0…1 for each pixel.
  private func person(in colours: [Float]) throws(Failure) -> [Float] {
    let numbers: [Float]
    do throws(ModelError) {
      guard let first = try interpreter.run(asked(colours)).first else { return [] }
      numbers = first
    } catch {
      throw .model(error)
    }
    guard let (least, largest) = Self.ends(of: numbers) else { throw .values(nil) }
    switch output {
    case .person:
      guard least >= -Self.tolerance, largest <= 1 + Self.tolerance else { throw .values(least...largest) }
      return numbers.map { min(1, max(0, $0)) }
    case .logOdds: return numbers.map(SecondarySegmenter.probability)
    case .classes: return (0..<result.side * result.side).map { 1 - background(numbers, $0) }
    }
  }

  /// The first class's part of all.
  private func background(_ numbers: [Float], _ pixel: Int) -> Float {
    let scores = (0..<result.channels).map { numbers[result.index(pixel, $0)] }
    let highest = scores.max() ?? 0
    let parts = scores.map { expf($0 - highest) }
    return parts[0] / parts.reduce(0, +)
  }

  private func asked(_ colours: [Float]) -> [Float] {
    let scaled: [Float] =
      switch values {
      case .unit: colours
      case .signed: colours.map { $0 * 2 - 1 }
      case .bytes: colours.map { $0 * 255 }
      case .imagenet: SecondarySegmenter.normalised(colours)
      }
    guard input.channelsFirst else { return scaled }
    var planes = scaled
    for index in scaled.indices { planes[input.index(index / 3, index % 3)] = scaled[index] }
    return planes
  }

  /// Nil when there is a number that is none, or infinite.
  private static func ends(of numbers: [Float]) -> (least: Float, largest: Float)? {
    guard let first = numbers.first, numbers.allSatisfy(\.isFinite) else { return nil }
    return numbers.reduce((first, first)) { (min($0.0, $1), max($0.1, $1)) }
  }
}

extension [PersonNetwork] {
  /// The mean of the embedded networks' views and of the votes.
  func voted(_ mean: Plane<Float>, on square: CropSquare, in sampler: Sampler) -> Plane<Float> {
    var (sum, count) = (mean, Float(1))
    for network in self where !network.isMatte {
      guard let vote = network.opinion(on: square, in: sampler, size: mean.width) else { continue }
      for index in sum.values.indices { sum.values[index] += vote.values[index] }
      count += 1
    }
    return count == 1 ? mean : sum.map { $0 / count }
  }

  /// What takes the place of all other networks; nil when there is none, or it fails.
  func matte(on square: CropSquare, in sampler: Sampler, size: Int) -> Plane<Float>? {
    first { $0.isMatte }?.opinion(on: square, in: sampler, size: size)
  }
}
