"use strict";
const { texts, stages } = JSON.parse(document.getElementById("data").textContent);
const get = id => document.getElementById(id);
const view = get("view"), timeline = get("timeline"), trail = get("trail"), search = get("search");
const total = stages.reduce((sum, stage) => sum + (stage.depth ? 0 : stage.seconds), 0) || 1;
const state = { stage: 0, line: null, query: "", change: -1 };

// ---- small things

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = text => text.replace(/[&<>"]/g, found => ESCAPES[found]);
// Lines are counted from 1 here; a script may be a part of a file, whose numbers are shown.
const numberOf = (text, line) => line - 1 + texts[text].first;
const milliseconds = seconds => seconds >= 0.0995 ? `${seconds.toFixed(2)} s` : `${(seconds * 1000).toFixed(seconds < 0.001 ? 2 : 1)} ms`;
const meets = (some, others) => some.some(each => others.includes(each));

const WORDS = {
  script: /("(?:[^"\\]|\\.)*")|(#.*$)|\b(def|for|in|if|else|while|with|class|return|assert|not|and|or|from|import|as|True|False|None)\b|\b(\d[\w.]*)/g,
  llvm: /("(?:[^"\\]|\\.)*")|(;.*$)|\b(define|declare|br|label|phi|load|store|ret|call|add|sub|mul|fadd|fsub|fmul|fdiv|icmp|fcmp|getelementptr|select|alloca|switch)\b|(?<![%@\w.])(-?\d[\w.]*)/g,
  asm: /("(?:[^"\\]|\\.)*")|(#.*$)|^\s+([a-z][\w.]*)|(?<![%\w.])(\$?-?\d\w*)/g,
};

// A line as HTML: words coloured, `marks` (columns that changed) and what is searched for marked.
function coloured(language, text, marks) {
  const classes = new Array(text.length).fill("");
  for (const found of text.matchAll(WORDS[language])) {
    const kind = found[1] ? "s" : found[2] ? "r" : found[3] ? "w" : "d";
    classes.fill(kind, found.index, found.index + found[0].length);
  }
  const marked = new Array(text.length).fill("");
  for (const [begin, end] of marks) marked.fill("m", begin, end);
  if (state.query) {
    const line = text.toLowerCase();
    for (let at = line.indexOf(state.query); at >= 0; at = line.indexOf(state.query, at + state.query.length))
      marked.fill("h", at, at + state.query.length);
  }
  let html = "";
  for (let begin = 0, end; begin < text.length; begin = end) {
    end = begin + 1;
    while (end < text.length && classes[end] === classes[begin] && marked[end] === marked[begin]) end++;
    let part = escape(text.slice(begin, end));
    if (classes[begin]) part = `<span class="${classes[begin]}">${part}</span>`;
    html += marked[begin] ? `<mark${marked[begin] === "h" ? ' class="hit"' : ""}>${part}</mark>` : part;
  }
  return html;
}

// ---- the timeline

function drawTimeline() {
  timeline.innerHTML = stages.map((stage, number) => {
    const counts = stage.rows ? { plus: 0, minus: 0 } : null;
    for (const [kind] of stage.rows ?? []) {
      if ("+~".includes(kind)) counts.plus++;
      if ("-~".includes(kind)) counts.minus++;
    }
    const change = counts ? ` <span class="plus">+${counts.plus}</span> <span class="minus">−${counts.minus}</span>` : "";
    return `<li class="${stage.changed ? "changed" : "unchanged"}"><button type="button" data-stage="${number}" ` +
      `style="padding-left:${12 + 14 * stage.depth}px" title="${escape(stage.summary)}"><span class="name">${escape(stage.name)}</span>` +
      `<span class="facts"><span class="count"></span>${change} ${milliseconds(stage.seconds)}</span>` +
      `<span class="bar" style="width:${(100 * stage.seconds / total).toFixed(2)}%"></span></button></li>`;
  }).join("");
}

function markTimeline() {
  const hits = hitsByText();
  timeline.querySelectorAll("button").forEach((button, number) => {
    button.setAttribute("aria-current", String(number === state.stage));
    button.parentElement.hidden = get("only").checked && !stages[number].changed && number > 0 && number !== state.stage;
    const count = button.querySelector(".count"), found = hits.get(stages[number].text) ?? 0;
    count.textContent = found ? String(found) : "";
    count.classList.toggle("found", found > 0);
  });
  timeline.children[state.stage].scrollIntoView({ block: "nearest" });
}

// ---- before and after

const CELLS = { " ": ["", ""], "~": ["gone", "came"], "-": ["gone", null], "+": [null, "came"], "<": ["away", null], ">": [null, "here"] };

function cell(kind, text, number, marks, note) {
  if (kind === null || !number) return "<td class=number></td><td></td>";
  const { lines, language } = texts[text];
  return `<td class="number">${numberOf(text, number)}</td><td class="${kind}" data-text="${text}" data-line="${number}">` +
    `${coloured(language, lines[number - 1], marks)}${note}</td>`;
}

