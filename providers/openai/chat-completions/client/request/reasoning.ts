import type { JsonObject, Reasoning } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined } from '../../../../../core/api/codec.ts';
import { effortOf } from '../../reasoning-object.ts';

export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

interface DecodedReasoning {
  readonly reasoning: Reasoning | undefined;
  readonly extra: JsonObject;
  /** Members of `extra` that are canonical as well. */
  readonly honoured?: readonly string[];
  /** The client sent the object. */
  readonly isObject: boolean;
}

const readEffort = (object: Members, short: string | undefined): string | undefined => {
  const given = object.oneOf('effort', efforts) ?? short;
  const implied = effortOf(object.unread());
  return implied === 'none' || (given === undefined && !object.has('max_tokens')) ? implied : given;
};

/**
 * `reasoning_effort`, and the object `reasoning` of aggregators, which takes precedence. Its other members stay in
 * `extra`.
 */
export function decodeReasoning(body: Members): DecodedReasoning {
  const short = body.oneOf('reasoning_effort', efforts);
  const object = body.object('reasoning');
  if (object === undefined)
    return { reasoning: short === undefined ? undefined : { effort: short }, extra: {}, isObject: false };
  const exclude = object.boolean('exclude');
  const reasoning = omitUndefined({
    effort: readEffort(object, short),
    budget: object.number('max_tokens', { integer: true, min: 0 }),
    show: exclude === undefined ? undefined : !exclude,
  });
  const others = object.unread();
  return {
    reasoning: Object.keys(reasoning).length === 0 ? undefined : reasoning,
    extra: Object.keys(others).length === 0 ? {} : { reasoning: others },
    ...(Object.keys(others).every((name) => name === 'enabled') ? { honoured: ['reasoning'] } : {}),
    isObject: true,
  };
}
