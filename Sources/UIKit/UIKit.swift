import CollectionLayout
// UIKit re-exports Foundation: a file that imports only UIKit uses IndexPath, CGRect and NSCoder.
@_exported import Foundation

/// Ends the program as an exception of UIKit does, in release builds too.
func raise(_ message: String) -> Never { fatalError(message) }

/// Ends the program if an engine refuses a call that raises an exception in UIKit.
func mustSucceed<Value, Refusal: Error>(_ body: () throws(Refusal) -> Value) -> Value {
  do throws(Refusal) { return try body() } catch { raise("\(error)") }
}

/// Within `UIView` the name means UIKit's own options.
typealias ItemAnimation = CollectionLayout.AnimationOptions
