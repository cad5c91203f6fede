/// Files of apps import this module for `CGRect` and similar types, which Linux has in Foundation.
@_exported import UIKit
