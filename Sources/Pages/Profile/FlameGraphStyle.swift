import Markup

/// The colors of flame graphs, for light and dark pages. On each color, text has a contrast ratio of at least 4.5 : 1.
extension FlameGraph {
  private static let origins: [(String, Palette.Pair)] = [
    ("root", ("#dfe4ea", "#2b323b")), ("phase", ("#c9d6e6", "#33475f")), ("program", ("#ffb37a", "#8a4a17")),
    ("engine", ("#f2e3a4", "#57501a")), ("swift", ("#a9dcc8", "#1f5a47")), ("system", ("#d3d6da", "#444c56")),
    ("harness", ("#e4d5ee", "#543f66")),
  ]

  private static let differences: [(String, Palette.Pair)] = [
    ("d-3", ("#6fb1ee", "#0f5ca8")), ("d-2", ("#a3cdf3", "#24507f")), ("d-1", ("#cfe3f7", "#2b4158")),
    ("d0", ("#e2e5e9", "#353c45")), ("d1", ("#fad9d2", "#5a3631")), ("d2", ("#f7ac9d", "#853628")),
    ("d3", ("#f27d6a", "#a92a18")),
  ]

  package static func styleSheet(isDifference: Bool) -> String {
    let fills = isDifference ? [origins[0]] + differences : origins
    func rules(_ value: (Palette.Pair) -> String) -> String {
      fills.map { ".flame .\($0.0) rect,.flame rect.\($0.0){fill:\(value($0.1))}" }.joined()
        + ":root.flame{background:\(value(Palette.pages))}.flame .page{fill:\(value(Palette.pages))}.flame text{fill:\(value(Palette.ink))}"
        + ".flame .muted{fill:\(value(Palette.muted))}"
        + ".flame .hit rect{stroke:\(value(Palette.ink));stroke-width:1.6}"
        + ".flame input{color:\(value(Palette.ink));background:\(value(Palette.panel));"
        + "border:1px solid \(value(Palette.axis))}"
    }
    return rules(\.light) + ".flame .title{font-weight:600}.flame text{pointer-events:none;white-space:pre}"
      + ".flame #boxes g{cursor:pointer}.flame #boxes g:hover rect{filter:brightness(.92)}"
      + ".flame .missed rect{opacity:.35}.flame .missed text{opacity:.6}.flame .above rect{opacity:.55}"
      + ".flame input{box-sizing:border-box;width:100%;height:100%;font:12px system-ui,sans-serif;"
      + "padding:2px 7px;border-radius:5px}.flame a{cursor:pointer;text-decoration:underline}"
      + ".flame a text{pointer-events:auto}" + "@media screen and (prefers-color-scheme:dark){\(rules(\.dark))}"
  }

