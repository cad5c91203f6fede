/// Files of apps import this module for `CGRect` and its kin, which Linux has in Foundation.
@_exported import UIKit
