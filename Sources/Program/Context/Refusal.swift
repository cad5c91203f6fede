/// Refuses options that do not apply to this use of the command.
/// - Parameter options: Those that were given, by name.
func refuse(_ options: [String], because reason: String, remedy: String) throws(UsageError) {
  guard !options.isEmpty else { return }
  throw UsageError(options.joined(separator: ", "), reason, remedy: remedy)
}
