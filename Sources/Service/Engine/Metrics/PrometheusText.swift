/// Builds a text in the exposition format of Prometheus, version 0.0.4.
struct PrometheusText {
  enum Kind: String {
    case counter, gauge, histogram
  }

  private(set) var text = ""

  /// Adds a metric that has one value for each combination of labels.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [(String, String)], value: String)]
  ) {
    begin(name, kind, help)
    for sample in samples { addSample(name, sample.labels, sample.value) }
  }

  /// Adds a metric without labels.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    add(name, kind, help, [([], "\(value)")])
  }

  /// One series of a histogram.
  struct Histogram {
    var labels: [(String, String)]
    /// How many values lie above the bound before and at most at this one, in the order of the bounds; milliseconds.
    var counts: [(bound: Int64, count: Int)]
    /// The sum of all values, in milliseconds.
    var milliseconds: Int64
  }

  /// Adds a histogram of durations, in seconds. The last bound stands for all longer ones.
  mutating func add(_ name: String, _ help: String, _ series: [Histogram]) {
    begin(name, .histogram, help)
    for histogram in series {
      var total = 0
      for (bound, count) in histogram.counts {
        total += count
        let edge = bound == .max ? "+Inf" : Self.seconds(bound)
        addSample("\(name)_bucket", histogram.labels + [("le", edge)], "\(total)")
      }
      addSample("\(name)_sum", histogram.labels, Self.seconds(histogram.milliseconds))
      addSample("\(name)_count", histogram.labels, "\(total)")
    }
  }

  /// Milliseconds as seconds.
  static func seconds(_ milliseconds: Int64) -> String { "\(Double(milliseconds) / 1000)" }

  private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  private mutating func addSample(_ name: String, _ labels: [(String, String)], _ value: String) {
    let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(list)} \(value)\n"
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
