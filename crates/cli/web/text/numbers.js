// How a language writes numbers and counts things, for the texts of all languages.

export function numbers(code) {
  // Each takes a while to make: only once it is needed.
  let forms = null;
  let one = null;
  return {
    /** A number of things: French has the singular for zero, too. */
    plural: (number, singular, plural) => {
      forms ??= new Intl.PluralRules(code);
      return `${number} ${forms.select(number) === "one" ? singular : plural}`;
    },
    /** A number with one decimal. */
    decimal: (number) => {
      one ??= new Intl.NumberFormat(code, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
      return one.format(number);
    },
    /** A large number, which is easier to read in groups of digits. */
    large: (number) => number.toLocaleString(code),
  };
}
