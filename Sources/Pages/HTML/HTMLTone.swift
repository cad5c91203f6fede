/// The colors of what is bad and of what is good, which are those of the pictures.
enum HTMLTone {
  static var sheet: String {
    """

    :root{--bad:\(Palette.series[0].light);--good:\(Palette.series[2].light)}
    @media screen and (prefers-color-scheme:dark){:root{--bad:\(Palette.series[0].dark);--good:\(Palette.series[2].dark)}}
    .bad{color:var(--bad)}
    .good{color:var(--good)}
    .lead.bad,.lead.good{color:var(--ink);border-left-color:currentColor}
    .lead.bad{border-left-color:var(--bad)}
    .lead.good{border-left-color:var(--good)}

    """
  }
}
