/** One use of a metric in an expression, with its labels. */
export interface Use {
  readonly metric: string;
  readonly labels: readonly string[];
}

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The first problem with the brackets and quotes of an expression. Nothing else of its syntax is checked. */
export const findImbalance = (expression: string): string | undefined => {
  const open: string[] = [];
  let quote: string | undefined;
  for (let index = 0; index < expression.length; index += 1) {
    const char = expression[index] ?? '';
    if (quote !== undefined) {
      if (char === '\\') index += 1;
      else if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'") quote = char;
    else if (pairs[char] !== undefined) open.push(pairs[char]);
    else if (')]}'.includes(char) && open.pop() !== char) return `an unexpected ${char} at ${index}`;
  }
  if (quote !== undefined) return `a ${quote} without its end`;
  return open.length === 0 ? undefined : `no ${open.at(-1)}`;
};

const METRIC = /\b(?:koine|process|nodejs)_\w+/g;

/** The metrics of an expression. Labels that it groups by count as labels of each metric. */
export const usesIn = (expression: string): readonly Use[] =>
  Array.from(expression.matchAll(METRIC), (found) => {
    const rest = expression.slice(found.index + found[0].length);
    const selector = /^\{([^}]*)\}/.exec(rest)?.[1] ?? '';
    return {
      metric: found[0],
      labels: Array.from(selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g), ([, label = '']) => label),
    };
  });

/** The labels of `by` and `without` clauses. */
export const groupedBy = (expression: string): readonly string[] =>
  Array.from(expression.matchAll(/\b(?:by|without) \(([^)]*)\)/g), ([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  ).flat();
