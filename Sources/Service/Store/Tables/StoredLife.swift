/// The stored state of a generation, and the process that owns it.
struct StoredLife {
  var generation: GenerationLifecycle
  var process: ProcessID
}
