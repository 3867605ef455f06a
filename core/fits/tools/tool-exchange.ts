import type { Part, TextPart, ToolCallPart, ToolResultPart } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';

/** The parts of the client's request that each repair concerns. */
export interface Repairs {
  readonly renamed: Part[];
  readonly moved: Part[];
  readonly orphans: Part[];
  readonly missing: Part[];
}

/** A call without a result so far: its original id and its new one. */
interface Waiting {
  readonly call: ToolCallPart;
  readonly id: string;
  answered: boolean;
}

const isResult = ({ type }: Part): boolean => type === 'tool-result';
const isCall = (part: Part): part is Part & ToolCallPart => part.type === 'tool-call';

/** Returns the id, or a variant that is not in use. */
export type ClaimId = (id: string) => string;

/**
 * Some vendors number the calls of every response from zero. Duplicate ids get a counter, so that they are stable from
 * request to request.
 */
export function createIdClaims(): ClaimId {
  const taken = new Set<string>();
  /** The last counter of each id: a request can repeat one id ten thousand times. */
  const counts = new Map<string, number>();
  return (id) => {
    const base = id.slice(0, 56);
    let count = counts.get(base) ?? 2;
    let free = id;
    for (; taken.has(free); count += 1) free = `${base}_${count}`;
    counts.set(base, count);
    taken.add(free);
    return free;
  };
}

/** A result without a call, as text: wires refuse it, but its content can matter. */
const describeOrphan = ({ id, failed, parts }: ToolResultPart): readonly Part[] => {
  const texts = parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
  const text: TextPart = {
    type: 'text',
    text: [`[tool result ${id}]`, ...(failed ? ['Error:'] : []), ...texts].join(' '),
  };
  return [text, ...parts.filter(({ type }) => type !== 'text')];
};

const createMissing = ({ call, id }: Waiting): Part => ({
  type: 'tool-result',
  id,
  name: call.name,
  failed: true,
  parts: [{ type: 'text', text: 'no result was provided' }],
});

/** Matches the results of a turn to open calls, and adds them to `answers`. */
const matchResults = (
  turn: Turn,
  waiting: ReadonlyMap<string, Waiting[]>,
  answers: Set<Part>,
  repairs: Repairs,
): Turn => {
  const parts = turn.parts.flatMap((part): readonly Part[] => {
    if (part.type !== 'tool-result') return [part];
    const match = waiting.get(part.id)?.pop();
    if (match === undefined) {
      repairs.orphans.push(part);
      return describeOrphan(part);
    }
    match.answered = true;
    const answer = match.id === part.id ? part : { ...part, id: match.id };
    answers.add(answer);
    return [answer];
  });
  return { ...turn, parts };
};

/** Keeps the parts for which `keep` is true, and removes turns that become empty. */
const pickParts = (turns: readonly Turn[], keep: (part: Part) => boolean): readonly Turn[] =>
  turns.map((turn) => ({ ...turn, parts: turn.parts.filter(keep) })).filter(({ parts }) => parts.length > 0);

/**
 * The turns after an assistant turn: unchanged if every call is answered first, otherwise with the results moved to the
 * front.
 */
const repairFollowers = (
  followers: readonly Turn[],
  waiting: readonly Waiting[],
  repairs: Repairs,
): readonly Turn[] => {
  const answers = new Set<Part>();
  const byId = Map.groupBy(waiting.toReversed(), ({ call }) => call.id);
  const matched = followers.map((turn) => matchResults(turn, byId, answers, repairs));
  const missing = waiting.filter(({ answered }) => !answered).map(createMissing);
  const answersIn = ({ parts }: Turn): boolean => parts.some((part) => answers.has(part));
  const silent = matched.findIndex((turn) => !answersIn(turn));
  const isLate = silent !== -1 && silent < matched.findLastIndex(answersIn);
  if (isLate) repairs.moved.push(...followers.flatMap(({ parts }) => parts.filter(isResult)).slice(0, 1));
  for (const { call, answered } of waiting) if (!answered) repairs.missing.push(call);
  if (!isLate && missing.length === 0) return matched;
  const added: readonly Turn[] = missing.length === 0 ? [] : [{ role: 'user', parts: missing }];
  return [
    ...pickParts(matched, (part) => answers.has(part)),
    ...added,
    ...pickParts(matched, (part) => !answers.has(part)),
  ];
};

/**
 * Repairs one assistant turn (or none, at the start) and the turns up to the next one: calls get unique ids, and one
 * result each. Calls in the last turn of the conversation need no result yet.
 * @param claimId shared by all exchanges of a conversation
 */
export function repairExchange(turns: readonly Turn[], claimId: ClaimId, repairs: Repairs): readonly Turn[] {
  const [first, ...others] = turns;
  if (first?.role !== 'assistant') return repairFollowers(turns, [], repairs);
  const waiting: Waiting[] = [];
  const parts = first.parts.map((part) => {
    if (!isCall(part)) return part;
    const id = claimId(part.id);
    waiting.push({ call: part, id, answered: false });
    if (id === part.id) return part;
    repairs.renamed.push(part);
    return { ...part, id };
  });
  const assistant = waiting.some(({ call, id }) => call.id !== id) ? { ...first, parts } : first;
  return others.length === 0 ? [assistant] : [assistant, ...repairFollowers(others, waiting, repairs)];
}
