// The card for solving layers in this browser: which tables are stored here, a build with
// its progress, and removing tables. A page with a server has no such card.

import { solver, watchHost } from "./api.js";
import { announce } from "./status-card.js";
import { Progress } from "./solver-progress.js";
import { errorSentence, text } from "./texts.js";

const element = (id) => document.getElementById(id);

export class SolverCard {
  /** `rules` returns the ruleset of the page, and the highest layer with values or null.
   * `onChange` is called when there are other tables, with the layer if it is one alone. */
  constructor(rules, onChange) {
    this.rules = rules;
    this.onChange = onChange;
    /** The most seeds, and the tables stored here; null until they are known. */
    this.state = null;
    /** The build in progress: its controller, ruleset, and what it last told. */
    this.build = null;
    /** The last error, as a sentence. */
    this.error = "";
    if (!solver) return;
    element("solver").hidden = false;
    /** What has been read from the web host of the page, if it has one. */
    this.fetched = null;
    watchHost((fetched) => {
      this.fetched = fetched;
      this.showHost();
    });
    element("solver-start").addEventListener("click", () => (this.build ? this.stop() : this.start()));
    this.refresh();
  }

  async refresh() {
    try {
      this.state = await solver.state();
    } catch (error) {
      this.error = errorSentence(error);
    }
    this.show();
  }

  /** Shows the card for the ruleset of the page. */
  show() {
    if (!solver) return;
    this.showHost();
    this.showChoice();
    this.showProgress();
    element("solver-error").textContent = this.error;
    element("solver-error").hidden = this.error === "";
    this.showTables();
  }

  /** Shows what has been read from the web host. */
  showHost() {
    element("solver-host").hidden = this.fetched === null;
    if (this.fetched === null) return;
    const { host, requests, bytes } = this.fetched;
    element("solver-host").textContent = text.solver.fetched(host, requests, bytes);
  }

  /** Shows the numbers of seeds that can still be solved, and the button. */
  showChoice() {
    const { name, highest } = this.rules();
    const most = this.state?.most ?? -1;
    const first = (highest ?? -1) + 1;
    const choices = [];
    for (let seeds = Math.max(first, 1); seeds <= most; seeds++) choices.push(seeds);
    const select = element("solver-seeds");
    const shown = `${name} ${choices.join()} ${text.code}`;
    if (select.dataset.shown !== shown) {
      const chosen = Number(select.value);
      select.replaceChildren(...choices.map((seeds) => new Option(text.solver.seeds(seeds), seeds)));
      // Ten seeds or one more than there are take a moment.
      select.value = choices.includes(chosen) ? chosen : choices.find((seeds) => seeds >= 10) ?? choices.at(-1) ?? "";
      select.dataset.shown = shown;
    }
    element("solver-choice").hidden = this.build !== null || choices.length === 0;
    const start = element("solver-start");
    start.hidden = !this.build && choices.length === 0;
    start.textContent = this.build ? text.solver.stop : text.solver.start;
    element("solver-done").hidden = this.build !== null || choices.length > 0 || !this.state;
    element("solver-done").textContent = text.solver.done(name, most);
  }

  showProgress() {
    const { build } = this;
    element("solver-progress").hidden = !build;
    element("solver-phase").hidden = !build;
    if (!build) return;
    const { done, left } = build.progress.estimate();
    if (done > 0) element("solver-progress").value = done;
    else element("solver-progress").removeAttribute("value");
    element("solver-phase").textContent = text.solver.phase(build.rules, build.progress.layer, build.seeds, left);
  }

  showTables() {
    const tables = this.state?.tables ?? [];
    element("solver-stored").hidden = tables.length === 0;
    element("solver-tables").replaceChildren(...tables.map(({ rules, seeds, bytes }) => {
      const item = document.createElement("li");
      item.className = "tools";
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text.solver.remove;
      button.setAttribute("aria-label", text.solver.removeLabel(rules));
      // A build reads the tables below its layer.
      button.disabled = this.build?.rules === rules;
      button.addEventListener("click", () => this.remove(rules));
      item.append(text.solver.stored(rules, seeds, bytes), " ", button);
      return item;
    }));
  }

  async start() {
    const seeds = Number(element("solver-seeds").value);
    const { name: rules, highest } = this.rules();
    const progress = new Progress((highest ?? -1) + 1, seeds);
    const build = { controller: new AbortController(), rules, seeds, progress };
    this.build = build;
    this.error = "";
    this.show();
    const handlers = {
      onProgress: (told) => {
        progress.tell(told);
        this.showProgress();
      },
      onLayer: (layer) => this.changed(layer),
    };
    try {
      await solver.solve(rules, seeds, handlers, build.controller.signal);
      announce(text.solver.finished(rules, seeds));
    } catch (error) {
      if (error.name !== "AbortError") this.error = errorSentence(error);
    }
    this.build = null;
    await this.changed();
  }

  /** Stops the build. Layers that are finished stay. */
  stop() {
    this.build.controller.abort();
  }

  async remove(rules) {
    try {
      await solver.remove(rules);
      this.error = "";
    } catch (error) {
      this.error = errorSentence(error);
    }
    await this.changed();
  }

  async changed(layer) {
    await this.refresh();
    this.onChange(layer);
  }
}
