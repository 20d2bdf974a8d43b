// Runs before the page is drawn.

// The first example stands in the page, but a link to another position does not show it first.
if (/[?&](view|rules|start|moves)=/.test(location.search)) document.documentElement.classList.add("linked");

/** The language of the settings, or else the first of the browser that the page has. */
function chosenLanguage(languages) {
  let chosen = null;
  try {
    chosen = JSON.parse(localStorage.getItem("krou"));
  } catch {
    // No storage, or not ours.
  }
  const wanted = [chosen?.language, ...navigator.languages.map((name) => name.split("-")[0])];
  return wanted.find((code) => languages.includes(code)) ?? "en";
}

// Its texts are fetched at once.
{
  const page = document.documentElement;
  page.lang = chosenLanguage(page.dataset.languages.split(" "));
  const texts = document.createElement("link");
  texts.rel = "modulepreload";
  texts.href = new URL(`text/${page.lang}.js`, document.currentScript.src).href;
  document.head.append(texts);
}

// What the view of the address needs, and does not come with every page.
{
  const PARTS = {
    learn: ["learn", "learn-boards", "progress"],
    puzzles: [
      "puzzles", "puzzles-card", "puzzles-choice", "puzzles-judge", "puzzles-rush", "puzzles-sets", "progress",
    ],
  };
  const [, view] = /[?&]view=(\w+)/.exec(location.search) ?? [];
  const preload = (name, attributes) => {
    const href = new URL(name, document.currentScript.src).href;
    document.head.append(Object.assign(document.createElement("link"), { href, ...attributes }));
  };
  for (const name of PARTS[view] ?? []) preload(`${name}.js`, { rel: "modulepreload" });
  // Without a server, a view with values needs tables.
  if (document.documentElement.dataset.answers === "worker" && !["play", "learn"].includes(view)) {
    preload("library/tables.bin", { rel: "preload", as: "fetch", crossOrigin: "" });
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
