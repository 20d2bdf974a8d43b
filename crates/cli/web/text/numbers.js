// How a language writes numbers and counts things, for the texts of all languages.

export function numbers(code) {
  const forms = new Intl.PluralRules(code);
  const one = new Intl.NumberFormat(code, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return {
    /** A number of things: French has the singular for zero, too. */
    plural: (number, singular, plural) => `${number} ${forms.select(number) === "one" ? singular : plural}`,
    /** A number with one decimal. */
    decimal: (number) => one.format(number),
    /** A large number, which is easier to read in groups of digits. */
    large: (number) => number.toLocaleString(code),
  };
}
