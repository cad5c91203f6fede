// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// These names are from before Swift 4.2. Files of that time still use them.
public typealias UICollectionViewScrollDirection = UICollectionView.ScrollDirection
public typealias UICollectionViewScrollPosition = UICollectionView.ScrollPosition
public typealias UICollectionUpdateAction = UICollectionViewUpdateItem.Action
public typealias UIPushBehaviorMode = UIPushBehavior.Mode
public typealias UICollisionBehaviorMode = UICollisionBehavior.Mode

public var UICollectionElementKindSectionHeader: String { UICollectionView.elementKindSectionHeader }
public var UICollectionElementKindSectionFooter: String { UICollectionView.elementKindSectionFooter }
public var UIScrollViewDecelerationRateNormal: CGFloat { UIScrollView.DecelerationRate.normal.rawValue }
public var UIScrollViewDecelerationRateFast: CGFloat { UIScrollView.DecelerationRate.fast.rawValue }
public var UICollectionViewFlowLayoutAutomaticSize: CGSize { UICollectionViewFlowLayout.automaticSize }

public func UIEdgeInsetsMake(_ top: CGFloat, _ left: CGFloat, _ bottom: CGFloat, _ right: CGFloat) -> UIEdgeInsets {
  UIEdgeInsets(top: top, left: left, bottom: bottom, right: right)
}

public func UIEdgeInsetsInsetRect(_ rect: CGRect, _ insets: UIEdgeInsets) -> CGRect { rect.inset(by: insets) }

/// A C macro of Darwin. Layouts use it as the initial value when they search for a minimum.
public let MAXFLOAT: Float = .greatestFiniteMagnitude

/// Objective-C's name for `Int`, which Foundation has on Apple's systems only.
public typealias NSInteger = Int
