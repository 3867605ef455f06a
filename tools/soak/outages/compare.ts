import type { ExchangeLine } from '../access-log.ts';
import { countStatuses, type Tally } from '../clients.ts';
import { shorten, type Finding } from '../verdict.ts';
import type { Amounts, Books, LifeBook, Row } from './books.ts';
import { POOR_USD } from './settings.ts';

const none: Amounts = { exchanges: 0, input: 0, output: 0, cost: 0 };
const add = (sum: Amounts, { input_tokens, cached, output_tokens, cost }: Row): Amounts => ({
  exchanges: sum.exchanges + 1,
  input: sum.input + input_tokens + cached,
  output: sum.output + output_tokens,
  cost: sum.cost + cost,
});
const isEqual = (one: Amounts, other: Amounts | undefined): boolean =>
  one.exchanges === other?.exchanges &&
  one.input === other.input &&
  one.output === other.output &&
  one.cost === other.cost;
const describe = ({ exchanges, input, output, cost }: Amounts = none): string =>
  `${exchanges} exchanges, ${input} + ${output} tokens, ${cost / 1e9} USD`;

/** The amounts of rows by the paths of their organization, project and key. */
const sumByPath = (rows: readonly Row[]): ReadonlyMap<string, Amounts> => {
  const sums = new Map<string, Amounts>();
  for (const row of rows) {
    const { organization, project, key } = row;
    for (const path of [organization, `${organization}/${project}`, `${organization}/${project}/${key}`])
      sums.set(path, add(sums.get(path) ?? none, row));
  }
  return sums;
};

/** Whole responses without their line or their row, and rows and lines that contradict each other. */
const compareWithLog = (rows: readonly Row[], lives: readonly LifeBook[], tally: Tally): readonly Finding[] => {
  const settled = new Map(rows.filter(({ state }) => state === 'settled').map((row) => [row.id, row]));
  const lines = new Map<string, ExchangeLine>();
  const byClient = new Map<string, ExchangeLine>();
  const twice: string[] = [];
  for (const life of lives)
    for (const [id, line] of life.lines) {
      if (lines.has(id)) twice.push(id);
      lines.set(id, line);
      byClient.set(line.client_request_id ?? 'none', line);
    }
  const whole = [...tally.answered.keys()];
  const isCut = ({ client_request_id: id }: ExchangeLine): boolean => !tally.answered.has(id ?? 'none');
  const needRow = [...lines.values()].filter(({ attempts }) => attempts.length > 0);
  const lacking = needRow.filter(({ request_id: id }) => !settled.has(id));
  const unlogged = [...settled.keys()].filter((id) => !lines.has(id));
  const unanswered = tally.sent.length - tally.answered.size;
  const other = [...settled.values()].filter(({ id, cost }) => {
    const line = lines.get(id);
    return line !== undefined && (line.cost_micro ?? 0) * 1_000 !== cost;
  });
  const withoutLine = whole.filter((id) => !byClient.has(id));
  return [
    {
      name: 'a line for each whole response',
      good: withoutLine.length === 0,
      detail: `${whole.length} whole responses; without a line: ${shorten(withoutLine)}`,
    },
    {
      name: 'a row for each whole response that called a provider',
      good: lacking.every(isCut),
      detail:
        `${needRow.length} lines with calls, ${settled.size} settled rows; ` +
        `without a row: ${shorten(lacking.filter((line) => !isCut(line)).map(({ request_id }) => request_id))}; ` +
        `cut off by a kill: ${lacking.filter(isCut).length}`,
    },
    {
      // A whole response has its line, so these rows are of responses that a kill has cut off.
      name: 'a line for each row',
      good: unlogged.length <= unanswered && (unlogged.length === 0 || withoutLine.length === 0),
      detail: `without a line: ${shorten(unlogged)} (${unanswered} requests have no whole response)`,
    },
    {
      name: 'the cost of each row is that of its line',
      good: other.length === 0,
      detail: `other: ${shorten(other.map(({ id, cost }) => `${id} ${cost}`))}`,
    },
    { name: 'no line of two gateways', good: twice.length === 0, detail: shorten(twice) },
  ];
};

const compareWithSums = ({ rows, sums, usage }: Books, byPath: ReadonlyMap<string, Amounts>): readonly Finding[] => {
  const all = rows.reduce(add, none);
  const steps = [...sums].filter(([, amounts]) => !isEqual(all, amounts));
  const wrong = usage.flatMap((byKey, host) =>
    [...byPath]
      .filter(([path, amounts]) => path.split('/').length === 3 && !isEqual(amounts, byKey.get(path)))
      .map(([path, amounts]) => `host ${host}, ${path}: ${describe(byKey.get(path))}, rows ${describe(amounts)}`),
  );
  return [
    {
      name: 'ledger: the sums are those of the rows',
      good: steps.length === 0,
      detail: `rows: ${describe(all)}; other: ${shorten(steps.map(([step, found]) => `${step} ${describe(found)}`))}`,
    },
    { name: 'ledger = API', good: wrong.length === 0, detail: `keys that differ: ${shorten(wrong)}` },
  ];
};

