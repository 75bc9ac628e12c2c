"use strict";
// The page of a review. Boards are made by moving men as the moves of UCI say; the rules are the program's business.
const reviews = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
};
const SVG = "http://www.w3.org/2000/svg";
const draw = (name, attributes = {}, ...children) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const GLYPHS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
// line: which better line is on the board (the index of its move) and how far; null in the game itself.
const state = { game: 0, ply: 0, line: null, flipped: false };
let boards = [];

const review = () => reviews[state.game];
const square = (text) => text.charCodeAt(0) - 97 + 8 * (text.charCodeAt(1) - 49);

function fromFen(fen) {
  const men = Array(64).fill(null);
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) file += Number(sign);
      else men[8 * (7 - index) + file++] = sign;
    }
  });
  return { men, moved: [] };
}

function play(board, uci) {
  const men = board.men.slice();
  const [from, to] = [square(uci), square(uci.slice(2))];
  const man = men[from];
  const kind = man && man.toLowerCase();
  const rank = from - (from % 8);
  const takesOwnRook = kind === "k" && men[to] && men[to].toLowerCase() === "r" && (men[to] === "r") === (man === "k");
  if (kind === "k" && (takesOwnRook || Math.abs((to % 8) - (from % 8)) > 1)) {
    const kingside = to > from;
    const rookMan = man === "k" ? "r" : "R";
    let rook = to;
    if (!takesOwnRook) rook = rank + (kingside ? 7 : 0);
    men[from] = men[rook] = null;
    men[rank + (kingside ? 6 : 2)] = man;
    men[rank + (kingside ? 5 : 3)] = rookMan;
    return { men, moved: [from, rank + (kingside ? 6 : 2)] };
  }
  if (kind === "p" && from % 8 !== to % 8 && !men[to]) men[rank + (to % 8)] = null;
  men[from] = null;
  men[to] = uci[4] ? (man === "P" ? uci[4].toUpperCase() : uci[4]) : man;
  return { men, moved: [from, to] };
}

function currentBoard() {
  if (!state.line) return boards[state.ply];
  const line = review().moves[state.line.move].better.uci.slice(0, state.line.plies);
  return line.reduce(play, boards[state.line.move]);
}

function evaluation(score) {
  if (score.mate !== undefined) return score.mate === 0 ? "#" : "#" + score.mate;
  return (score.cp > 0 ? "+" : "") + (score.cp / 100).toFixed(2);
}

function drawBoard() {
  const { men, moved } = currentBoard();
  const squares = [];
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const rank = state.flipped ? row : 7 - row;
      const file = state.flipped ? 7 - column : column;
      const index = 8 * rank + file;
      const cell = make("div", { class: "square" + ((rank + file) % 2 ? "" : " odd") + (moved.includes(index) ? " moved" : "") });
      if (column === 0) cell.append(make("small", { class: "rank" }, String(rank + 1)));
      if (row === 7) cell.append(make("small", { class: "file" }, "abcdefgh"[file]));
      if (men[index]) {
        const kind = men[index].toLowerCase();
        const color = men[index] === kind ? "b" : "w";
        cell.append(draw("svg", { class: color, viewBox: "0 0 45 45" }, draw("use", { href: "#" + kind })));
      }
      squares.push(cell);
    }
  }
  $("board").replaceChildren(...squares);
  const mv = !state.line && review().moves[state.ply];
  const next = mv && mv.judgement && mv.better;
  if (next) $("board").append(arrow(next.uci[0]));
  $("board").setAttribute("aria-label", describe(men));
  const [top, bottom] = state.flipped ? ["white", "black"] : ["black", "white"];
  $("top").replaceChildren(...nameOf(top));
  $("bottom").replaceChildren(...nameOf(bottom));
}

