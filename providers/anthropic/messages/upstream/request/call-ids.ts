import { lookUp } from '../../../../../core/api/codec.ts';
import type { Block, Message } from '../../shape.ts';

const ID_LENGTH = 64;

/** Maps ids to ones that the wire accepts. Different ids stay different, and the same id is always mapped alike. */
const createIds = (): ((original: string) => string) => {
  const known = new Map<string, string>();
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (original) => {
    const legal = known.get(original);
    if (legal !== undefined) return legal;
    const base = original.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, ID_LENGTH) || 'call';
    let id = base;
    let count = counts.get(base) ?? 2;
    for (; used.has(id); count += 1) id = `${base.slice(0, ID_LENGTH - String(count).length - 1)}_${count}`;
    counts.set(base, count);
    used.add(id);
    known.set(original, id);
    return id;
  };
};

const memberOf: Readonly<Record<string, string>> = { tool_use: 'id', tool_result: 'tool_use_id' };

/** Replaces the ids of calls and results that the wire does not accept: it requires `^[a-zA-Z0-9_-]+$`. */
export function sanitiseCallIds(messages: readonly Message[]): Message[] {
  const createId = createIds();
  const legalise = (block: Block): Block => {
    const member = lookUp(memberOf, block.type);
    const original = member === undefined ? undefined : block[member];
    if (member === undefined || typeof original !== 'string') return block;
    const id = createId(original);
    return id === original ? block : { ...block, [member]: id };
  };
  return messages.map((message) => ({ ...message, content: message.content.map(legalise) }));
}
