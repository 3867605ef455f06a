import {
  formatDuration,
  type CallerScope,
  type Limit,
  type LimitScope,
  type LimitUnit,
} from '../../../core/api/index.ts';

/** `1m`, `90s`, `month`; empty for a limit without a window. */
export const describeWindow = (per: Limit['per']): string =>
  typeof per === 'number' ? formatDuration(per) : (per ?? '');

/** `key;requests;1m`: the label of a limit in metrics and in the header. It contains no name of a key or a user. */
export const labelOf = (scope: LimitScope, { unit, per, each }: Limit): string =>
  [scope, unit, describeWindow(per), each ?? ''].filter((part) => part !== '').join(';');

/** `acme/web;month`, `acme;day;openai/*`: the label of a budget of an organization or a project in metrics. */
export const budgetOf = ({ path }: Pick<CallerScope, 'path'>, { per, models }: Limit): string =>
  [path.join('/'), describeWindow(per), models.join(',')].filter((part) => part !== '').join(';');

const unitNames: Readonly<Record<LimitUnit, readonly [one: string, many: string]>> = {
  requests: ['request', 'requests'],
  tokens: ['token', 'tokens'],
  inputTokens: ['input token', 'input tokens'],
  outputTokens: ['output token', 'output tokens'],
  images: ['image', 'images'],
  seconds: ['second of audio', 'seconds of audio'],
  characters: ['character', 'characters'],
  cost: ['USD', 'USD'],
  concurrent: ['concurrent request', 'concurrent requests'],
};

/** `60`; for cost, nano-dollars as dollars: `0.25`. */
export const describeAmount = (unit: LimitUnit, amount: number): string =>
  unit === 'cost' ? (amount / 1e9).toFixed(9).replace(/\.?0+$/, '') : String(amount);

/** The terms of a limit for operators. */
export const describeTerms = ({ unit, amount, per, burst, soft, models, each, enforce }: Limit) => ({
  unit,
  amount: Number(describeAmount(unit, amount)),
  per: per === undefined ? undefined : describeWindow(per),
  burst,
  soft,
  models,
  each,
  enforce,
});

const describeEach = (each: Limit['each']): string =>
  each === undefined ? '' : ` for each ${each === 'user' ? 'user' : `value of ${each}`}`;

/** `60 requests per 1m for openai/* of the key alice`, `5 requests per 1m for each user of the key alice` */
export const describeLimit = (
  scope: LimitScope,
  holder: string,
  { unit, amount, per, burst, models, each }: Limit,
): string =>
  [
    `${describeAmount(unit, amount)} ${unitNames[unit][amount === 1 ? 0 : 1]}`,
    per === undefined ? '' : ` per ${describeWindow(per)}`,
    burst === undefined ? '' : ` in bursts of ${burst}`,
    models.length === 0 ? '' : ` for ${models.join(', ')}`,
    describeEach(each),
    ` of the ${scope} ${holder}`,
  ].join('');
