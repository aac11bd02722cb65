import TFLite

extension Interpreter {
  /// Runs the network; a failure can only mean that it is not the network expected.
  func outputs(for input: [Float]) throws(PortraitError) -> [[Float]] {
    do throws(ModelError) {
      return try run(input)
    } catch {
      throw .modelsUnusable(error.message)
    }
  }
}
