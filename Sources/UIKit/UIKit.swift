import CollectionLayout
// UIKit re-exports Foundation: a file that imports only UIKit uses IndexPath, CGRect and NSCoder.
@_exported import Foundation

/// Ends the program as an exception of UIKit does, in release builds too, and loses nothing of what it has printed.
func raise(_ message: String) -> Never {
  fflush(nil)
  fatalError(message)
}

/// Ends the program if the engine's view refuses a call that raises an exception in UIKit.
func mustSucceed<Value>(_ body: () throws(LayoutError) -> Value) -> Value {
  do throws(LayoutError) { return try body() } catch { raise("\(error)") }
}

/// Within `UIView` the name means UIKit's own options.
typealias ItemAnimation = CollectionLayout.AnimationOptions
