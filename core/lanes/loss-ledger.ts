import type { Lose, Loss } from '../canonical/loss.ts';
import type { WireTraits } from '../contracts/capabilities.ts';
import type { Exchange } from '../contracts/exchange.ts';
import { createLocateName } from '../fits/support/client-path.ts';
import { unsupportedParameter } from '../fits/support/unsupported.ts';

/** The losses of one attempt, each recorded once: a stream can lose the same field in every chunk. */
export interface LossLedger {
  /** For the response, whose losses have the names that their codec gives them. */
  readonly lose: Lose;
  /** For the request: the loss is named as the client wrote the member. */
  readonly loseOfRequest: Lose;
}

/** Bounds memory: the names can come from the upstream. */
const MAX_LOSSES = 1_000;

/**
 * @param losses the attempt's list, which each loss is added to
 * @param body the client's
 * @param client traits of the client's wire
 */
export function createLossLedger(losses: Loss[], body?: unknown, client: WireTraits = {}): LossLedger {
  // Created with the first loss: most attempts have none.
  let named: Set<string> | undefined;
  let locate: ReturnType<typeof createLocateName> | undefined;
  const lose: Lose = (field, kind, detail) => {
    const name = `${field};${kind}`;
    named ??= new Set();
    if (named.has(name) || named.size === MAX_LOSSES) return;
    named.add(name);
    losses.push({ field, kind, detail });
  };
  return {
    lose,
    loseOfRequest: (field, kind, detail) => {
      if (named?.size === MAX_LOSSES) return;
      locate ??= createLocateName(body, client);
      lose(locate(field, kind), kind, detail);
    },
  };
}

/** Losses that the message of a refusal names. */
const MAX_NAMED = 8;

/**
 * Under `losses: reject` a target that would lose something is unsuitable. An injected value does not count: it takes
 * nothing from the client's request.
 * @throws GatewayError `unsupported_parameter`, naming every loss
 */
export function refuseLosses({ losses: policy }: Pick<Exchange, 'losses'>, losses: readonly Loss[]): void {
  if (policy !== 'reject') return;
  const real = losses.filter(({ kind }) => kind !== 'injected');
  const [first] = real;
  if (first === undefined) return;
  const named = real.slice(0, MAX_NAMED).map(({ field, kind, detail }) => `'${field}' would be ${kind}: ${detail}`);
  const more = real.length > MAX_NAMED ? `; and ${real.length - MAX_NAMED} more` : '';
  throw unsupportedParameter(
    first.field,
    'The model cannot serve all of this request, and losses are not allowed here (losses: reject). ' +
      `${named.join('; ')}${more}.`,
  );
}
