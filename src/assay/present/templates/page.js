(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  const one = (query, from = document) => from.querySelector(query);
  const all = (query, from = document) => [...from.querySelectorAll(query)];

  // Theme: follows the system until it is chosen; the choice is kept where the browser lets a file keep things.
  const kept = { get() { try { return localStorage.getItem("assay-theme"); } catch { return null; } },
                 set(value) { try { localStorage.setItem("assay-theme", value); } catch { /* private window */ } } };
  if (kept.get()) root.dataset.theme = kept.get();
  function flipTheme() {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    kept.set(root.dataset.theme);
  }
  const help = one("#help");
  const openHelp = () => { if (help && !help.open) help.showModal(); };
  all("[data-act=theme]").forEach((button) => button.addEventListener("click", flipTheme));
  all("[data-act=help]").forEach((button) => button.addEventListener("click", openHelp));
  all("[data-act=close]").forEach((button) => button.addEventListener("click", () => help.close()));
  // A dialog that was just closed keeps the focus until the page is drawn again; keys pressed meanwhile are meant for the page.
  function notForPage(event) {
    return event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog[open]");
  }

  takeaways();
  if (one(".sides")) { sides(); return; }
  const text = one(".text");
  if (one(".pairs")) { pairs(); return; }
  if (!text) { index(); return; }

  const cards = all(".card");
  const peek = one(".peek");
  const narrow = matchMedia("(max-width: 1020px)");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let current = null;
  let readAt = 0;

  const shown = () => cards.filter((card) => !card.hidden);
  const placesOf = (letter, key) => all(`[data-${letter}~="${CSS.escape(key)}"]`, text);
  const unfold = (element) => {
    for (let box = element.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  };
  function bring(element, block = "center") {
    unfold(element);
    element.scrollIntoView({ block, behavior: calm.matches ? "auto" : "smooth" });
  }
  function view(name) {
    const before = document.body.dataset.view;
    document.body.dataset.view = name;
    all(".bottom button").forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.go === name)));
    if (name === "report") { if (before !== name) scrollTo(0, readAt); return; }
    // Coming back to the report, the reader finds the place where it was left.
    if (before === "report") readAt = scrollY;
    if (name !== "scores") tab(name);
    peek.classList.remove("open");
    scrollTo(0, 0);
  }
  function tab(name) {
    all(".tab").forEach((button) => {
      const chosen = button.dataset.pane === name;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    });
    all(".pane").forEach((pane) => { pane.hidden = pane.id !== `pane-${name}`; });
  }
  function clear() {
    all(".on, .twin").forEach((element) => element.classList.remove("on", "twin"));
    cards.forEach((card) => one(".jump", card).removeAttribute("aria-current"));
    peek.classList.remove("open");
    current = null;
  }
  function select(card, { scrollText = true, scrollList = true } = {}) {
    clear();
    current = card;
    const key = card.dataset.key;
    card.classList.add("on");
    one(".jump", card).setAttribute("aria-current", "true");
    const places = placesOf("f", key);
    places.forEach((place) => place.classList.add("on"));
    bridges.get(key)?.classList.add("on");
    all("[data-r]", text).forEach((place) => {
      if (place.dataset.r.split(" ").some((name) => name.startsWith(`${key}-`))) place.classList.add("twin");
    });
    if (narrow.matches && scrollText) { view("report"); showPeek(card); }
    if (scrollText && places.length) bring(places[0]);
    if (scrollList && !narrow.matches) { tab("findings"); card.scrollIntoView({ block: "nearest" }); }
  }
  function showPeek(card) {
    peek.className = `peek open ${card.dataset.severity}`;
    one(".code", peek).textContent = one(".code", card).textContent;
    one(".msg", peek).textContent = one(".msg", card).textContent;
    const related = one("[data-act=related]", peek);
    related.hidden = !one(".rels a", card);
  }
  function step(by) {
    const list = shown();
    if (!list.length) return;
    const at = list.indexOf(current);
    select(list[at < 0 ? (by > 0 ? 0 : list.length - 1) : (at + by + list.length) % list.length]);
  }
  function flash(element) {
    element.classList.remove("here");
    void element.offsetWidth;
    element.classList.add("here");
  }
  let turn = 0;
  function related() {
    const links = current ? all(".rels a", current) : [];
    if (links.length) follow(links[turn++ % links.length].dataset.to);
  }
  function follow(key) {
    const [place] = placesOf("r", key);
    if (!place) return;
    if (narrow.matches) view("report");
    bring(place);
    flash(place);
  }

  one(".cards")?.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    const card = link.closest(".card");
    if (card !== current) select(card, { scrollText: !link.dataset.to, scrollList: false });
    if (link.dataset.to) follow(link.dataset.to);
  });
  text.addEventListener("click", (event) => {
    if (event.target.closest("a[href], summary")) return;
    const place = event.target.closest("[data-f]:not(.off)");
    if (!place) return;
    const keys = place.dataset.f.split(" ").filter((key) => shown().some((card) => card.dataset.key === key));
    if (!keys.length) return;
    // A second click on a place with several findings goes to the next of them.
    const at = current ? keys.indexOf(current.dataset.key) : -1;
    const card = cards.find((item) => item.dataset.key === keys[(at + 1) % keys.length]);
    select(card, { scrollText: false });
    if (narrow.matches) showPeek(card);
  });

  // A missing link is shown where it belongs while its finding is chosen.
  const bridges = new Map();
  for (const card of cards) {
    const words = one(".gap span", card);
    const place = placesOf("f", card.dataset.key).at(-1);
    if (!words || !place) continue;
    const bridge = document.createElement("span");
    bridge.className = "bridge";
    bridge.lang = one(".gap", card).lang || "";
    bridge.textContent = words.textContent;
    place.after(bridge);
    bridges.set(card.dataset.key, bridge);
  }
  all("[data-copy]").forEach((button) => button.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(button.dataset.copy); } catch { return; }
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), 1200);
  }));
  all("[data-find]").forEach((link) => link.addEventListener("click", (event) => {
    event.preventDefault();
    const card = cards.find((item) => item.dataset.key === link.dataset.find);
    if (card) select(card);
  }));

  all("[data-cite]").forEach((link) => link.addEventListener("click", (event) => {
    event.preventDefault();
    follow(link.dataset.cite);
  }));

  // Filters
  const off = new Set();
  const family = one("#family");
  const dimension = one("#dimension");
  function filter() {
    for (const card of cards) {
      const { severity, family: kin, dimension: side, key } = card.dataset;
      card.hidden = off.has(severity) || (family.value && !kin.split(" ").includes(family.value)) || (dimension.value && side !== dimension.value);
      card.dataset.shown = card.hidden ? "" : key;
    }
    const live = new Set(shown().map((card) => card.dataset.key));
    all("[data-f]", text).forEach((place) => {
      place.classList.toggle("off", !place.dataset.f.split(" ").some((key) => live.has(key)));
    });
    one("#none").hidden = live.size > 0;
    one(".tab .n").textContent = live.size;
    all("button.score").forEach((button) => {
      button.setAttribute("aria-pressed", String(button.dataset.dimension === dimension.value));
    });
    if (current?.hidden) clear();
  }
  function toggle(severity) {
    const chip = one(`.chip[data-severity="${severity}"]`);
    if (!chip) return;
    if (!off.delete(severity)) off.add(severity);
    chip.setAttribute("aria-pressed", String(!off.has(severity)));
    filter();
  }
  all(".chip").forEach((chip) => chip.addEventListener("click", () => toggle(chip.dataset.severity)));
  [family, dimension].forEach((pick) => pick?.addEventListener("change", filter));
  all("button.score").forEach((button) => button.addEventListener("click", () => {
    dimension.value = dimension.value === button.dataset.dimension ? "" : button.dataset.dimension;
    filter();
    if (narrow.matches) view("findings"); else tab("findings");
  }));

  // The argument
  all("[data-node]").forEach((node) => node.addEventListener("click", (event) => {
    const [place] = placesOf("n", node.dataset.node);
    if (!place) return;
    event.preventDefault();
    event.stopPropagation();
    if (narrow.matches) view("report");
    bring(place);
    placesOf("n", node.dataset.node).forEach(flash);
  }));
  const folds = (open) => all("#pane-argument details").forEach((box) => { box.open = open; });
  all("[data-act=unfold]").forEach((button) => button.addEventListener("click", () => folds(true)));
  all("[data-act=fold]").forEach((button) => button.addEventListener("click", () => folds(false)));

  all(".tab").forEach((button) => button.addEventListener("click", () => tab(button.dataset.pane)));
  one(".tabs")?.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    const list = all(".tab");
    const next = list[(list.indexOf(document.activeElement) + 1) % list.length];
    tab(next.dataset.pane);
    next.focus();
  });
  all(".bottom button").forEach((button) => button.addEventListener("click", () => view(button.dataset.go)));
  const acts = { previous: () => step(-1), next: () => step(1), related, shut: clear };
  all("[data-act]", peek).forEach((button) => button.addEventListener("click", () => acts[button.dataset.act]?.()));

  const keys = {
    j: () => step(1), k: () => step(-1), r: related, Escape: clear, t: flipTheme, "?": openHelp,
    f: () => (narrow.matches ? view("findings") : tab("findings")),
    a: () => (narrow.matches ? view("argument") : one("[data-pane=argument]") && tab("argument")),
    1: () => toggle("error"), 2: () => toggle("warning"), 3: () => toggle("info"),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog[open]")) return;
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });

  if (one("#pane-findings")) { tab("findings"); filter(); }
  view("report");
  const wanted = /^#f(\d+)$/.exec(location.hash);
  const first = wanted && cards.find((card) => card.dataset.key === wanted[1]);
  if (first) select(first);

  // What is seen, as a file: a chart as SVG or PNG, a table as CSV or LaTeX.
  function takeaways() {
    const fileName = (words, ending) => `${words.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 80) || "assay"}.${ending}`;
    function give(blob, name) {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }
    function offer(place, entries) {
      const box = document.createElement("span");
      box.className = "take";
      for (const [name, act] of entries) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = name;
        button.addEventListener("click", act);
        box.append(button);
      }
      place.append(box);
    }
    const looks = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight"];
    function drawing(figure) {
      const seen = all("svg.chart", figure).find((svg) => svg.getBoundingClientRect().width > 0);
      const copy = seen.cloneNode(true);
      const copies = all("*", copy);
      all("*", seen).forEach((part, at) => {
        const style = getComputedStyle(part);
        looks.forEach((look) => copies[at].setAttribute(look, style.getPropertyValue(look)));
      });
      const { width, height } = seen.viewBox.baseVal;
      const frame = [-12, -12, width + 24, height + 24];
      copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
      copy.setAttribute("viewBox", frame.join(" "));
      copy.setAttribute("width", frame[2]);
      copy.setAttribute("height", frame[3]);
      const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      Object.entries({ x: -12, y: -12, width: frame[2], height: frame[3], fill: getComputedStyle(document.body).backgroundColor }).forEach(([key, value]) => ground.setAttribute(key, value));
      copy.insertBefore(ground, one("desc", copy)?.nextSibling ?? null);
      return { text: new XMLSerializer().serializeToString(copy), width: frame[2], height: frame[3] };
    }
    async function picture({ text, width, height }) {
      const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = document.createElement("canvas");
      const scale = 2;
      canvas.width = width * scale;
      canvas.height = height * scale;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(address);
      return new Promise((done) => canvas.toBlob(done, "image/png"));
    }
    for (const figure of all(".charts figure")) {
      const name = one("figcaption b", figure)?.textContent ?? "chart";
      offer(figure, [
        ["SVG", () => give(new Blob([drawing(figure).text], { type: "image/svg+xml" }), fileName(name, "svg"))],
        ["PNG", async () => give(await picture(drawing(figure)), fileName(name, "png"))],
      ]);
    }
    // A spreadsheet must not take a cell for a formula; a signed number is none.
    const field = (text) => {
      const safe = /^[=@\t\r]|^[+\-](?![\d.]|$)/.test(text) ? `'${text}` : text;
      return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    const marks = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "–": "--" };
    const latex = (text) => text.replace(/[\\~^–&%$#_{}]/g, (mark) => marks[mark] ?? `\\${mark}`);
    for (const table of all("table.rank")) {
      const rows = () => [...table.rows].filter((row) => !row.hidden).map((row) => [...row.cells].map((cell) => cell.dataset.value && !/^[\d.-]/.test(cell.dataset.value) ? cell.dataset.value : cell.textContent.replace(/\s+/g, " ").trim()));
      const name = one("summary", table.closest("details") ?? table)?.textContent ?? one("h1")?.textContent ?? "table";
      const line = document.createElement("p");
      line.className = "takes";
      if (table.closest("details")) table.closest("details").append(line); else table.parentElement.after(line);
      offer(line, [
        ["CSV", () => give(new Blob(["\ufeff", rows().map((row) => row.map(field).join(",")).join("\r\n"), "\r\n"], { type: "text/csv" }), fileName(name, "csv"))],
        ["LaTeX", () => {
          const [heads, ...body] = rows();
          const sides = heads.map((_, at) => table.rows[1]?.cells[at]?.matches(".word, .name") ?? at === 0 ? "l" : "r").join("");
          const tex = (row) => `${row.map(latex).join(" & ")} \\\\`;
          give(new Blob([`\\begin{tabular}{${sides}}\n\\toprule\n${tex(heads)}\n\\midrule\n${body.map(tex).join("\n")}\n\\bottomrule\n\\end{tabular}\n`], { type: "application/x-tex" }), fileName(name, "tex"));
        }],
      ]);
    }
  }

  // Two texts side by side: the letters of a quote lead to its place, and the keys that all pages have.
  function sides() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog[open]")) return;
      if (event.key === "t") flipTheme();
      if (event.key === "?") openHelp();
    });
  }

  function index() {
    const find = one(".find");
    find?.addEventListener("input", () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      all(".rank tbody tr").forEach((row) => {
        const name = one(".name > span", row).textContent.toLowerCase();
        row.hidden = !words.every((word) => name.includes(word));
      });
    });
    for (const table of all(".rank")) {
      all("th", table).forEach((head, column) => one("button", head)?.addEventListener("click", () => {
        const numbers = head.dataset.kind !== "text";
        const down = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : numbers;
        all("th", table).forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = one("tbody", table);
        const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
        const rows = [...body.rows].sort((a, b) => (numbers ? value(a) - value(b) : value(a).localeCompare(value(b))));
        body.append(...(down ? rows.reverse() : rows));
      }));
    }
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog[open]")) return;
      if (event.key === "/" && find) { event.preventDefault(); find.focus(); }
      if (event.key === "t") flipTheme();
      if (event.key === "?") openHelp();
    });
  }

  // Pairs to be labelled: keys and buttons set a label, which the browser keeps until it is saved as a file.
  function pairs() {
    const list = all(".pair");
    const place = `assay-labels-${one(".pairs").dataset.key}`;
    const labels = new Map();
    let at = 0;
    try { for (const [id, label] of JSON.parse(localStorage.getItem(place) ?? "[]")) labels.set(id, label); } catch { /* nothing kept */ }
    const keep = () => { try { localStorage.setItem(place, JSON.stringify([...labels])); } catch { /* private window */ } };
    function draw() {
      let done = 0;
      list.forEach((pair, number) => {
        const label = labels.get(pair.dataset.id);
        done += label ? 1 : 0;
        pair.classList.toggle("on", number === at);
        all("[data-label]", pair).forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.label === label)));
      });
      one(".done").textContent = `${done} of ${list.length} labelled`;
    }
    function go(number) {
      at = Math.max(0, Math.min(list.length - 1, number));
      draw();
      list[at].scrollIntoView({ block: "start" });
    }
    function say(label) {
      const id = list[at].dataset.id;
      if (labels.get(id) === label) { labels.delete(id); keep(); draw(); return; }
      labels.set(id, label);
      keep();
      go(at + 1);
    }
    function save() {
      const rows = list.filter((pair) => labels.has(pair.dataset.id)).map((pair) => JSON.stringify({ id: pair.dataset.id, label: labels.get(pair.dataset.id) }));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([`${rows.join("\n")}\n`], { type: "application/x-ndjson" }));
      link.download = `${one(".who").value.trim().replace(/[^\p{L}\p{N}_-]+/gu, "-") || "labels"}.jsonl`;
      link.click();
      URL.revokeObjectURL(link.href);
    }
    list.forEach((pair, number) => all("[data-label]", pair).forEach((button) => button.addEventListener("click", () => { at = number; say(button.dataset.label); })));
    one("[data-act=save]").addEventListener("click", save);
    const keys = {
      j: () => go(at + 1), k: () => go(at - 1), 1: () => say("valid"), 2: () => say("invalid"), 3: () => say("ambiguous"),
      s: save, t: flipTheme, "?": openHelp,
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog[open]")) return;
      const act = keys[event.key];
      if (act) { event.preventDefault(); act(); }
    });
    draw();
  }
})();
