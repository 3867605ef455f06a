import type { Headers } from '../canonical/wire.ts';
import type { UpstreamLimit } from '../contracts/extension.ts';

/** The two headers with which a vendor reports one limit. */
export interface LimitHeaders {
  /** The gateway's name of the unit: `requests`, `tokens`, `input_tokens`, `output_tokens`. */
  readonly unit: string;
  readonly limit: string;
  readonly remaining: string;
}

const readFigure = (text: string | undefined): number =>
  text === undefined || text.trim() === '' ? Number.NaN : Number(text);

/**
 * A reader of such headers. Limits without a usable value are left out (Azure sends -1 and 0 for a limit that it does
 * not know).
 */
export const createLimitReader =
  (known: readonly LimitHeaders[]) =>
  (headers: Headers): readonly UpstreamLimit[] =>
    known.flatMap(({ unit, limit: limitName, remaining: remainingName }) => {
      const limit = readFigure(headers[limitName]);
      const remaining = readFigure(headers[remainingName]);
      return limit > 0 && remaining >= 0 ? [{ unit, limit, remaining }] : [];
    });