function arrow(uci) {
  const at = (text) => {
    const index = square(text);
    const [file, rank] = [index % 8, Math.floor(index / 8)];
    return state.flipped ? [7.5 - file, rank + 0.5] : [file + 0.5, 7.5 - rank];
  };
  const [[x1, y1], [x2, y2]] = [at(uci), at(uci.slice(2))];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [x, y] = [x2 - 0.4 * dx, y2 - 0.4 * dy];
  const head = `M${x2} ${y2}L${x - 0.22 * dy} ${y + 0.22 * dx}L${x + 0.22 * dy} ${y - 0.22 * dx}Z`;
  return draw("svg", { class: "arrow", viewBox: "0 0 8 8", "aria-hidden": "true" },
    draw("line", { x1, y1, x2: x, y2: y }), draw("path", { d: head }));
}

function describe(men) {
  const list = (white) => men.map((man, index) => [man, index])
    .filter(([man]) => man && (man !== man.toLowerCase()) === white)
    .map(([man, index]) => NAMES[man.toLowerCase()] + " " + "abcdefgh"[index % 8] + (Math.floor(index / 8) + 1));
  return `White: ${list(true).join(", ")}. Black: ${list(false).join(", ")}.`;
}

function nameOf(color) {
  const played = review().moves.slice(0, state.line ? state.line.move : state.ply);
  const whiteFirst = review().start.split(" ")[1] === "w";
  const own = played.filter((_, index) => (index % 2 === 0) === ((color === "white") === whiteFirst));
  const clock = own.length ? own[own.length - 1].clock : null;
  return [make("span", {}, review()[color].name), make("span", { class: "clock" }, clock || "")];
}

function verdict(mv) {
  const words = [];
  if (mv.judgement) words.push(mv.judgement[0].toUpperCase() + mv.judgement.slice(1) + ".");
  if (mv.missed) words.push(mv.missed === "win" ? "Missed win." : `Missed mate in ${mv.missed.mate}.`);
  if (mv.judgement && mv.better) words.push(`${mv.better.san[0]} was best.`);
  if (mv.only) words.push("The only good move.");
  return words.join(" ");
}

function drawWords() {
  const game = review();
  if (state.line) {
    const mv = game.moves[state.line.move];
    const san = mv.better.san.slice(0, state.line.plies).join(" ");
    $("words").textContent = `Instead of ${mv.number} ${mv.san}: ${san} (${evaluation(mv.better.score)})`;
    return;
  }
  const mv = game.moves[state.ply - 1];
  if (!mv) {
    $("words").textContent = `Before the first move. White's chances: ${Math.round(game.chances)} %.`;
    return;
  }
  const chances = `White's chances: ${Math.round(mv.chances)} % (${evaluation(mv.score)}).`;
  $("words").textContent = `${mv.number} ${mv.san}${GLYPHS[mv.judgement] || ""} ${verdict(mv)} ${chances}`.replace(/ +/g, " ");
}

