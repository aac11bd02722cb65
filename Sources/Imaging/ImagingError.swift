import AtelierProtocol

/// Why a picture could not be read, prepared or made: the service's one error type.
public typealias ImagingError = AtelierError