function row([kind, left, right, leftMarks, rightMarks], before, after) {
  let [leftKind, rightKind] = CELLS[kind], leftNote = "", rightNote = "";
  if (kind === "<") leftNote = `<span class="note">  moved to line ${right}</span>`;
  if (kind === ">") {
    rightNote = `<span class="note">  moved from line ${left}</span>`;
    if (leftMarks.length || rightMarks.length) [leftKind, rightKind] = ["gone", "came"];
  }
  return `<tr>${cell(leftKind, before, left, leftMarks, leftNote)}${cell(rightKind, after, right, rightMarks, rightNote)}</tr>`;
}

const CONTEXT = 3;

// Groups of rows: those that changed, and equal ones, folded but for a few around the changes.
function groups(rows) {
  const made = [];
  for (const each of rows) {
    const same = each[0] === " ";
    if (!made.length || made.at(-1).same !== same) made.push({ same, rows: [] });
    made.at(-1).rows.push(each);
  }
  return made;
}

function drawDifference(stage) {
  const before = stages[stage.number - 1].text, after = stage.text;
  const draw = rows => rows.map(each => row(each, before, after)).join("");
  const parts = groups(stage.rows).map(({ same, rows }, number, all) => {
    if (!same) return `<tbody class="change">${draw(rows)}</tbody>`;
    const head = number === 0 ? 0 : CONTEXT, tail = number === all.length - 1 ? 0 : CONTEXT;
    const hidden = rows.slice(head, rows.length - tail);
    if (!get("fold").checked || hidden.length <= 1) return `<tbody>${draw(rows)}</tbody>`;
    return `<tbody>${draw(rows.slice(0, head))}</tbody><tbody><tr class="fold" tabindex="0"><td colspan="4">` +
      `${hidden.length} equal lines</td></tr></tbody><tbody hidden>${draw(hidden)}</tbody>` +
      `<tbody>${draw(rows.slice(rows.length - tail))}</tbody>`;
  });
  return `<table class="code"><colgroup><col style="width:52px"><col><col style="width:52px"><col></colgroup>${parts.join("")}</table>`;
}

function drawText(text) {
  const rows = texts[text].lines.map((_, index) => `<tr>${cell("", text, index + 1, [], "")}</tr>`);
  return `<table class="code"><colgroup><col style="width:52px"><col></colgroup><tbody>${rows.join("")}</tbody></table>`;
}

function drawView() {
  const stage = { ...stages[state.stage], number: state.stage };
  const other = state.stage > 0 && stage.changed && !stage.rows;
  view.innerHTML = `<div class="summary"><b>${escape(stage.name)}</b> <span class="soft">${escape(stage.summary)}` +
    `${stage.changed || !state.stage ? "" : " It changed nothing."}</span></div>` +
    (stage.rows ? drawDifference(stage)
      : other ? `<div class="two"><div>${drawText(stages[state.stage - 1].text)}</div><div>${drawText(stage.text)}</div></div>`
        : drawText(stage.text));
  view.scrollTop = 0;
  state.change = -1;
  markLines();
}

// ---- one line in every stage

const originsOf = ({ text, line }) => texts[text].origins[line - 1] ?? [];

function markLines() {
  const origins = state.line ? originsOf(state.line) : [];
  view.querySelectorAll("td[data-line]").forEach(each => {
    const place = { text: Number(each.dataset.text), line: Number(each.dataset.line) };
    each.classList.toggle("linked", meets(origins, originsOf(place)));
    each.classList.toggle("selected", state.line !== null && place.text === state.line.text && place.line === state.line.line);
  });
}

const MOST = 8;

function drawTrail() {
  trail.hidden = state.line === null;
  if (state.line === null) return;
  const origins = originsOf(state.line), seen = new Set(), items = [];
  stages.forEach((stage, number) => {
    if (seen.has(stage.text)) return;
    seen.add(stage.text);
    const { lines, origins: from } = texts[stage.text];
    const found = lines.flatMap((_, index) => meets(origins, from[index]) ? [index] : []);
    found.slice(0, MOST).forEach((index, place) => items.push(
      `<li><button type="button" data-stage="${number}" data-text="${stage.text}" data-line="${index + 1}">` +
      `<span class="name">${place ? "" : escape(stage.name)}</span><span class="soft">${numberOf(stage.text, index + 1)}</span>` +
      `<code>${coloured(texts[stage.text].language, lines[index].trim(), [])}</code></button></li>`));
    if (found.length > MOST) items.push(`<li class="soft more">and ${found.length - MOST} more lines</li>`);
  });
  const where = origins.length ? `line ${origins.join(", ")} of the script, in every stage` : "no line of the script is known for this line";
  trail.innerHTML = `<h2>${where}</h2><ol>${items.join("")}</ol>`;
}

function select(line) {
  state.line = line;
  markLines();
  drawTrail();
  if (line === null) return;
  view.querySelectorAll(".two > div").forEach(pane => {
    if (!pane.querySelector(".selected")) pane.querySelector(".linked")?.scrollIntoView({ block: "center" });
  });
}

