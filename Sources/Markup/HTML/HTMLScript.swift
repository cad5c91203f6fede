/// The script of pages. It shows figures under the pointer or with the arrow keys, and sorts and filters tables. Pages
/// are complete without it.
extension HTMLPage {
  package static let script = """

    "use strict";
    const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
    function time(ns) {
      const [scale, unit] = units.find(([scale]) => Math.abs(ns) >= 0.9995 * scale) || units[3];
      const value = ns / scale;
      if (value === 0) return "0 ns";
      const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) * 1000 / 999.5) + 1e-9));
      return value.toFixed(Math.min(digits, 3)).replace(/\\B(?=(\\d{3})+(?!\\d))(?<!\\.\\d*)/g, ",") + " " + unit;
    }

    function bytes(value) {
      const [scale, unit] = [[1073741824, "GiB"], [1048576, "MiB"], [1024, "KiB"], [1, "B"]]
        .find(([scale]) => Math.abs(value) >= scale) || [1, "B"];
      return (value / scale).toLocaleString("en", { maximumSignificantDigits: scale === 1 ? 15 : 3 }) + " " + unit;
    }
    const texts = {
      bytes,
      count: value => value.toLocaleString(
        "en", Math.abs(value) < 1 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 2 }),
      points: value => value.toLocaleString("en", { maximumSignificantDigits: 3 }) + " pt",
    };

    function nearest(sorted, value) {
      let best = 0;
      for (let i = 1; i < sorted.length; i++)
        if (Math.abs(sorted[i] - value) < Math.abs(sorted[best] - value)) best = i;
      return best;
    }

    function follow(figure) {
      const holder = figure.querySelector("script");
      if (!holder) return;
      const data = JSON.parse(holder.textContent);
      const count = data.frames || data.at.length;
      const text = texts[data.quantity] || time;
      const stretch = i => {
        let end = 0;
        for (const [name, count] of data.stretches || []) if (i < (end += count)) return " (" + name + ")";
        return "";
      };
      const fraction = i => data.at ? data.at[i] : count > 1 ? i / (count - 1) : 0;
      const tip = figure.appendChild(document.createElement("div"));
      tip.className = "tip sbp";
      tip.setAttribute("role", "status");
      tip.hidden = true;
      let current = -1;

      function hide() {
        tip.hidden = true;
        for (const cursor of figure.querySelectorAll(".cursor")) cursor.remove();
      }

      function show(svg, i) {
        hide();
        current = i;
        const [left, right, top, bottom] = svg.dataset.plot.split(" ").map(Number);
        const x = left + fraction(i) * (right - left);
        const cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
        for (const [name, value] of Object.entries({ class: "cursor", x1: x, x2: x, y1: top, y2: bottom }))
          cursor.setAttribute(name, value);
        svg.append(cursor);
        const head = document.createElement("b");
        head.textContent = data.labels ? data.labels[i] : "frame " + i.toLocaleString("en") + stretch(i);
        tip.replaceChildren(head, ...data.series.map(series => {
          const line = document.createElement("div");
          const name = line.appendChild(document.createElement("span"));
          name.className = series.look + " name";
          name.textContent = series.name;
          const figures = series.ns.map((values, column) =>
            values[i] == null ? "" : (data.columns[column] + " " + text(values[i])).trim());
          line.append(figures.filter(figure => figure).join(", ") || "–");
          const look = svg.querySelector("." + series.look);
          if (look) name.style.color = getComputedStyle(look).color;
          return line;
        }));
        tip.hidden = false;
        const frame = figure.getBoundingClientRect(), box = svg.getBoundingClientRect();
        const scale = box.width / svg.viewBox.baseVal.width;
        const at = box.left - frame.left + x * scale;
        const after = at + 12 + tip.offsetWidth <= frame.width;
        tip.style.left = Math.max(0, after ? at + 12 : at - 12 - tip.offsetWidth) + "px";
        tip.style.top = box.top - frame.top + top * scale + 8 + "px";
      }

      for (const svg of figure.querySelectorAll("svg")) {
        svg.tabIndex = 0;
        const [left, right] = svg.dataset.plot.split(" ").map(Number);
        const point = event => {
          const box = svg.getBoundingClientRect();
          const x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
          if (x < left - 12 || x > right + 12) return hide();
          const wanted = Math.min(1, Math.max(0, (x - left) / (right - left)));
          show(svg, data.at ? nearest(data.at, wanted) : Math.round(wanted * (count - 1)));
        };
        svg.addEventListener("pointermove", point);
        svg.addEventListener("pointerdown", point);
        svg.addEventListener("pointerleave", hide);
        svg.addEventListener("blur", hide);
        svg.addEventListener("keydown", event => {
          const step = event.shiftKey ? Math.max(1, Math.round(count / 20)) : 1;
          const steps = {
            ArrowLeft: current - step, ArrowRight: current + step, Home: 0, End: count - 1,
          };
          if (event.key === "Escape") hide();
          if (!(event.key in steps)) return;
          event.preventDefault();
          show(svg, Math.min(count - 1, Math.max(0, steps[event.key])));
        });
      }
    }
    document.querySelectorAll(".chart").forEach(follow);
    const scales = {
      ns: 1, "µs": 1e3, ms: 1e6, s: 1e9, B: 1, KiB: 1024, MiB: 1048576, GiB: 1073741824,
      k: 1e3, M: 1e6, G: 1e9, kB: 1e3, MB: 1e6, GB: 1e9,
    };
    function magnitude(text, unit) {
      const found = /(-?[\\d,]*\\.?\\d+(?:e-?\\d+)?)\\s*([a-zµ]+)?/i.exec(text);
      if (!found) return text.includes("∞") ? Infinity : null;
      return Number(found[1].replaceAll(",", "")) * (scales[found[2]] || scales[unit] || 1);
    }
    const words = cell => {
      const copy = cell.cloneNode(true);
      for (const mark of copy.querySelectorAll("sup")) mark.remove();
      return copy.textContent.trim() || cell.dataset.same || "";
    };

    function arrange(table) {
      const body = table.tBodies[0], head = table.tHead.rows[0];
      const rows = [...body.rows];
      // A table without figures, such as the environment, has an order of its own.
      if (!head.querySelector(".n")) return;
      if (rows.length < 2 || rows.some(row => row.cells.length !== head.cells.length)) return;
      const unitColumn = [...head.cells].findIndex(cell => cell.textContent === "unit");
      // A row leaves its first cells empty if they would have the same text as above.
      rows.slice(1).forEach((row, above) => [...row.cells].every((cell, i) => {
        if (!cell.textContent) cell.dataset.same = words(rows[above].cells[i]);
        return !cell.textContent;
      }));
      [...head.cells].forEach((cell, column) => {
        if (cell.tagName !== "TH" || column === unitColumn) return;
        const button = document.createElement("button");
        // The mark of a note is a link, which no button may hold.
        button.append(...[...cell.childNodes].filter(node => node.nodeName !== "SUP"));
        cell.prepend(button);
        const isNumber = cell.classList.contains("n");
        const key = row => {
          const text = words(row.cells[column]);
          if (!isNumber) return text;
          const isPlain = cell.textContent.includes("÷") || unitColumn < 0;
          return magnitude(text, isPlain ? "" : row.cells[unitColumn].textContent);
        };
        button.addEventListener("click", () => {
          const was = cell.getAttribute("aria-sort");
          for (const other of head.cells) other.removeAttribute("aria-sort");
          const now = was === "ascending" ? "descending" : was ? null : "ascending";
          table.classList.toggle("reordered", now !== null);
          if (now === null) return body.append(...rows);
          cell.setAttribute("aria-sort", now);
          const sign = now === "ascending" ? 1 : -1;
          const keyed = rows.map(row => [key(row), row]);
          keyed.sort(([a], [b]) => {
            if (a == null || b == null) return (a == null) - (b == null);
            return sign * (isNumber ? a - b || 0 : a.localeCompare(b, "en", { numeric: true }));
          });
          body.append(...keyed.map(([, row]) => row));
        });
      });
      if (rows.length < 12 && !("filter" in table.dataset)) return;
      const field = (text, type) => {
        const label = document.createElement("label");
        label.className = "filter";
        const input = document.createElement("input");
        input.type = type;
        label.append(text, input);
        table.parentElement.before(label);
        input.addEventListener("input", filter);
        return input;
      };
      const change = [...head.cells].findIndex(cell => cell.textContent === "change");
      const search = field("Show rows with", "search");
      const least = "filter" in table.dataset && change >= 0 && field("that changed by at least %", "number");
      let texts, sizes;
      function filter() {
        texts ??= rows.map(row => [...row.cells].map(words).join(" ").toLowerCase());
        sizes ??= rows.map(row => least && Math.abs(magnitude(words(row.cells[change]), "") || 0));
        const parts = search.value.toLowerCase().split(/\\s+/);
        rows.forEach((row, i) => {
          row.hidden = !parts.every(part => texts[i].includes(part)) || least && sizes[i] < Number(least.value);
        });
        const isFiltered = search.value !== "" || least && least.value !== "";
        table.classList.toggle("reordered", isFiltered || !!head.querySelector("[aria-sort]"));
      }
    }
    document.querySelectorAll("main table").forEach(arrange);
    // Only pages with several sections have a list of them.
    const contents = document.querySelector("nav details");
    if (contents && matchMedia("(max-width: 40rem)").matches) contents.open = false;

    """
}
