import SystemCalls

/// What this process has allocated and not freed. It says something about one thing only in a process that does nothing
/// else.
public enum AllocatedMemory {
  public static var bytes: Int { Int(system_calls_allocated_bytes()) }

  /// How much more is allocated than `before`, once no more than `most` is, or after a time in which everything has gone
  /// that goes by itself.
  public static func growth(since before: Int, atMost most: Int) async -> Int {
    for _ in 0..<100 where bytes - before > most { try? await Task.sleep(for: .milliseconds(100)) }
    return bytes - before
  }
}
