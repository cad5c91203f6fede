// Closes the menu on a phone, where it would fill the first screen.
if (matchMedia("(max-width: 800px)").matches) document.querySelector("nav details").open = false;

// Searches the sections of all pages, which search-index.js lists. A section must contain every word. Sections with a
// word in their heading come first.
(() => {
  const input = document.getElementById("search");
  const box = document.getElementById("results");
  const root = document.querySelector(".home").getAttribute("href").replace("index.html", "");

  const matches = (words) =>
    searchIndex
      .map((section) => {
        const heading = section.heading.toLowerCase();
        const text = section.text.toLowerCase();
        if (!words.every((word) => heading.includes(word) || text.includes(word))) return null;
        return { section, score: words.filter((word) => heading.includes(word)).length };
      })
      .filter(Boolean)
      .sort((a, b) => b.score - a.score)
      .slice(0, 20);

  const excerpt = (text, word) => {
    const start = Math.max(0, text.toLowerCase().indexOf(word) - 40);
    return (start > 0 ? "…" : "") + text.slice(start, start + 140) + (text.length > start + 140 ? "…" : "");
  };

  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    box.replaceChildren();
    box.hidden = words.length === 0;
    if (box.hidden) return;
    const found = matches(words);
    for (const { section } of found) {
      const link = document.createElement("a");
      link.href = root + section.page + "#" + section.anchor;
      link.append(section.heading === section.title ? section.title : `${section.title}: ${section.heading}`);
      const text = document.createElement("small");
      text.textContent = excerpt(section.text, words[0]);
      link.append(text);
      box.append(link);
    }
    if (found.length === 0) {
      const nothing = document.createElement("p");
      nothing.textContent = "Nothing found.";
      box.append(nothing);
    }
  };

  input.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === "Escape") {
      input.value = "";
      show();
    }
  });
})();
