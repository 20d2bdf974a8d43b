// Runs before the page is drawn: chooses the language and the view, by the address, by what was
// chosen before, or by the browser. The page asks for it first, but it stands last in the head:
// in a page that names its policy, Chromium fetches what stands after a script once that has run.
{
  const page = document.documentElement;
  const query = new URLSearchParams(location.search);
  let chosen = null;
  try {
    chosen = JSON.parse(localStorage.getItem("krou"));
  } catch {
    // No storage, or not ours.
  }
  const first = (known, wanted, otherwise) => wanted.find((one) => known.split(" ").includes(one)) ?? otherwise;
  page.lang = first(page.dataset.languages, [chosen?.language, ...navigator.languages.map((name) => name.split("-")[0])], "en");
  const remembered = String(query) === "" ? chosen?.view ?? "play" : null;
  page.dataset.view = first(page.dataset.doors, [query.get("view"), remembered], "analyse");
  // The start of a game stands in the page: another position does not show it first.
  if (page.dataset.view !== "play" || query.has("start") || query.has("moves")) page.classList.add("linked");
  // Its texts are fetched at once.
  const texts = document.createElement("link");
  texts.rel = "modulepreload";
  texts.href = new URL(`text/${page.lang}.js`, document.currentScript.src).href;
  document.head.append(texts);
}

// What the view of the address needs, and does not come with every page.
{
  const PARTS = {
    analyse: [
      "analyse", "analysis-card", "editor", "examples", "game-card", "graph", "moment", "record", "review",
      "review-card", "review-store", "solver", "trainer",
    ],
    play: ["play", "clock", "ending", "room"],
    learn: ["learn", "learn-boards", "progress"],
    puzzles: [
      "puzzles", "puzzles-card", "puzzles-choice", "puzzles-judge", "puzzles-rush", "puzzles-sets", "progress",
      "trainer",
    ],
  };
  const { view } = document.documentElement.dataset;
  const preload = (name, attributes) => {
    const href = new URL(name, document.currentScript.src).href;
    document.head.append(Object.assign(document.createElement("link"), { href, ...attributes }));
  };
  for (const name of PARTS[view] ?? []) preload(`${name}.js`, { rel: "modulepreload" });
  // Without a server, a view with values needs the tables of its ruleset.
  if (document.documentElement.dataset.answers === "worker" && !["play", "learn"].includes(view)) {
    const rules = new URLSearchParams(location.search).get("rules") === "awari" ? "awari" : "abapa";
    document.documentElement.dataset.tables = rules;
    preload(`library/tables-${rules}.bin`, { rel: "preload", as: "fetch", crossOrigin: "" });
  }
}

// A module cannot be loaded, or fails before the page has started.
{
  const { src } = document.currentScript;
  const fail = ({ target }) => {
    if (window.krou || (target !== window && target.localName !== "script")) return;
    removeEventListener("error", fail, true);
    const why = document.createElement("script");
    why.src = new URL("no-start.js", src).href;
    document.head.append(why);
  };
  addEventListener("error", fail, true);
}
