import AtelierProtocol

extension AtelierError {
  static var storageFull: AtelierError { AtelierError(.storageFull) }

  static var storeBusy: AtelierError {
    AtelierError(
      .overloaded, "The history is busy with other processes. Please wait a moment and try again.", retryAfterMs: 1000)
  }

  static var storeUnusable: AtelierError {
    AtelierError(.internal, "The data directory cannot be used: run `atelier doctor` to see why and what to do.")
  }

  static var storeDamaged: AtelierError {
    AtelierError(.internal, "The history database is damaged: run `atelier doctor` to see what to do.")
  }

  static var storeClosed: AtelierError {
    AtelierError(.internal, "The service is ending and its history is closed: start it again and try again.")
  }

  static var fileAltered: AtelierError {
    AtelierError(
      .internal, "A stored image is damaged: generate it again, and run `atelier doctor` to see what else is.")
  }
}