  package static let script = #"""
    (() => {
      const svg = document.currentScript.ownerSVGElement;
      const boxes = [...svg.querySelectorAll("#boxes > g")].map(g => ({
        g, x: +g.dataset.x, w: +g.dataset.w, d: +g.dataset.d, name: g.dataset.n,
        rect: g.querySelector("rect"), text: g.querySelector("text"),
      }));
      if (!boxes.length) return;
      const margin = 12, character = 7.23, epsilon = 1e-7;
      let inner = 0;
      const keys = [...svg.querySelectorAll(".key")];
      const height = +svg.getAttribute("height");
      // Texts of the head, and how much room they leave at their end.
      const head = [[svg.querySelector(".title"), 9.04, 110], [svg.querySelector("text.muted"), character, 0]]
        .map(([node, size, rest]) => ({ node, size, rest, text: node.textContent }));
      const set = (node, attributes) => { for (const key in attributes) node.setAttribute(key, attributes[key]); };
      const make = (name, attributes, parent) => {
        const node = document.createElementNS("http://www.w3.org/2000/svg", name);
        set(node, attributes);
        return parent.appendChild(node);
      };
      let zoomed = boxes[0];
      const fitted = (name, width, size = character) => {
        const room = Math.floor((width - 8) / size), letters = [...name];
        return room < 3 ? "" : letters.length <= room ? name : letters.slice(0, room - 1).join("") + "…";
      };
      const draw = () => {
        for (const box of boxes) {
          const isAbove = box.d < zoomed.d && box.x <= zoomed.x + epsilon && box.x + box.w >= zoomed.x + zoomed.w - epsilon;
          const isInside = box.d >= zoomed.d && box.x >= zoomed.x - epsilon && box.x + box.w <= zoomed.x + zoomed.w + epsilon;
          const x = margin + (isAbove ? 0 : (box.x - zoomed.x) / zoomed.w * inner);
          const width = isAbove ? inner : box.w / zoomed.w * inner;
          const isShown = (isAbove || isInside) && width >= 0.1;
          box.g.style.display = isShown ? "inline" : "none";
          if (!isShown) continue;
          box.g.classList.toggle("above", isAbove);
          box.rect.setAttribute("x", x);
          box.rect.setAttribute("width", Math.max(0.3, width - 0.6));
          box.text.setAttribute("x", x + 4);
          box.text.textContent = fitted(box.name, width);
        }
        reset.style.display = zoomed === boxes[0] ? "none" : "inline";
      };
      const zoom = box => { zoomed = box; draw(); };
      const reset = make("a", { id: "reset", role: "button", tabindex: "0" }, svg);
      const label = make("text", { y: 24, "text-anchor": "end", class: "muted" }, reset);
      label.append("show all (Esc)");
      reset.addEventListener("click", () => zoom(boxes[0]));
      reset.addEventListener("keydown", event => { if (event.key === "Enter") zoom(boxes[0]); });
      const holder = make("foreignObject", { height: 24 }, svg);
      const input = document.createElementNS("http://www.w3.org/1999/xhtml", "input");
      input.type = "search";
      input.placeholder = "search functions ( / )";
      input.setAttribute("aria-label", "search functions");
      holder.appendChild(input);
      const found = make("text", { id: "found", class: "muted" }, svg);
      const search = () => {
        let matches = null;
        if (input.value) {
          try {
            const expression = new RegExp(input.value, "i");
            matches = name => expression.test(name);
          } catch {
            matches = name => name.toLowerCase().includes(input.value.toLowerCase());
          }
        }
        let share = 0, end = -1;
        const hits = [];
        for (const box of boxes) {
          const isHit = matches !== null && box.d > 0 && matches(box.name);
          box.g.classList.toggle("hit", isHit);
          box.g.classList.toggle("missed", matches !== null && !isHit);
          if (isHit) hits.push(box);
        }
        hits.sort((a, b) => a.x - b.x || a.d - b.d);
        for (const hit of hits) if (hit.x >= end - epsilon) { share += hit.w; end = hit.x + hit.w; }
        found.textContent = matches ? `${(share * 100).toFixed(1)}% in ${hits.length} found` : "";
      };
      input.addEventListener("input", search);
      for (const box of boxes) box.g.addEventListener("click", () => zoom(box));
      window.addEventListener("keydown", event => {
        if (event.key === "/" && document.activeElement !== input) { event.preventDefault(); input.focus(); }
        if (event.key === "Escape") { input.value = ""; input.blur(); search(); zoom(boxes[0]); }
      });
      // The file is 1,200 points wide; a page of its own has the width of its window.
      const fit = () => {
        const width = Math.max(320, document.documentElement === svg ? innerWidth : 1200);
        inner = width - 2 * margin;
        let x = margin, y = 0;
        for (const key of keys) {
          const room = +key.dataset.w;
          if (x > margin && x + room > width) { x = margin; y += 18; }
          key.setAttribute("transform", `translate(${x} ${y})`);
          x += room;
        }
        // The search stands beside the legend, with what it found, or below it.
        const isBelow = y > 0 || x + 400 > width, size = isBelow ? 200 : 240;
        if (isBelow) y += 24;
        const place = isBelow ? margin : width - margin - size;
        set(holder, { x: place, y: 50 + y, width: size });
        set(found, { x: isBelow ? place + size + 8 : place - 8, y: 66 + y, "text-anchor": isBelow ? "start" : "end" });
        set(label, { x: width - margin });
        for (const { node, size, rest, text } of head) node.textContent = fitted(text, inner - rest, size);
        set(svg.querySelector("#boxes"), { transform: `translate(0 ${y})` });
        set(svg, { width, height: height + y, viewBox: `0 0 ${width} ${height + y}` });
        draw();
      };
      window.addEventListener("resize", fit);
      fit();
    })();
    """#
}
