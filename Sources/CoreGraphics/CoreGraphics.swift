/// Files of apps import this module for `CGRect` and similar types, which UIKit exports from Foundation.
@_exported import UIKit
