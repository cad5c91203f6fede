/// The style sheet of the HTML report. Its colors match the pictures.
extension HTMLPage {
  package static var styleSheet: String {
    """

    :root{color-scheme:light dark;\(variables(\.light))}
    @media screen and (prefers-color-scheme:dark){:root{\(variables(\.dark))}}
    *{box-sizing:border-box}
    html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
    body{margin:0;background:var(--page);color:var(--ink);
    font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif}
    main{max-width:60rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}
    h1{font-size:1.75rem;line-height:1.25;margin:0 0 1rem}
    h2{font-size:1.35rem;margin:3rem 0 .75rem;padding-bottom:.3rem;border-bottom:1px solid var(--grid)}
    h3{font-size:1.1rem;margin:2.25rem 0 .75rem}
    h1,h2,h3,p,li{overflow-wrap:anywhere}
    p{margin:.75rem 0}
    .lead{font-size:1.15rem;line-height:1.45;padding:.75rem 1rem;margin:1rem 0;background:var(--panel);
    border-left:4px solid var(--link);border-radius:0 6px 6px 0}
    .lead strong{font-weight:600}
    a{color:var(--link)}
    :focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:2px}
    code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.88em}
    code{background:var(--panel);padding:.1em .3em;border-radius:4px}
    pre{background:var(--panel);padding:.75rem 1rem;border-radius:6px;overflow-x:auto}
    pre code{background:none;padding:0}
    ul,ol{padding-left:1.4rem}
    sup{line-height:0}
    sup a{text-decoration:none;padding:0 .12em}
    summary{cursor:pointer;color:var(--link);padding:.3rem 0}
    .notes{color:var(--muted);font-size:.9rem}
    .notes li:target{color:var(--ink);font-weight:600}
    nav{font-size:.9rem;max-width:60rem;margin:0 auto;padding:1rem 1.25rem 0}
    nav summary{font-weight:600;color:var(--muted)}
    nav ul{list-style:none;padding:0;margin:.25rem 0;columns:14rem}
    nav li{margin:.2rem 0;break-inside:avoid;overflow-wrap:anywhere}
    nav .l3{padding-left:.9rem}
    nav a{text-decoration:none}
    nav a:hover{text-decoration:underline}
    @media (min-width:80rem){
    body:has(>nav){display:grid;grid-template-columns:12rem minmax(0,74rem);justify-content:center;column-gap:1.5rem}
    nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;margin:0;padding:1.75rem 0 1rem 1rem}
    nav ul{columns:auto}
    nav+main{margin:0;width:100%;max-width:74rem}
    }
    @media print{nav,.filter{display:none}main{max-width:none;padding:0}}
    .scroll{overflow-x:auto;margin:.75rem 0;border:1px solid var(--grid);border-radius:6px;max-width:100%;
    width:fit-content}
    table{border-collapse:separate;border-spacing:0;font-size:.84rem;line-height:1.4;font-variant-numeric:tabular-nums}
    th,td{padding:.32rem .36rem;text-align:left;white-space:nowrap;border-bottom:1px solid var(--grid)}
    tbody tr:last-child>*{border-bottom:0}
    tbody th{font-weight:400;position:sticky;left:0;background:var(--page)}
    thead th{font-weight:600;background:var(--panel);vertical-align:bottom;white-space:normal;max-width:14rem;
    overflow-wrap:break-word}
    thead td{background:var(--panel)}
    tbody tr:hover>*{background:var(--panel)}
    .n{text-align:right}
    @media (max-width:66rem){.extra{display:none}}
    td.long{white-space:normal;min-width:18rem;overflow-wrap:anywhere}
    td code{font-size:.8em;padding:.1em .2em}
    thead button{all:unset;cursor:pointer;font:inherit;box-sizing:border-box}
    thead button:focus-visible{outline:2px solid var(--link);outline-offset:2px}
    thead button::after{content:"\\2195";opacity:.35;margin-left:.3em;font-size:.85em}
    thead [aria-sort=ascending] button::after{content:"\\2191";opacity:1}
    thead [aria-sort=descending] button::after{content:"\\2193";opacity:1}
    .reordered td:empty::before{content:attr(data-same);color:var(--muted)}
    .filter{display:block;margin:.75rem 0 -.25rem;font-size:.88rem;color:var(--muted)}
    .filter input[type=number]{width:6em}
    .filter input{font:inherit;color:var(--ink);background:var(--page);border:1px solid var(--axis);
    border-radius:6px;padding:.3rem .6rem;margin-left:.4rem;width:14rem;max-width:100%}
    @media (max-width:40rem){
    main{padding:1rem .5rem 3rem}
    nav{padding:.75rem .5rem 0}
    h1{font-size:1.45rem}
    .lead{font-size:1.05rem}
    th,td{padding:.3rem .5rem}
    tbody th{white-space:normal;max-width:9.5rem;overflow-wrap:break-word}
    tbody th code{overflow-wrap:anywhere}
    }
    .chart{margin:1rem 0;position:relative}
    .chart svg{display:block;max-width:100%;height:auto;touch-action:pan-y}
    .chart .narrow{display:none}
    .tip{position:absolute;z-index:1;pointer-events:none;background:var(--page);border:1px solid var(--axis);
    border-radius:6px;padding:.35rem .6rem;font-size:.82rem;line-height:1.4;white-space:nowrap;
    font-variant-numeric:tabular-nums;box-shadow:0 2px 8px #0003;max-width:100%;overflow:hidden}
    .tip b{display:block}
    .tip .name{font-weight:600;margin-right:.4em}
    @media (max-width:48rem){.chart .wide{display:none}.chart .narrow{display:block;max-width:30rem}
    .chart .narrow svg{width:100%}}
    .bars{display:block;max-width:none}
    .bars path{stroke:var(--link);stroke-width:1.6;fill:none}
    td:has(.bars){padding-top:.1rem;padding-bottom:.1rem;vertical-align:bottom}

    :root{--bad:\(Palette.series[0].light);--good:\(Palette.series[2].light)}
    @media screen and (prefers-color-scheme:dark){:root{--bad:\(Palette.series[0].dark);--good:\(Palette.series[2].dark)}}
    .bad{color:var(--bad)}
    .good{color:var(--good)}
    .lead.bad,.lead.good{color:var(--ink);border-left-color:currentColor}
    .lead.bad{border-left-color:var(--bad)}
    .lead.good{border-left-color:var(--good)}

    """
  }

  private static func variables(_ value: (Palette.Pair) -> String) -> String {
    let named: [(String, Palette.Pair)] = [
      ("page", Palette.pages), ("ink", Palette.ink), ("muted", Palette.muted), ("grid", Palette.grid),
      ("axis", Palette.axis), ("link", Palette.series[1]), ("panel", Palette.panel),
    ]
    return named.map { "--\($0.0):\(value($0.1))" }.joined(separator: ";")
  }

  /// The additional style of a page that has no list of sections at its side. Its tables may use that space.
  package static let wide = """
    main{max-width:96rem}
    main>p,main>ul,main>pre,main>h1{max-width:60rem}
    @media (min-width:48rem){td{white-space:normal}}

    """

  package static let site = """
    .spark{display:block;max-width:none}
    .spark path{fill:none;stroke:var(--link);stroke-width:1.4;stroke-linejoin:round}
    .spark .dot{fill:currentColor}
    td:has(.spark){padding-top:.15rem;padding-bottom:.15rem}
    tbody th{overflow-wrap:anywhere}
    tbody th a{text-decoration:none}
    tbody th a:hover{text-decoration:underline}

    """
}
