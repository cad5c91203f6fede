/// An error that consists only of its message. `Kind` distinguishes errors that callers treat differently.
package struct MessageError<Kind>: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ message: String) { description = message }
}
