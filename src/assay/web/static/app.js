(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  const one = (query, from = document) => from.querySelector(query);
  const all = (query, from = document) => [...from.querySelectorAll(query)];

  // Theme: follows the system until it is chosen.
  const kept = { get() { try { return localStorage.getItem("assay-theme"); } catch { return null; } },
                 set(value) { try { localStorage.setItem("assay-theme", value); } catch { /* private window */ } } };
  if (kept.get()) root.dataset.theme = kept.get();
  function flipTheme() {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    kept.set(root.dataset.theme);
  }
  const help = one("#help");
  const openHelp = () => { if (!help.open) help.showModal(); };
  all("[data-act=theme]").forEach((button) => button.addEventListener("click", flipTheme));
  all("[data-act=help]").forEach((button) => button.addEventListener("click", openHelp));
  all("[data-act=close]").forEach((button) => button.addEventListener("click", () => help.close()));

  // Filters act at once; the button is for those without scripts.
  const form = one(".filterbar");
  if (form) {
    one("[type=submit]", form)?.classList.add("spare");
    const send = () => {
      for (const field of form.elements) if (field.name && !field.value) field.disabled = true;
      form.submit();
    };
    form.addEventListener("change", send);
    form.addEventListener("submit", (event) => { event.preventDefault(); send(); });
  }

  // Rows: the next page is fetched shortly before its end comes into sight.
  const body = one("table.rows tbody");
  const watcher = new IntersectionObserver((seen) => {
    if (seen.some((entry) => entry.isIntersecting)) more();
  }, { rootMargin: "800px" });
  let loading = false;
  async function more() {
    const row = one("tr.more", body);
    if (!row || loading) return;
    loading = true;
    watcher.disconnect();
    const address = new URL(one("a", row).href);
    address.searchParams.set("fragment", "1");
    try {
      const reply = await fetch(address);
      if (!reply.ok) throw new Error(String(reply.status));
      const rows = document.createElement("template");
      rows.innerHTML = await reply.text();
      row.replaceWith(rows.content);
    } catch {
      row.classList.add("failed");
      loading = false;
      return;
    }
    loading = false;
    watch();
  }
  const watch = () => { const row = body && one("tr.more", body); if (row) watcher.observe(row); };
  watch();

  let at = -1;
  const rows = () => all("table.rows tbody tr:not(.more), article.row");
  function go(number) {
    const list = rows();
    if (!list.length) return;
    at = Math.max(0, Math.min(list.length - 1, number));
    list.forEach((row, index) => row.classList.toggle("on", index === at));
    const link = one("a", list[at]);
    (link ?? list[at]).focus({ preventScroll: true });
    list[at].scrollIntoView({ block: "nearest" });
    if (at > list.length - 5) more();
  }
  body?.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (event.target.closest("a") || String(getSelection())) return;
    one("a", row)?.click();
  });

  // Quotes lead to their places.
  all(".texts .text").forEach((text) => all("[id^=f]", text).forEach((anchor) => { anchor.id = `d${text.dataset.document}-${anchor.id}`; }));
  function mark(name) {
    all("mark.on").forEach((place) => place.classList.remove("on"));
    const [document_, key] = name.split("-");
    const places = all(`.text[data-document="${CSS.escape(document_)}"] [data-f~="${CSS.escape(key)}"]`);
    places.forEach((place) => place.classList.add("on"));
    places[0]?.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }
  all("[data-quote]").forEach((link) => link.addEventListener("click", (event) => { event.preventDefault(); mark(link.dataset.quote); }));

  // A run that is going
  const main = one("main");
  const put = (name, text) => { const place = one(`[data-state=${name}]`); if (place) place.textContent = text; };
  const count = (number) => Math.round(number).toLocaleString("en");
  if (main?.dataset.live) {
    const events = new EventSource(main.dataset.live);
    events.addEventListener("state", (event) => {
      const state = JSON.parse(event.data);
      put("done", count(state.done));
      put("status", state.status);
      put("progress", state.planned ? `${count(state.done)} / ${count(state.planned)}` : count(state.done));
      put("rate", `${state.rate.toFixed(state.rate < 10 ? 1 : 0)} / s`);
      put("cost", state.cost === null ? `${count(state.tokens)} ${main.dataset.tokens}` : `${count(state.tokens)} ${main.dataset.tokens} · $${state.cost.toFixed(4)}`);
      const bar = one(".progress progress");
      if (bar) { bar.max = state.planned || 1; bar.value = state.done; }
      const list = one("[data-state=failures]");
      list?.replaceChildren(...state.failures.map((failure) => {
        const item = document.createElement("li");
        item.textContent = `${failure.status}: ${failure.subject} · ${failure.judge}: ${failure.problem}`;
        return item;
      }));
      if (!state.live) { events.close(); location.reload(); }
    });
  }
  if (main && main.dataset.ready === "") setTimeout(() => location.reload(), 1500);

  document.addEventListener("keydown", (event) => {
    // A dialog that was just closed keeps the focus until the page is drawn again.
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog[open], [contenteditable]")) return;
    const link = (rel) => one(`a[rel=${rel}]`)?.click();
    const keys = { j: () => go(at + 1), k: () => go(at - 1), n: () => link("next"), p: () => link("prev"), t: flipTheme, "?": openHelp,
                   "/": () => one(".find")?.focus() };
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
})();
