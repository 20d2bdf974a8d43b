// The error of an answer.

/** An error of an answer, or no answer. `code` names the cause; `details` is the whole
 * answer; the message is its sentence in English, or empty. */
export class AnswerError extends Error {
  constructor(code, details = {}) {
    super(details.error ?? "");
    this.code = code;
    this.details = details;
  }
}
