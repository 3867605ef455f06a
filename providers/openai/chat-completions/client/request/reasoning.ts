import { invalidRequest, type JsonObject, type Reasoning } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined } from '../../../../../core/api/codec.ts';

const efforts: ReadonlySet<string> = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

const checkEffort = (effort: string | undefined, path: string): string | undefined => {
  if (effort === undefined || efforts.has(effort)) return effort;
  throw invalidRequest(path, `'${path}' must be one of ${[...efforts].map((known) => `'${known}'`).join(', ')}.`);
};

/**
 * `reasoning_effort`, and the gateway's own `reasoning` object, which takes precedence. Its other members stay in
 * `extra`.
 */
export function decodeReasoning(body: Members): {
  readonly reasoning: Reasoning | undefined;
  readonly extra: JsonObject;
} {
  const short = checkEffort(body.string('reasoning_effort'), 'reasoning_effort');
  const object = body.object('reasoning');
  if (object === undefined) return { reasoning: short === undefined ? undefined : { effort: short }, extra: {} };
  const exclude = object.boolean('exclude');
  const reasoning = omitUndefined({
    effort: checkEffort(object.string('effort'), object.at('effort')) ?? short,
    budget: object.number('max_tokens', { integer: true, min: 0 }),
    show: exclude === undefined ? undefined : !exclude,
  });
  const others = object.unread();
  return {
    reasoning: Object.keys(reasoning).length === 0 ? undefined : reasoning,
    extra: Object.keys(others).length === 0 ? {} : { reasoning: others },
  };
}
