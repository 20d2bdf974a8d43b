// A game of Play against a friend in a room of the server, which judges moves and keeps the clocks.
// The address names the room; whoever has a `token` for it, which stays in this browser, has a seat.
// The `room` of the state has its `id`, the user's `seat` or null, what was `told` last, and whether
// the line is `lost`.

import { addressed, fresh, written } from "./address.js";
import * as api from "./api.js";
import * as clock from "./clock.js";
import { copyLink, showCopyButton } from "./dialogs.js";
import { element, setText } from "./dom.js";
import { ask, go } from "./going.js";
import * as notice from "./notice.js";
import { OTHER } from "./opponents.js";
import { atEnd, state, update } from "./state.js";
import * as storage from "./storage.js";
import { text } from "./texts.js";

const KEY = "krou-rooms";
/** The most rooms whose tokens are kept. */
const MOST_ROOMS = 20;
/** The pause before the line is tried again, and the time without an event after which it is
 * lost, in milliseconds. */
const PAUSE = 1000;
const SILENCE = 40_000;

const tokenOf = (id) => storage.readList(KEY).find((one) => one.id === id)?.token;

function keepToken(id, token) {
  const others = storage.readList(KEY).filter((one) => one.id !== id);
  storage.write(KEY, [{ id, token }, ...others].slice(0, MOST_ROOMS));
}

function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether the game that is shown is in a room. */
export const isOpen = () => Boolean(state.query.room);

/** The user's side; null for those who watch, and before it is known. */
export function side() {
  const { seat, told } = state.room ?? {};
  if (!seat || !told) return null;
  return seat === "first" ? told.first : OTHER[told.first];
}

/** Whether the user plays here, and the game goes on. */
export const goesOn = () => Boolean(side() && state.room.told.complete && !state.room.told.ended);

/** Whether it is the turn of this player, who is the user. */
export const isTurnOf = (player) => player === side() && state.room.told.complete;

/** The address of a room with what is known about its game. */
function addressOf(id, { rules, start, moves, began, ended }, own) {
  const query = { opponent: "friend", side: own ?? "south", room: id, game: String(began) };
  const loser = ended?.winner ? OTHER[ended.winner] : "south";
  if (ended && ended.by !== "rules") query.end = `${ended.by}.${loser}.${moves.length}`;
  return { rules, start, view: "play", moves, ply: moves.length, query };
}

/** Makes a room for a game as chosen, and waits in it. */
export async function make({ rules, start }, own, rate) {
  const token = newToken();
  const made = await api.makeRoom(rules, { token, side: own, clock: rate, start });
  keepToken(made.room, token);
  enter(made.room, made.seat);
  return take(made, { push: true });
}

/** The user enters a room: what happens there is followed until it is left. */
function enter(id, seat = null) {
  leave();
  const controller = new AbortController();
  update({ room: { id, seat, told: null, lost: false, controller } });
  follow(id, controller.signal);
}

/** The user leaves the room. */
export function leave() {
  state.room?.controller.abort();
  if (state.room) update({ room: null });
}

/** A position is shown: its room is entered, or none. */
export async function arrive() {
  const { room: id } = state.query;
  if (!id) return leave();
  if (state.room?.id === id) return undefined;
  enter(id);
  return tokenOf(id) ? act("join") : undefined;
}

/** Follows a room; after a loss of the line again and again. */
async function follow(id, signal) {
  while (!signal.aborted) {
    const line = new AbortController();
    const drop = () => line.abort();
    let silence = setTimeout(drop, SILENCE);
    signal.addEventListener("abort", drop);
    addEventListener("offline", drop);
    try {
      await api.watchRoom(id, (told) => {
        clearTimeout(silence);
        silence = setTimeout(drop, SILENCE);
        // Another view stays until the user comes back.
        if (state.view === "play") take(told).catch(() => {});
        else leave();
      }, line.signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error.code === "not-found") {
        notice.tellError(error);
        return;
      }
      update({ room: { ...state.room, lost: true } });
    } finally {
      clearTimeout(silence);
      removeEventListener("offline", drop);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** The address that is on its way. */
let coming = null;

/** Shows what the server tells of the room. */
async function take(told, options) {
  if (!state.room) return;
  const { id, told: before, seat } = state.room;
  update({ room: { ...state.room, told, lost: false, seat: told.seat ?? state.room.seat } });
  const next = addressOf(id, told, side());
  const isShown = written({ ...next, ply: state.ply }) === written(addressed(state));
  // The answer to a move and the event of it come together.
  const comes = state.arriving && coming === written(next);
  coming = written(next);
  if (!isShown && !comes) await go(next, options);
  // It may be the user's turn from now on.
  else if (seat !== state.room.seat || before?.complete !== told.complete) ask();
  if (state.room?.told === told) clock.follow(told.clock && clockOf(told), () => side() && act("claim"));
}

function clockOf({ clock: { south_left: south, north_left: north, running }, to_move: player, moves, began }) {
  return { game: String(began), left: { south, north }, moves: moves.length, player: running ? player : null, since: performance.now() };
}

/** Does something in the room. */
export async function act(action, more = {}) {
  const { id } = state.room;
  try {
    await take(await api.actInRoom(id, { token: tokenOf(id), action, ...more }));
  } catch (error) {
    update({ asked: null });
    throw error;
  }
}

/** Takes the free seat. */
export function sit() {
  keepToken(state.room.id, tokenOf(state.room.id) ?? newToken());
  return act("join");
}

/** Plays a move of the user; from a former position the last one is shown. */
export function play(letter) {
  if (!atEnd()) return go({ ply: state.moves.length });
  return act("play", { letter, ply: state.moves.length });
}

/** The friend's move comes as an event: until then the question is open. */
export function reply(signal) {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** The address to send to a friend. */
function invitation() {
  const { id, told: { rules, start } } = state.room;
  return written({ ...fresh(rules), start, view: "play", query: { opponent: "friend", room: id } });
}

/** Copies the link to the room. */
export const copy = () => copyLink(invitation(), "room-link");

/** What is said of the room. */
function sentence({ seat, told, lost }) {
  if (lost) return text.room.lost;
  if (!told) return "";
  if (!told.complete) return seat ? text.room.waiting : "";
  if (told.offer) return text.room[told.offer.seat === seat ? "proposed" : "offers"][told.offer.proposal];
  return seat ? "" : text.room.watching;
}

/** Shows the room and what may be done there. */
export function show() {
  const { room } = state;
  const told = room?.told;
  const mine = room?.seat ?? null;
  const waits = Boolean(told && mine && !told.complete);
  const offered = Boolean(mine && told?.offer && told.offer.seat !== mine);
  const shown = {
    room: isOpen(),
    "room-address": waits,
    "room-link": Boolean(told),
    "room-sit": Boolean(told && !told.complete && !mine),
    "room-accept": offered,
    "room-decline": offered,
    takeback: goesOn() && !told.offer && state.moves !== "",
  };
  for (const [id, value] of Object.entries(shown)) element(id).hidden = !value;
  setText("room-told", room ? sentence(room) : "");
  if (waits) setText("room-address", new URL(invitation(), location.href).href);
  element("room-link").className = waits ? "first" : "quiet";
  showCopyButton("room-link", text.room.link);
}