function drawCurve() {
  const game = review();
  const count = Math.max(game.moves.length, 1);
  const chances = [game.chances, ...game.moves.map((mv) => mv.chances)];
  const [width, height] = [1000, 100];
  const x = (ply) => (width * ply) / count;
  const y = (value) => height - (height * value) / 100;
  const area = `M0 ${height}` + chances.map((value, ply) => `L${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("") + `L${width} ${height}Z`;
  const point = (mv, name) => {
    const [cx, cy] = [x(mv.ply).toFixed(1), y(mv.chances).toFixed(1)];
    return draw("path", { class: name, d: `M${cx} ${cy}h0`, "data-ply": mv.ply });
  };
  const turned = game.moves.filter((mv) => game.turning_points.includes(mv.ply)).map((mv) => point(mv, "ring-mark"));
  const marks = game.moves.filter((mv) => mv.judgement).map((mv) => point(mv, "mark " + mv.judgement));
  const now = x(state.line ? state.line.move : state.ply);
  $("curve").setAttribute("viewBox", `0 0 ${width} ${height}`);
  $("curve").replaceChildren(
    draw("path", { class: "area", d: area }),
    draw("line", { class: "even", x1: 0, x2: width, y1: height / 2, y2: height / 2 }),
    draw("line", { class: "now", x1: now, x2: now, y1: 0, y2: height }),
    ...turned, ...marks);
  const here = game.moves[state.ply - 1];
  const set = (name, value) => $("curve").setAttribute(name, value);
  set("aria-valuemin", 0);
  set("aria-valuemax", game.moves.length);
  set("aria-valuenow", state.ply);
  set("aria-valuetext", here ? `${here.number} ${here.san}, White's chances ${Math.round(here.chances)} %` : "start");
}

function moveButton(mv, index) {
  const mark = GLYPHS[mv.judgement] || (mv.only ? "□" : "");
  return make("button", { type: "button", "data-ply": index + 1, class: mv.judgement || (mv.only ? "only" : ""), onclick: () => go(index + 1) },
    make("span", {}, mv.san + mark), make("span", { class: "value" }, evaluation(mv.score)));
}

function lineOf(mv, index) {
  const note = make("div", { class: "note " + mv.judgement }, make("span", {}, verdict(mv) + " "));
  if (mv.better) {
    let [number, black] = [parseInt(mv.number, 10), mv.number.endsWith("...")];
    mv.better.san.forEach((san, ply) => {
      const label = black ? (ply === 0 ? `${number}... ` : "") : `${number}. `;
      note.append(make("button", { type: "button", "data-line": index, "data-plies": ply + 1, onclick: () => show(index, ply + 1) }, label + san));
      if (black) number++;
      black = !black;
    });
    note.append(make("span", { class: "value" }, " " + evaluation(mv.better.score)));
  }
  return note;
}

function drawMoves() {
  const game = review();
  const rows = [];
  const comment = (text) => make("div", { class: "note comment" }, make("span", {}, text));
  rows.push(...game.comments.map(comment));
  let row = null;
  const empty = () => make("span", {}, "…");
  game.moves.forEach((mv, index) => {
    const black = mv.number.endsWith("...");
    if (!row || !black) {
      row = make("div", { class: "row" }, make("span", {}, parseInt(mv.number, 10) + "."));
      if (black) row.append(empty());
      rows.push(row);
    }
    row.append(moveButton(mv, index));
    const notes = [...mv.comments.map(comment), ...(mv.judgement ? [lineOf(mv, index)] : [])];
    if (notes.length) {
      rows.push(...notes);
      row = null;
    }
  });
  rows.push(make("p", {}, game.result));
  $("moves").replaceChildren(...rows);
}

function markMove() {
  for (const old of $("moves").querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  const chosen = state.line
    ? $("moves").querySelector(`[data-line="${state.line.move}"][data-plies="${state.line.plies}"]`)
    : $("moves").querySelector(`[data-ply="${state.ply}"]`);
  if (!chosen) {
    $("moves").scrollTop = 0;
    return;
  }
  chosen.setAttribute("aria-current", "true");
  // Only the list scrolls; the page stays where it is.
  const [box, list] = [chosen.getBoundingClientRect(), $("moves").getBoundingClientRect()];
  if (box.top < list.top || box.bottom > list.bottom) $("moves").scrollTop += box.top - list.top - list.height / 2;
}

const percent = (value) => (value === null ? "–" : value.toFixed(1) + " %");

function drawSummary() {
  const game = review();
  const { white, black } = game;
  const row = (name, value, style = "") => make("tr", { class: style },
    make("th", { scope: "row" }, name), make("td", {}, value(white)), make("td", {}, value(black)));
  const phases = ["opening", "middlegame", "endgame"].filter((phase) => white[phase].moves + black[phase].moves > 0);
  $("figures").replaceChildren(
    make("thead", {}, make("tr", {}, make("td", {}), make("th", { scope: "col" }, white.name), make("th", { scope: "col" }, black.name))),
    make("tbody", {},
      row("Accuracy", (side) => percent(side.accuracy), "big"),
      ...phases.map((phase) => row("… in the " + phase, (side) => percent(side[phase].accuracy), "phase")),
      row("Average centipawn loss", (side) => (side.acpl === null ? "–" : side.acpl.toFixed(0))),
      row("Inaccuracies", (side) => String(side.inaccuracies)),
      row("Mistakes", (side) => String(side.mistakes)),
      row("Blunders", (side) => String(side.blunders)),
      row("Missed mates", (side) => String(side.missed_mates)),
      row("Missed wins", (side) => String(side.missed_wins)),
      row("Only moves found", (side) => String(side.only_moves))));
  const story = [];
  if (white.accuracy !== null && black.accuracy !== null) {
    const apart = Math.abs(white.accuracy - black.accuracy);
    const better = white.accuracy > black.accuracy ? "White" : "Black";
    story.push(make("p", {}, apart < 2 ? "Both sides played about equally well." : `${better} played more accurately.`));
  }
  const turns = game.turning_points.map((ply) => make("button", { type: "button", onclick: () => go(ply) },
    `${game.moves[ply - 1].number} ${game.moves[ply - 1].san}${GLYPHS[game.moves[ply - 1].judgement]}`));
  story.push(turns.length
    ? make("p", {}, "The game turned at ", ...turns.flatMap((turn, index) => (index ? [" ", turn] : [turn])), ".")
    : make("p", {}, "No mistake turned the game."));
  $("story").replaceChildren(...story);
}

function drawHeader() {
  const game = review();
  const tags = Object.fromEntries(game.tags);
  const known = (name) => tags[name] && !/^[?.\s-]*$/.test(tags[name]);
  $("title").textContent = `${game.white.name} – ${game.black.name} ${game.result}`;
  const about = ["Event", "Site", "Date", "Round", "TimeControl"].filter(known).map((name) => tags[name]);
  $("about").textContent = about.join(" · ");
  $("footer").textContent = `Reviewed by ${game.engine}. Accuracy by the formula that Lichess publishes; a winning chance counts half of the chance to draw.`;
}

function refresh() {
  drawBoard();
  drawCurve();
  drawWords();
  markMove();
}

function go(ply) {
  state.line = null;
  state.ply = Math.max(0, Math.min(review().moves.length, ply));
  refresh();
}

function show(move, plies) {
  const length = review().moves[move].better.uci.length;
  if (plies < 1) return go(move);
  state.ply = move;
  state.line = { move, plies: Math.min(plies, length) };
  refresh();
}

function step(by) {
  if (state.line) show(state.line.move, state.line.plies + by);
  else go(state.ply + by);
}

function nextMistake() {
  const found = review().moves.find((mv) => mv.judgement && mv.ply > state.ply) || review().moves.find((mv) => mv.judgement);
  if (found) go(found.ply);
}

function open(index) {
  state.game = index;
  boards = [fromFen(review().start)];
  for (const mv of review().moves) boards.push(play(boards[boards.length - 1], mv.uci));
  drawHeader();
  drawMoves();
  drawSummary();
  go(0);
}

function flip() {
  state.flipped = !state.flipped;
  drawBoard();
}

const KEYS = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  Home: () => go(0),
  End: () => go(review().moves.length),
  Escape: () => state.line && go(state.line.move),
  f: flip,
  m: nextMistake,
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  const action = KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
$("first").addEventListener("click", () => go(0));
$("previous").addEventListener("click", () => step(-1));
$("next").addEventListener("click", () => step(1));
$("last").addEventListener("click", () => go(review().moves.length));
$("mistake").addEventListener("click", nextMistake);
$("flip").addEventListener("click", flip);
$("curve").addEventListener("click", (event) => {
  const box = $("curve").getBoundingClientRect();
  go(Math.round((review().moves.length * (event.clientX - box.left)) / box.width));
});
$("games").append(...reviews.map((game, index) =>
  make("option", { value: index }, `${game.number}. ${game.white.name} – ${game.black.name} ${game.result}`)));
$("games").addEventListener("change", (event) => open(Number(event.target.value)));
$("chooser").hidden = reviews.length < 2;
if (reviews.length) open(0);