/** Budgets that are not what the ledger has, as texts. */
export const findWrongBudgets = (
  budgets: readonly ReadonlyMap<string, number>[],
  rows: readonly Row[],
): readonly string[] => {
  const byPath = sumByPath(rows);
  return budgets.flatMap((spent, host) =>
    [...spent]
      .filter(([path, nanos]) => nanos !== (byPath.get(path)?.cost ?? 0))
      .map(
        ([path, nanos]) => `host ${host}, ${path}: ${nanos / 1e9} USD, ledger ${(byPath.get(path)?.cost ?? 0) / 1e9}`,
      ),
  );
};

const compareWithBudgets = ({ rows, budgets }: Books, byPath: ReadonlyMap<string, Amounts>): readonly Finding[] => {
  const wrong = findWrongBudgets(budgets, rows);
  const poor = [...byPath].find(([path]) => path.endsWith('/poor'))?.[1] ?? none;
  return [
    {
      name: 'ledger = budget',
      good: wrong.length === 0 && budgets.every(({ size }) => size > 0),
      detail: `${budgets.map(({ size }) => size).join(' and ')} budgets; other: ${shorten(wrong)}`,
    },
    {
      name: 'no budget is exceeded',
      good: poor.cost <= POOR_USD * 1e9,
      detail: `${poor.cost / 1e9} of ${POOR_USD} USD`,
    },
  ];
};

/**
 * The metrics of a gateway that serves are what its log has. One that has ended counted some requests after its last
 * scrape, which nothing can report any more: what it had reported must be in its log, too.
 */
const compareWithMetrics = (lives: readonly LifeBook[]): Finding => {
  const wrong: string[] = [];
  let [scraped, later] = [0, 0];
  for (const { life, lines } of lives) {
    const micros = [...lines.values()].reduce((sum, { cost_micro: cost = 0 }) => sum + cost, 0);
    const { requests, micros: counted } = life.counted;
    const isExact = life.end === 'serving';
    const isWithin = requests <= lines.size && counted <= micros;
    if (life.hasFallen || !isWithin || (isExact && (requests !== lines.size || counted !== micros)))
      wrong.push(`${life.end}: ${requests} requests, ${counted} micro-dollars; log ${lines.size}, ${micros}`);
    scraped += requests;
    later += lines.size - requests;
  }
  return {
    name: 'metric = log',
    good: wrong.length === 0,
    detail:
      `${scraped} requests in the last scrapes of ${lives.length} gateways, ${later} after the last scrape of one ` +
      `that has ended; other: ${shorten(wrong)}`,
  };
};

export interface Outcome {
  readonly books: Books;
  readonly tally: Tally;
  /** What did not agree between two outages. */
  readonly differences: readonly string[];
  /** Of all gateways, on standard error. */
  readonly stderr: string;
}

/** Compares ledger, API, budgets, metrics, access log, and what the clients received. */
export function compareBooks({ books, tally, differences, stderr }: Outcome): readonly Finding[] {
  const { rows, lives } = books;
  const byPath = sumByPath(rows);
  const open = rows.filter(({ state }) => state === 'pending').length;
  const ends = lives.filter(({ life }) => life.end === 'stopped').map(({ life }) => life.exitCode);
  const faults = lives
    .flatMap(({ lines }) => [...lines.values()])
    .filter(({ status }) => status === 500)
    .map(({ request_id: id, code, error_message: message }) => `${id} ${code} ${message}`);
  const warnings = stderr.split('\n').filter((line) => /warning|unhandled|uncaught|^\s+at /i.test(line));
  return [
    { name: 'no row is open', good: open === 0, detail: `${open} open` },
    ...compareWithLog(rows, lives, tally),
    ...compareWithSums(books, byPath),
    ...compareWithBudgets(books, byPath),
    { name: 'ledger = budget after each outage', good: differences.length === 0, detail: shorten(differences) },
    compareWithMetrics(lives),
    {
      name: 'no fault of the gateway',
      good: faults.length === 0 && !countStatuses(tally).has(500),
      detail: `status 500: ${shorten(faults)}`,
    },
    { name: 'no warning', good: warnings.length === 0, detail: shorten(warnings) },
    { name: 'clean ends', good: ends.every((code) => code === 0), detail: `exit codes ${ends.join(', ') || 'none'}` },
  ];
}
