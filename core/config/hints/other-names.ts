/** A limit with the number of the file. */
const limit =
  (unit: string, example: number, per?: string) =>
  (value: unknown): string => {
    const amount = typeof value === 'number' && value > 0 ? value : example;
    return (
      `Limits are written as limits: [{ ${unit}: ${amount}${per === undefined ? '' : `, per: ${per}`} }], ` +
      'for all keys, or for an organization, a project or a key.'
    );
  };

const requests = limit('requests', 60, '1m');
const tokens = limit('tokens', 100_000, '1m');
const budget = limit('cost', 100, 'month');
const concurrent = limit('concurrent', 8);
const targets = (): string => 'The targets of a model are tried in their order: add the others to its "targets".';

/** What settings of other gateways are here, by their names in small letters and without separators. */
const hints: ReadonlyMap<string, (value: unknown) => string> = new Map(
  Object.entries({
    rpm: requests,
    rpmlimit: requests,
    requestsperminute: requests,
    ratelimit: requests,
    ratelimits: requests,
    rpd: limit('requests', 1_000, '24h'),
    tpm: tokens,
    tpmlimit: tokens,
    tokensperminute: tokens,
    tpd: limit('tokens', 1_000_000, '24h'),
    budget,
    maxbudget: budget,
    budgetduration: () => budget(undefined),
    maxparallelrequests: concurrent,
    concurrency: concurrent,
    maxconcurrency: concurrent,
    fallback: targets,
    bodybytes: () => 'Set memory to the memory that the bodies of open requests may take, or leave it out.',
    fallbacks: targets,
  }),
);

/** What to write instead of a setting that other gateways have. */
export const describeOtherName = (key: string, value: unknown): string | undefined =>
  hints.get(key.replaceAll(/[-_]/g, '').toLowerCase())?.(value);
