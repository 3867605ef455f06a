import type { CacheMark, Part } from '../../canonical/part.ts';
import type { GenerateRequest } from '../../canonical/request.ts';
import { rewriteList, rewriteParts } from '../support/rewrite-parts.ts';

type Ttl = CacheMark['ttl'];

/** The corresponding lifetime of the other vendor. */
const counterparts: Readonly<Record<Ttl, Ttl>> = { '5m': '30m', '30m': '5m', '1h': '12h', '12h': '1h' };
const lifetimes: readonly Ttl[] = ['5m', '30m', '1h', '12h'];
const rankOf = (ttl: Ttl): number => lifetimes.indexOf(ttl);

export const isLonger = (ttl: Ttl, than: Ttl): boolean => rankOf(ttl) > rankOf(than);

/**
 * The supported lifetime that is nearest to the requested one: itself, its counterpart, otherwise the next shorter one.
 */
export function nearestLifetime(wanted: Ttl, known: readonly Ttl[]): Ttl | undefined {
  if (known.includes(wanted)) return wanted;
  const counterpart = counterparts[wanted];
  if (known.includes(counterpart)) return counterpart;
  return known.findLast((ttl) => !isLonger(ttl, wanted)) ?? known[0];
}

const isMarked = (part: Part): boolean =>
  part.cache !== undefined || (part.type === 'tool-result' && part.parts.some(isMarked));

/** Whether there is any mark. Most requests have none. */
export const hasMarks = ({ tools, turns }: GenerateRequest): boolean =>
  tools.some(({ cache }) => cache !== undefined) || turns.some(({ parts }) => parts.some(isMarked));

const marksIn = (part: Part): readonly CacheMark[] => [
  ...(part.type === 'tool-result' ? part.parts.flatMap(marksIn) : []),
  ...(part.cache === undefined ? [] : [part.cache]),
];

/** Every mark in prompt order: tools, then the conversation. */
export const collectMarks = ({ tools, turns }: GenerateRequest): readonly CacheMark[] => [
  ...tools.flatMap(({ cache }) => (cache === undefined ? [] : [cache])),
  ...turns.flatMap(({ parts }) => parts.flatMap(marksIn)),
];

type Rewrite = (mark: CacheMark) => CacheMark | undefined;

/** Returns the same object if its mark does not change. */
const rewriteMark = <T extends { readonly cache?: CacheMark }>(marked: T, rewrite: Rewrite): T => {
  const { cache, ...plain } = marked;
  if (cache === undefined) return marked;
  const rewritten = rewrite(cache);
  if (rewritten === cache) return marked;
  return (rewritten === undefined ? plain : { ...marked, cache: rewritten }) as T;
};

/**
 * Rewrites every mark, in prompt order; a mark rewritten to `undefined` is removed, its part stays. Returns the same
 * request if nothing changes.
 */
export function rewriteMarks(request: GenerateRequest, rewrite: Rewrite): GenerateRequest {
  const rewritePart = (part: Part): Part => {
    if (part.type !== 'tool-result') return rewriteMark(part, rewrite);
    const parts = rewriteList(part.parts, rewritePart);
    return rewriteMark(parts === part.parts ? part : { ...part, parts }, rewrite);
  };
  const tools = rewriteList(request.tools, (tool) => rewriteMark(tool, rewrite));
  const turns = rewriteParts(request.turns, rewritePart);
  return tools === request.tools && turns === request.turns ? request : { ...request, tools, turns };
}