function reveal(line) {
  const found = [...view.querySelectorAll(`td[data-text="${line.text}"][data-line="${line.line}"]`)].at(-1);
  if (!found) return;
  found.closest("tbody").hidden = false;
  found.scrollIntoView({ block: "center" });
}

// ---- going places

function go(stage) {
  state.stage = Math.min(Math.max(stage, 0), stages.length - 1);
  history.replaceState(null, "", `#${state.stage}`);
  drawView();
  markTimeline();
}

function goChanged(step) {
  for (let at = state.stage + step; at >= 0 && at < stages.length; at += step)
    if (stages[at].changed) return go(at);
}

function goChange(step) {
  const spots = [...view.querySelectorAll("tbody.change")];
  if (!spots.length) return;
  state.change = (state.change + step + spots.length + (state.change < 0 && step < 0 ? 1 : 0)) % spots.length;
  spots[state.change].scrollIntoView({ block: "center" });
}

function goLine(step) {
  const text = stages[state.stage].text, count = texts[text].lines.length;
  const from = state.line && state.line.text === text ? state.line.line : step > 0 ? 0 : count + 1;
  const line = Math.min(Math.max(from + step, 1), count);
  select({ text, line });
  reveal(state.line);
}

// ---- search

const linesWith = text => state.query ? texts[text].lines.flatMap((line, index) => line.toLowerCase().includes(state.query) ? [index + 1] : []) : [];
const hitsByText = () => new Map(texts.map((_, text) => [text, linesWith(text).length]));

function find(query) {
  state.query = query.toLowerCase();
  const count = texts.reduce((sum, _, text) => sum + linesWith(text).length, 0);
  get("hits").textContent = state.query ? `${count} line${count === 1 ? "" : "s"}` : "";
  drawView();
  markTimeline();
}

// The next line with what is searched for: below the selected one, then in the next stage with another text.
function nextHit(step) {
  for (let stage = state.stage, turn = 0; turn <= stages.length; turn++, stage = (stage + step + stages.length) % stages.length) {
    const text = stages[stage].text;
    if (turn && text === stages[state.stage].text) continue;
    const here = !turn && state.line?.text === text ? state.line.line : null;
    const lines = linesWith(text).filter(line => here === null || (line - here) * step > 0);
    if (!lines.length) continue;
    if (stage !== state.stage) go(stage);
    select({ text, line: step > 0 ? lines[0] : lines.at(-1) });
    return reveal(state.line);
  }
}

// ---- light and dark

const dark = matchMedia("(prefers-color-scheme: dark)");
function setTheme(isDark) { document.documentElement.classList.toggle("dark", isDark); }
dark.addEventListener("change", event => setTheme(event.matches));

// ---- what a person does

const flip = id => { get(id).checked = !get(id).checked; get(id).dispatchEvent(new Event("change")); };
function toggleHelp(open = get("keys").hidden) {
  get("keys").hidden = !open;
  get("help").setAttribute("aria-expanded", String(open));
}
function letGo() {
  toggleHelp(false);
  search.value = "";
  if (state.query) find("");
  select(null);
  view.focus();
}

const KEYS = {
  ArrowRight: () => go(state.stage + 1), ArrowLeft: () => go(state.stage - 1),
  "]": () => goChanged(1), "[": () => goChanged(-1), n: () => goChange(1), p: () => goChange(-1),
  j: () => goLine(1), k: () => goLine(-1), "/": () => search.focus(), c: () => flip("only"), f: () => flip("fold"),
  t: () => setTheme(!document.documentElement.classList.contains("dark")), "?": () => toggleHelp(), Escape: letGo,
};

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === search) {
    if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") letGo();
    else return;
  } else if (event.target.matches("tr.fold") && (event.key === "Enter" || event.key === " ")) event.target.click();
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});
search.addEventListener("input", () => find(search.value));
timeline.addEventListener("click", event => {
  const button = event.target.closest("button");
  if (button) go(Number(button.dataset.stage));
});
view.addEventListener("click", event => {
  const fold = event.target.closest("tr.fold");
  if (fold) { const body = fold.parentElement.nextElementSibling; body.hidden = !body.hidden; return; }
  const line = event.target.closest("td[data-line]");
  if (line && !getSelection().toString()) select({ text: Number(line.dataset.text), line: Number(line.dataset.line) });
});
trail.addEventListener("click", event => {
  const button = event.target.closest("button");
  if (!button) return;
  const line = { text: Number(button.dataset.text), line: Number(button.dataset.line) };
  go(Number(button.dataset.stage));
  select(line);
  reveal(line);
});
get("only").addEventListener("change", markTimeline);
get("fold").addEventListener("change", drawView);
get("theme").addEventListener("click", KEYS.t);
get("help").addEventListener("click", () => toggleHelp());

setTheme(dark.matches);
drawTimeline();
const first = stages.findIndex(stage => stage.rows);
go(location.hash.length > 1 ? Number(location.hash.slice(1)) || 0 : Math.max(first, 0));
