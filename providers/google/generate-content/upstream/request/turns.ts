import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import type { Lose } from '../../../../../core/api/codec.ts';
import { readCallNames } from '../../../../../core/api/internal.ts';
import { emptyConversation, writeTurnExtra } from '../../../turns.ts';
import { splitTurnExtra } from '../../extra-members.ts';
import { WIRE, type Content, type WirePart } from '../../shape.ts';
import { encodeParts } from './parts.ts';

/**
 * Merges neighbours of one role: results of parallel calls belong together, and some models require that roles
 * alternate.
 */
const mergeNeighbours = (contents: readonly Content[]): readonly Content[] => {
  const merged: (Content & { readonly parts: WirePart[] })[] = [];
  for (const content of contents) {
    const last = merged.at(-1);
    if (last?.role !== content.role) merged.push({ ...content, parts: [...content.parts] });
    else {
      for (const part of content.parts) last.parts.push(part);
      Object.assign(last, { ...content, parts: last.parts });
    }
  }
  return merged;
};

const isResult = (part: WirePart): boolean => part['functionResponse'] !== undefined;

/** Results must directly follow the calls. */
const moveResultsFirst = (content: Content): Content => {
  const { role, parts } = content;
  const first = parts.findIndex((part) => !isResult(part));
  if (role !== 'user' || first < 0 || !parts.some((part, index) => index > first && isResult(part))) return content;
  return { ...content, parts: [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))] };
};

const FIRST_TURN: Content = { role: 'user', parts: [{ text: '…' }] };

const startWithUser = (contents: readonly Content[], lose: Lose): readonly Content[] => {
  if (contents[0]?.role !== 'model') return contents;
  lose('contents', 'injected', 'a first user turn, which generate-content requires');
  return [FIRST_TURN, ...contents];
};

/**
 * Encodes the leading system turns as `systemInstruction`, one part per text, and all others as contents whose roles
 * alternate.
 */
export function encodeTurns({ turns, wire }: Pick<GenerateRequest, 'turns' | 'wire'>, lose: Lose) {
  const names = readCallNames(turns);
  const leading = turns.findIndex(({ role }) => role !== 'system');
  const system: WirePart[] = [];
  let systemExtra: JsonObject = {};
  const contents: Content[] = [];
  turns.forEach((turn, index) => {
    const path = `contents[${index}]`;
    const { parts: kept, own } = splitTurnExtra(writeTurnExtra(turn, WIRE, path, lose));
    const parts = encodeParts(turn, { names, kept, wire, path, lose });
    if (leading < 0 || index < leading) {
      for (const part of parts) system.push(part);
      systemExtra = { ...systemExtra, ...own };
    } else if (parts.length > 0) contents.push({ ...own, role: turn.role === 'assistant' ? 'model' : 'user', parts });
    else lose(path, 'dropped', 'a turn without content, which generate-content rejects');
  });
  if (contents.length === 0) throw emptyConversation(wire === WIRE ? 'contents' : 'messages');
  const joined = mergeNeighbours(contents).map(moveResultsFirst);
  return {
    ...(system.length === 0 ? {} : { system: { ...systemExtra, parts: system } }),
    contents: wire === WIRE ? joined : startWithUser(joined, lose),
  };
}
