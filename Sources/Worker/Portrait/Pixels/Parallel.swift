import Dispatch

/// Work on two threads at the same time: on parts of a picture, or on two independent things.
enum Parallel {
  /// Calls `work` with the parts of `0..<length`, two at a time, and waits for all. More parts than two help where some
  /// take much longer than others.
  @inline(__always)
  static func forEachPart(of length: Int, parts: Int = 2, _ work: @Sendable (Range<Int>) -> Void) {
    DispatchQueue.concurrentPerform(iterations: parts) { part in
      work(part * length / parts..<(part + 1) * length / parts)
    }
  }

  /// What `make` makes of the two halves of `values`, in order.
  static func map<Value: Sendable, Result>(
    _ values: [Value], _ make: @Sendable (ArraySlice<Value>) -> [Result]
  ) -> [Result] {
    var halves: [[Result]] = [[], []]
    halves.withUnsafeMutableBufferPointer { halves in
      // Each half writes only its own element.
      nonisolated(unsafe) let halves = halves
      DispatchQueue.concurrentPerform(iterations: 2) { half in
        halves[half] = make(values[half * values.count / 2..<(half + 1) * values.count / 2])
      }
    }
    return halves[0] + halves[1]
  }

  /// The results of two functions that run at the same time.
  static func both<First, Second>(
    _ first: @Sendable () -> First, _ second: @Sendable () -> Second
  ) -> (First, Second) {
    var (left, right): (First?, Second?) = (nil, nil)
    withUnsafeMutablePointer(to: &left) { left in
      withUnsafeMutablePointer(to: &right) { right in
        // Each iteration writes only the result of its own function.
        nonisolated(unsafe) let (left, right) = (left, right)
        DispatchQueue.concurrentPerform(iterations: 2) { index in
          if index == 0 { left.pointee = first() } else { right.pointee = second() }
        }
      }
    }
    // Both have been written.
    guard let left, let right else { return (first(), second()) }
    return (left, right)
  }
}
