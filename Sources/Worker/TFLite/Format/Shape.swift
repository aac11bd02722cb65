/// The lengths of a tensor's axes, outermost first; images are batch, height, width, channels.
struct Shape: Equatable, CustomStringConvertible {
  /// Far more than any tensor of the embedded models has; a model that exceeds it is refused.
  static let maximumElements = 1 << 25

  let axes: [Int]
  let elements: Int

  init(_ axes: [Int]) throws(ModelError) {
    guard axes.count <= 4 else { throw .unsupported("a tensor of \(axes.count) axes") }
    var elements = 1
    for axis in axes {
      guard axis > 0, axis <= Self.maximumElements, elements <= Self.maximumElements / axis else {
        throw .malformed("a tensor's shape is \(axes)")
      }
      elements *= axis
    }
    self.axes = axes
    self.elements = elements
  }

  var description: String { "\(axes)" }

  /// The axes of an image; shorter shapes are padded with ones from the outside.
  var batch: Int { axis(3) }
  var height: Int { axis(2) }
  var width: Int { axis(1) }
  var channels: Int { axis(0) }

  /// The length of the axis `fromEnd` positions before the last one; 1 if there is none.
  func axis(_ fromEnd: Int) -> Int {
    fromEnd < axes.count ? axes[axes.count - 1 - fromEnd] : 1
  }

  static func == (left: Shape, right: Shape) -> Bool { left.axes == right.axes }
}
