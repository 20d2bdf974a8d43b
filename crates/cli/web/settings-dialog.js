// The dialog of settings: language, motion, sound and letter keys.

import { change, settings } from "./settings.js";
import { LANGUAGES, text } from "./texts.js";

const element = (id) => document.getElementById(id);

export function showSettings() {
  element("speed").value = settings.speed;
  element("sound").checked = settings.sound;
  element("letter-keys").checked = settings.letterKeys;
  element("language").value = text.code;
  element("settings-dialog").showModal();
}

/** Listens to the settings; `onLanguage` is called with the code of a language. */
export function listen(onLanguage) {
  element("language").replaceChildren(...Object.values(LANGUAGES).map(({ code, name }) => new Option(name, code)));
  element("language").value = text.code;
  element("language").addEventListener("change", () => onLanguage(element("language").value));
  element("speed").addEventListener("change", () => change({ speed: element("speed").value }));
  element("sound").addEventListener("change", () => change({ sound: element("sound").checked }));
  element("letter-keys").addEventListener("change", () => change({ letterKeys: element("letter-keys").checked }));
}
