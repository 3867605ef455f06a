import {
  isObject,
  KEPT_ENTRY,
  lookUp,
  parseJson,
  type EmitEvent,
  type GenerateEvent,
  type JsonObject,
  type ReadContext,
} from '../../../../../core/index.ts';
import { WIRE } from '../../shape.ts';
import { readCitations } from '../../citations.ts';
import { readCallId, readProof, readRedactedProof } from './response.ts';

/** A block of the stream while it is being received. */
export interface OpenBlock {
  delta(delta: JsonObject, emit: EmitEvent): void;
  stop(emit: EmitEvent): void;
}
interface Place {
  /** The handle of the part. */
  readonly part: number;
  /** Among the blocks of the answer. */
  readonly index: number;
  readonly context: ReadContext;
  /** Counts what is kept until the block stops. */
  readonly keep: (chars: number) => void;
}
type Open = (block: JsonObject, place: Place, emit: EmitEvent) => OpenBlock;
type PartEnd = Omit<Extract<GenerateEvent, { type: 'part-end' }>, 'type' | 'choice' | 'part'>;

const endPart = (part: number, emit: EmitEvent, end: PartEnd = {}): void =>
  emit({ type: 'part-end', choice: 0, part, ...end });

/** Vendors cut text between the halves of a surrogate pair; a half waits for the other, so that no client is shown a broken character. */
const createTextWriter = (part: number): ((text: unknown, emit: EmitEvent, last?: boolean) => void) => {
  let half = '';
  return (text, emit, last = false) => {
    const whole = half + (typeof text === 'string' ? text : '');
    const splits = !last && /[\uD800-\uDBFF]$/.test(whole);
    half = splits ? whole.slice(-1) : '';
    const ready = splits ? whole.slice(0, -1) : whole;
    if (ready !== '') emit({ type: 'part-delta', choice: 0, part, text: ready });
  };
};

const openText: Open = (block, { part, keep }, emit) => {
  const write = createTextWriter(part);
  const citations: unknown[] = Array.isArray(block['citations']) ? [...block['citations']] : [];
  emit({ type: 'part-start', choice: 0, part, kind: 'text' });
  write(block['text'], emit);
  return {
    delta: (delta, out) => {
      if (delta['type'] === 'text_delta') write(delta['text'], out);
      else if (delta['type'] === 'citations_delta') {
        keep(KEPT_ENTRY);
        citations.push(delta['citation']);
      }
    },
    stop: (out) => {
      write('', out, true);
      endPart(part, out, readCitations(citations));
    },
  };
};

const openThinking: Open = (block, { part, context }, emit) => {
  const write = createTextWriter(part);
  let { signature } = block;
  emit({ type: 'part-start', choice: 0, part, kind: 'reasoning' });
  write(block['thinking'], emit);
  return {
    delta: (delta, out) => {
      if (delta['type'] === 'thinking_delta') write(delta['thinking'], out);
      else if (delta['type'] === 'signature_delta') ({ signature } = delta);
    },
    stop: (out) => {
      write('', out, true);
      endPart(part, out, readProof(signature, context));
    },
  };
};

const openRedacted: Open = (block, { part, context }, emit) => {
  emit({ type: 'part-start', choice: 0, part, kind: 'reasoning', redacted: true });
  return { delta: () => {}, stop: (out) => endPart(part, out, readRedactedProof(block['data'], context)) };
};

/** Arguments come as deltas, or whole in the start; a call without any has the arguments `{}`. */
const openCall: Open = (block, { part, index, context }, emit) => {
  let seen = false;
  const send = (text: unknown, out: EmitEvent): void => {
    if (typeof text !== 'string' || text === '') return;
    seen = true;
    out({ type: 'part-delta', choice: 0, part, text });
  };
  const name = typeof block['name'] === 'string' ? block['name'] : '';
  emit({
    type: 'part-start',
    choice: 0,
    part,
    kind: 'tool-call',
    call: { id: readCallId(block['id'], index, context), name, kind: 'function' },
  });
  return {
    delta: (delta, out) => {
      if (delta['type'] === 'input_json_delta') send(delta['partial_json'], out);
    },
    stop: (out) => {
      if (!seen) send(JSON.stringify(block['input'] ?? {}), out);
      endPart(part, out);
    },
  };
};

/** A delta of a block that nobody knows: texts grow, other members are set. */
const growBlock = (block: JsonObject, { type: _type, ...members }: JsonObject): JsonObject => {
  const grown = { ...block };
  for (const [name, value] of Object.entries(members))
    grown[name] = typeof grown[name] === 'string' && typeof value === 'string' ? grown[name] + value : value;
  return grown;
};

/** Opaque parts are whole values, so the block is collected and shown when it stops. */
const openOpaque: Open = (start, { part, keep }) => {
  let block = start;
  let json = '';
  return {
    delta: (delta) => {
      for (const [name, value] of Object.entries(delta))
        keep(typeof value === 'string' ? value.length : name.length + KEPT_ENTRY);
      if (delta['type'] === 'input_json_delta' && typeof delta['partial_json'] === 'string')
        json += delta['partial_json'];
      else block = growBlock(block, delta);
    },
    stop: (emit) => {
      const input = json === '' ? undefined : parseJson(json);
      const value = isObject(input) ? { ...block, input } : block;
      emit({ type: 'part-start', choice: 0, part, kind: 'opaque', value: { type: 'opaque', wire: WIRE, value } });
      endPart(part, emit);
    },
  };
};

const openers: Readonly<Record<string, Open>> = {
  text: openText,
  thinking: openThinking,
  redacted_thinking: openRedacted,
  tool_use: openCall,
};

/** Starts the part that a `content_block_start` announces. */
export const openBlock: Open = (block, place, emit) => {
  const type = typeof block['type'] === 'string' ? block['type'] : '';
  const open = lookUp(openers, type);
  return (open ?? openOpaque)(block, place, emit);
};
