(() => {
  "use strict";
  const one = (query, from = document) => from.querySelector(query);
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  const formKey = one("meta[name=form-key]").content;
  const send = (path, body) => fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json", "X-Assay-Form": formKey }, body: JSON.stringify(body),
  });

  // The owner's page
  all("[data-copy-link]").forEach((button) => button.addEventListener("click", async () => {
    const field = one("input", button.parentElement);
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    button.classList.add("done");
  }));
  one("[data-add-rater]")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const reply = await send("/raters", { name: form.elements.name.value, role: form.elements.role.value });
    if (reply.ok) { location.reload(); return; }
    const trouble = one(".trouble", form);
    trouble.textContent = (await reply.json()).problem;
    trouble.hidden = false;
  });

  const area = one(".labelling-area");
  if (!area) return;
  const position = Number(area.dataset.position);
  const trouble = one(".trouble");
  const status = one("[data-state=saved]");
  const questions = all(".question");
  const note = one("#note");
  let newest = Number(area.dataset.newest);
  const disputed = questions.findIndex((question) => question.matches(".disputed") && !answered(question));
  let at = disputed >= 0 ? disputed : Math.max(0, questions.findIndex((question) => !answered(question)));
  let touched = performance.now();
  let pending = [];
  let busy = false;

  function answered(question) {
    return Boolean(one("[aria-checked=true]", question)) || Boolean(one(".number", question)?.value);
  }
  // Time counts while the page is in sight and something happens within a minute.
  function spent() {
    const now = performance.now();
    const seconds = Math.min((now - touched) / 1000, 60);
    touched = now;
    return document.hidden ? 0 : seconds;
  }
  let idle = 0;
  for (const kind of ["scroll", "pointermove", "keydown"]) {
    addEventListener(kind, () => { if (performance.now() - touched > 1000) idle += spent(); }, { passive: true, capture: true });
  }

  // One answer at a time, in order; each is kept here until the server has it on its disk.
  function save(question, value) {
    pending.push({ question, value, seconds: idle + spent() });
    idle = 0;
    flush();
  }
  async function flush() {
    if (busy) return;
    busy = true;
    let wait = 500;
    while (pending.length) {
      say("saving", area.dataset.saving);
      let reply;
      try {
        reply = await send("/answers", { position, seen: newest, ...pending[0] });
      } catch {
        say("lost", area.dataset.lost);
        await new Promise((done) => { setTimeout(done, wait); });
        wait = Math.min(wait * 2, 8000);
        continue;
      }
      const told = reply.headers.get("content-type")?.startsWith("application/json") ? await reply.json() : { problem: await reply.text() };
      if (reply.status === 507) {
        complain(told.problem);
        say("lost", told.problem);
        await new Promise((done) => { setTimeout(done, wait); });
        wait = Math.min(wait * 2, 8000);
        continue;
      }
      pending.shift();
      wait = 500;
      if (!reply.ok) {
        complain(told.problem);
        pending = [];
        if (told.stale) setTimeout(() => location.reload(), 2500);
        break;
      }
      trouble.hidden = true;
      newest = told.saved;
      one("[data-state=done]").textContent = told.done;
      one(".bar rect")?.setAttribute("width", String((100 * told.done) / told.total));
      area.classList.toggle("complete", told.complete);
      if ("training" in area.dataset) await feedback();
    }
    busy = false;
    if (!pending.length && trouble.hidden) say("saved", area.dataset.saved);
    document.dispatchEvent(new CustomEvent("assay-saved"));
  }
  async function feedback() {
    const reply = await fetch(`/items/${position}/feedback`);
    const box = one("#feedback");
    if (reply.ok) box.innerHTML = await reply.text();
    if (box.textContent.trim()) box.scrollIntoView({ block: "nearest" });
  }
  function say(state, words) { status.className = state; status.textContent = words; }
  function complain(words) { trouble.textContent = words; trouble.hidden = false; say("lost", words); }
  addEventListener("beforeunload", (event) => { if (pending.length) event.preventDefault(); });

  function focus(number, scroll = true) {
    at = Math.max(0, Math.min(questions.length - 1, number));
    questions.forEach((question, index) => question.classList.toggle("on", index === at));
    if (scroll) questions[at]?.scrollIntoView({ block: "nearest" });
  }
  function choose(question, value) {
    const before = one("[aria-checked=true]", question);
    const again = before?.dataset.value === value;
    all(".option", question).forEach((option) => option.setAttribute("aria-checked", String(!again && option.dataset.value === value)));
    save(question.dataset.question, again ? null : value);
    if (!again) focus(Math.min(questions.indexOf(question) + 1, questions.length - 1));
  }
  questions.forEach((question, index) => {
    question.addEventListener("click", (event) => {
      focus(index, false);
      const option = event.target.closest(".option");
      if (option) choose(question, option.dataset.value);
    });
    one(".number", question)?.addEventListener("change", (event) => {
      all(".option", question).forEach((option) => option.setAttribute("aria-checked", "false"));
      save(question.dataset.question, event.target.value || null);
    });
    one("[data-act=evidence]", question)?.addEventListener("click", () => evidence(question));
    one("[data-act=no-evidence]", question)?.addEventListener("click", () => show(question, null));
  });
  note.addEventListener("change", () => save("note", note.value.trim() || null));

  async function leave(link) {
    if (!link || link.hidden) return;
    document.activeElement?.blur?.();
    if (pending.length || busy) await new Promise((done) => { document.addEventListener("assay-saved", done, { once: true }); });
    if (trouble.hidden) location.href = link.href;
  }
  all(".steps a").forEach((link) => link.addEventListener("click", (event) => { event.preventDefault(); leave(link); }));
  async function undo() {
    const reply = await send("/undo", {});
    if (!reply.ok) { complain((await reply.json()).problem); return; }
    const told = await reply.json();
    if (told.position !== null) location.href = `/items/${told.position}`;
  }
  one("[data-act=undo]").addEventListener("click", undo);

  // Selections: the sentences that they touch tell the server where to look for the words.
  let chosen = null;
  function readSelection() {
    const selection = getSelection();
    const texts = one("#texts");
    if (!selection.rangeCount || selection.isCollapsed || !texts.contains(selection.anchorNode) || !texts.contains(selection.focusNode)) return;
    const range = selection.getRangeAt(0);
    const touched_ = all("[data-n]", texts).filter((mark) => range.intersectsNode(mark));
    const numbers = touched_.flatMap((mark) => mark.dataset.n.split(" ").map(Number));
    chosen = numbers.length ? { position, text: selection.toString(), first: Math.min(...numbers), last: Math.max(...numbers) } : null;
  }
  document.addEventListener("selectionchange", readSelection);
  async function place() {
    // The event comes late where a key follows at once.
    readSelection();
    if (!chosen) return null;
    const reply = await send("/place", chosen);
    const told = await reply.json();
    if (!reply.ok) { complain(told.problem); return null; }
    trouble.hidden = true;
    return told;
  }
  function show(question, kept) {
    const quote = one(".quote", question);
    quote.textContent = kept?.text ?? "";
    quote.hidden = !kept;
    one("[data-act=no-evidence]", question).hidden = !kept;
    save(`${question.dataset.question}:evidence`, kept ? JSON.stringify(kept) : null);
  }
  async function evidence(question) {
    const kept = await place();
    if (kept) show(question, kept);
  }

  // Sentences are chosen by keys, as if their words had been selected.
  let sentence = null;
  function moveSentence(by) {
    const marks = all("#texts [data-n]").filter((mark) => mark.offsetParent);
    const numbers = [...new Set(marks.flatMap((mark) => mark.dataset.n.split(" ").map(Number)))].sort((a, b) => a - b);
    if (!numbers.length) return;
    const before = numbers.indexOf(sentence);
    sentence = numbers[before < 0 ? (by > 0 ? 0 : numbers.length - 1) : Math.max(0, Math.min(numbers.length - 1, before + by))];
    const own = marks.filter((mark) => mark.dataset.n.split(" ").includes(String(sentence)));
    getSelection().setBaseAndExtent(own[0], 0, own.at(-1), own.at(-1).childNodes.length);
    own[0].scrollIntoView({ block: "nearest" });
  }

  // Faults: marked by selecting words, kept as one list.
  const list = one("#faults");
  const dialog = one("#fault");
  let faults = list ? JSON.parse(list.dataset.faults || "[]") : [];
  function draw() {
    if (!list) return;
    one("[data-state=faults]").textContent = faults.length;
    list.replaceChildren(...faults.map((fault, number) => {
      const item = document.createElement("li");
      item.className = fault.severity ?? "warning";
      const words = document.createElement("button");
      words.type = "button";
      words.className = "fault-words";
      words.textContent = fault.text;
      words.addEventListener("click", () => one(`#texts [data-f~="${number}"]`)?.scrollIntoView({ block: "center" }));
      const kind = document.createElement("small");
      kind.textContent = `${one(`#fault-type option[value="${CSS.escape(fault.type)}"]`)?.textContent ?? fault.type}${fault.note ? ` – ${fault.note}` : ""}`;
      const gone = document.createElement("button");
      gone.type = "button";
      gone.className = "chip-button";
      gone.textContent = "×";
      gone.setAttribute("aria-label", `× ${fault.text}`);
      gone.addEventListener("click", () => { faults = faults.filter((other) => other !== fault); keep(); });
      item.append(words, kind, gone);
      return item;
    }));
  }
  function keep() {
    faults.sort((a, b) => a.start - b.start || a.end - b.end);
    save("faults", JSON.stringify(faults));
    draw();
    document.addEventListener("assay-saved", refresh, { once: true });
  }
  async function refresh() {
    const reply = await fetch(`/items/${position}/texts`);
    if (!reply.ok) return;
    const box = document.createElement("template");
    box.innerHTML = await reply.text();
    const places = all(".side-text").map((side) => side.scrollTop);
    const texts = one("#texts");
    texts.replaceChildren(box.content);
    all(".side-text", texts).forEach((side, index) => { side.scrollTop = places[index] ?? 0; });
    bringFront(front);
  }
  let ask = () => {};
  if (dialog) {
    let found = null;
    ask = async () => {
      found = await place();
      if (!found) return;
      one("#fault-text").textContent = found.text;
      one("#fault-note").value = "";
      // Escape leaves the value of the time before.
      dialog.returnValue = "";
      dialog.showModal();
      one("#fault-type").focus();
    };
    one("#texts").addEventListener("mouseup", () => { setTimeout(() => { if (String(getSelection()).trim() && chosen) ask(); }, 10); });
    one("#texts").addEventListener("touchend", () => { setTimeout(() => { if (String(getSelection()).trim() && chosen) ask(); }, 400); });
    one("[data-act=cancel-fault]").addEventListener("click", () => dialog.close("cancel"));
    // A list takes Enter for itself; here it keeps the fault, as in the note.
    one("#fault-type").addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); dialog.close("keep"); }
    });
    dialog.addEventListener("close", () => {
      if (dialog.returnValue !== "keep" || !found) return;
      faults.push({ ...found, type: one("#fault-type").value, severity: one("[name=severity]:checked", dialog).value, note: one("#fault-note").value.trim() });
      getSelection().removeAllRanges();
      chosen = null;
      keep();
    });
  }
  draw();

  // On a narrow screen one text is in front.
  let front = 0;
  function bringFront(number) {
    front = number;
    all("#texts .side-text").forEach((side, index) => side.classList.toggle("front", index === front));
    all("[data-front]").forEach((button) => button.setAttribute("aria-pressed", String(Number(button.dataset.front) === front)));
  }
  all("[data-front]").forEach((button) => button.addEventListener("click", () => bringFront(Number(button.dataset.front))));
  bringFront(0);

  // Both texts together, and what differs.
  const sides = all(".side-text");
  const flags = { get(name) { try { return localStorage.getItem(name) === "1"; } catch { return false; } },
                  set(name, on) { try { localStorage.setItem(name, on ? "1" : "0"); } catch { /* private window */ } } };
  let together = flags.get("assay-together");
  let leading = null;
  function setTogether(on) {
    together = on;
    flags.set("assay-together", on);
    one("[data-act=together]")?.setAttribute("aria-pressed", String(on));
  }
  sides.forEach((side) => {
    side.addEventListener("pointerenter", () => { leading = side; });
    side.addEventListener("scroll", () => {
      if (!together || (leading && leading !== side)) return;
      const share = side.scrollTop / Math.max(1, side.scrollHeight - side.clientHeight);
      sides.filter((other) => other !== side).forEach((other) => { other.scrollTop = share * (other.scrollHeight - other.clientHeight); });
    });
  });
  one("[data-act=together]")?.addEventListener("click", () => setTogether(!together));
  setTogether(together);
  const shown = (block) => block.textContent.trim() + all("a[href]", block).map((link) => ` ${link.href}`).join("");
  function differences() {
    const button = one("[data-act=differences]");
    if (!button) return;
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    const blocks = sides.map((side) => all(":is(p, li, h1, h2, h3, h4, td, .plain)", one(".text", side)).filter((block) => !one("p, li", block)));
    const words = blocks.map((own) => new Set(own.map(shown)));
    const other = blocks.map((own, side) => own.filter((block) => !words[1 - side].has(shown(block))));
    globalThis.CSS.highlights?.delete("differs");
    blocks.flat().forEach((block) => block.classList.remove("only"));
    if (!on) return;
    // Blocks that share most of their words are compared word by word; the others differ as a whole.
    const ranges = [];
    const paired = new Set();
    for (const block of other[0]) {
      const match = other[1].filter((one_) => !paired.has(one_)).map((one_) => [alike(block, one_), one_]).sort((a, b) => b[0] - a[0])[0];
      if (!globalThis.CSS.highlights || !match || match[0] < 0.5) continue;
      paired.add(block).add(match[1]);
      ranges.push(...changed(block, match[1]));
    }
    other.flat().filter((block) => !paired.has(block)).forEach((block) => block.classList.add("only"));
    if (ranges.length) globalThis.CSS.highlights.set("differs", new Highlight(...ranges));
  }
  // Words with their place; a link is one more word: its address, at the place of its words.
  function wordsOf(block) {
    const found = [];
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const match of node.data.matchAll(/\p{Script=Han}|[^\s\p{Script=Han}]+/gu)) found.push({ word: match[0], node, start: match.index, end: match.index + match[0].length });
      const link = node.parentElement.closest("a[href]");
      if (link && node === link.lastChild) found.push({ word: link.href, node, start: 0, end: node.length });
    }
    return found;
  }
  function alike(a, b) {
    const [first, second] = [a, b].map((block) => new Set(wordsOf(block).map((item) => item.word)));
    const shared = [...first].filter((word) => second.has(word)).length;
    return shared / Math.max(1, Math.min(first.size, second.size));
  }
  function changed(a, b) {
    const first = wordsOf(a).slice(0, 1500);
    const second = wordsOf(b).slice(0, 1500);
    const width = second.length + 1;
    const longest = new Uint16Array((first.length + 1) * width);
    for (let i = first.length - 1; i >= 0; i -= 1) {
      for (let j = second.length - 1; j >= 0; j -= 1) {
        longest[i * width + j] = first[i].word === second[j].word ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
      }
    }
    const apart = [];
    let [i, j] = [0, 0];
    while (i < first.length || j < second.length) {
      if (i < first.length && j < second.length && first[i].word === second[j].word) { i += 1; j += 1; }
      else if (j >= second.length || (i < first.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) { apart.push(first[i]); i += 1; }
      else { apart.push(second[j]); j += 1; }
    }
    return apart.map(({ node, start, end }) => {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, end);
      return range;
    });
  }
  one("[data-act=differences]")?.addEventListener("click", differences);
  const guidelines = one("#guidelines");
  const openGuidelines = () => { if (!guidelines.open) guidelines.showModal(); };
  all("[data-act=guidelines]").forEach((button) => button.addEventListener("click", openGuidelines));
  one("[data-act=close-guidelines]").addEventListener("click", () => guidelines.close());
  if (!flags.get("assay-guidelines-read")) { flags.set("assay-guidelines-read", true); openGuidelines(); }

  // A dialog keeps the focus after it is closed until the page is drawn again; keys pressed meanwhile are meant for the page.
  function takesKeys(element) {
    const dialog = element.closest("dialog");
    return dialog ? dialog.open : Boolean(element.closest("input, select, textarea"));
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target === note) { note.blur(); return; }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target)) return;
    const question = questions[at];
    const option = (value) => question && choose(question, value);
    const keys = {
      c: () => option("cannot say"), u: undo, m: () => note.focus(), s: () => setTogether(!together), d: differences, g: openGuidelines,
      e: () => question && one("[data-evidence]", question) && evidence(question),
      "]": () => moveSentence(1), "[": () => moveSentence(-1), f: () => ask(), o: () => bringFront((front + 1) % Math.max(1, sides.length)),
      ArrowDown: () => focus(at + 1), ArrowUp: () => focus(at - 1), j: () => focus(at + 1), k: () => focus(at - 1),
      n: () => leave(one("a[rel=next]")), p: () => leave(one("a[rel=prev]")), Enter: () => leave(one("a[rel=next]")),
    };
    const digit = /^[0-9]$/.test(event.key) ? all(".option:not(.unsure)", question).find((item) => one("kbd", item).textContent === event.key) : null;
    if (event.key === "Enter" && event.target.closest("button, a")) return;
    const act = digit ? () => option(digit.dataset.value) : keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  focus(at, false);
  one("#texts mark.warning, #texts .hit")?.scrollIntoView({ block: "center" });
  area.dataset.ready = "1";
})();
