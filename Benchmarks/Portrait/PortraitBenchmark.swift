import CEmbedded
import Foundation
import Portrait
import TFLite

/// The networks and the studio alone, without the worker, libvips or pipes: `portrait-benchmark PHOTO.ppm [ROUNDS]`.
///
/// Writes a JSON object: milliseconds of each network's run and of each stage of a headshot, the minima of the rounds.
@main
enum PortraitBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first, let photo = PixelImage(ppm: [UInt8](try Data(contentsOf: URL(filePath: path)))) else {
      throw Usage()
    }
    let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 10
    var figures: [String: Double] = [:]
    for (name, model) in networks {
      let interpreter = try Interpreter(model: Array(UnsafeBufferPointer(start: model.bytes, count: model.size)))
      let input = [Float](repeating: 0.5, count: interpreter.inputShape.reduce(1, *))
      figures[name] = try shortest(rounds) { _ = try interpreter.run(input) }
    }
    let studio = try Studio()
    for _ in 0..<rounds {
      for (stage, milliseconds) in try stages(of: photo, by: studio) {
        figures[stage] = min(figures[stage] ?? .infinity, milliseconds)
      }
    }
    print(String(decoding: try JSONSerialization.data(withJSONObject: figures, options: .sortedKeys), as: UTF8.self))
  }

  private static var networks: [(String, embedded_file)] {
    [
      ("face_detection_short_range", embedded_face_detection()), ("face_landmark", embedded_face_landmark()),
      ("pose_segmentation", embedded_pose_segmentation()), ("selfie_segmentation", embedded_selfie_segmentation()),
      ("u2netp", embedded_u2netp()),
    ]
  }

  /// The milliseconds of each stage, by name.
  private static func stages(of photo: PixelImage, by studio: Studio) throws -> [String: Double] {
    var marks = [("locating", ContinuousClock.now)]
    let face = try studio.locateFace(in: photo)
    let plan = try studio.plan(for: face, photoWidth: photo.width, photoHeight: photo.height)
    let region = PhotoRegion(image: photo.cut(plan.region), area: Rectangle(plan.region))
    _ = try studio.headshot(region: region, plan: plan, options: HeadshotOptions(background: .professional)) { stage, _ in
      marks.append((stage.rawValue, .now))
    }
    var figures: [String: Double] = [:]
    for ((stage, start), end) in zip(marks, marks.dropFirst().map(\.1)) {
      figures[stage, default: 0] += start.duration(to: end) / .milliseconds(1)
    }
    return figures
  }

  private static func shortest(_ rounds: Int, _ work: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<rounds { least = min(least, try ContinuousClock().measure(work) / .milliseconds(1)) }
    return least
  }

  private struct Usage: Error, CustomStringConvertible {
    var description: String { "usage: portrait-benchmark PHOTO.ppm [ROUNDS]; the photo needs no scaling down" }
  }
}

extension PixelImage {
  /// A binary Netpbm file whose header has three lines.
  fileprivate init?(ppm bytes: [UInt8]) {
    let lines = bytes.prefix(64).split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0].elementsEqual("P6".utf8) else { return nil }
    let sides = String(decoding: lines[1], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    let pixels = Array(bytes[lines.prefix(3).reduce(0, { $0 + $1.count + 1 })...])
    guard sides.count == 2, pixels.count == sides[0] * sides[1] * 3 else { return nil }
    self.init(width: sides[0], height: sides[1], pixels: pixels)
  }

  fileprivate func cut(_ part: PixelRectangle) -> PixelImage {
    let rows = (part.y..<part.y + part.height).map { y in
      pixels[(y * width + part.x) * 3..<(y * width + part.x + part.width) * 3]
    }
    return PixelImage(width: part.width, height: part.height, pixels: Array(rows.joined()))
  }
}
