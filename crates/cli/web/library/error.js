// The error of all answers.

/** There is no answer. `code` names the cause; `details` is everything known about it; the
 * message is a sentence in English, or empty. */
export class KrouError extends Error {
  constructor(code, details = {}) {
    super(details.error ?? "");
    this.name = "KrouError";
    this.code = code;
    this.details = details;
  }
}
