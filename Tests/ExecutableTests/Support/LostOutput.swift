import Testing

/// What becomes of a command whose output cannot be written.
enum LostOutput {
  /// Expects that the command prints something, and without an output ends with 1 and one sentence; without one where nobody
  /// reads any more.
  /// - Parameter run: runs it with what it needs to print something, once more each time.
  static func expect(
    of name: String, _ run: (_ output: Executable.Output) async throws -> Executable.Outcome
  ) async throws {
    let whole = try await run(.kept)
    try #require(whole.status == 0 && !whole.output.isEmpty, "\(name): \(whole.status) \(whole.errors)")
    for output in [Executable.Output.fullDisk, .closedPipe, .none] {
      let outcome = try await run(output)
      #expect(outcome.status == 1, "\(name) to \(output): \(outcome.errors)")
      let told = outcome.errors.split(separator: "\n").filter { $0.contains("standard output") }
      let expected = output == .fullDisk ? "atelier: Could not write to standard output: No space left on device." : nil
      if output == .none { #expect(told.count == 1, "\(name): \(outcome.errors)") } else {
        #expect(told.map(String.init) == [expected].compactMap { $0 }, "\(name) to \(output): \(outcome.errors)")
      }
    }
  }
}
