/// Why a run could not measure what it was asked for: one line.
struct PassError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
