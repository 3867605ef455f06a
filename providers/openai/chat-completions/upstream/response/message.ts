import {
  countCodePoints,
  isObject,
  type JsonObject,
  lookUp,
  type MediaPart,
  type Part,
  type Proof,
  type ReadContext,
  readList,
  readObject,
  readText,
} from '../../../../../core/index.ts';
import { readAnnotations } from '../../annotations.ts';
import { readImageUrl } from '../../media.ts';
import { foldDetails, readDetails } from '../../reasoning-details.ts';
import { WIRE, omitKnown } from '../../shape.ts';

/** The members of a whole message, and of a delta, that this codec reads. */
const known: ReadonlySet<string> = new Set([
  'role',
  'content',
  'refusal',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'tool_calls',
  'function_call',
  'annotations',
  'images',
]);

/** Text of Mistral's `thinking` blocks: a list of text pieces, or a string. */
export function readThinking(block: Readonly<JsonObject>): string {
  const { thinking } = block;
  return typeof thinking === 'string'
    ? thinking
    : readList(thinking)
        .map((piece) => readText(readObject(piece)['text']))
        .join('');
}

/** Arguments come as text, and from Ollama and old vLLM as an object. */
export const readArguments = (value: unknown): string =>
  isObject(value) || Array.isArray(value) ? JSON.stringify(value) : readText(value);

/** Free text instead of a function's JSON. Some servers send both bodies and leave one of them empty. */
export const isCustom = (call: Readonly<JsonObject>): boolean =>
  call['type'] === 'custom' || (call['type'] !== 'function' && isObject(call['custom']) && !isObject(call['function']));

/** The thought signature that Google's server of this wire puts on a call. */
export const readSignature = (call: Readonly<JsonObject>): string =>
  readText(readObject(readObject(call['extra_content'])['google'])['thought_signature']);

/** An id for a call that came without one: the same whenever the same conversation is read. */
export const deriveCallId = (context: ReadContext, choice: number, call: number): string =>
  `call_${context.turn}_${choice}_${call}`;

const blockReaders: Readonly<Record<string, (block: JsonObject, stamp: (value: string) => Proof) => readonly Part[]>> =
  {
    text: (block) => (readText(block['text']) === '' ? [] : [{ type: 'text', text: readText(block['text']) }]),
    refusal: (block) => [{ type: 'refusal', text: readText(block['refusal']) }],
    thinking: (block, stamp) => {
      const signature = readText(block['signature']);
      return [
        { type: 'reasoning', text: readThinking(block), ...(signature === '' ? {} : { proof: stamp(signature) }) },
      ];
    },
  };

/** `content` as a list is Mistral's; OpenAI sends a text. */
export function readContent(content: unknown, stamp: (value: string) => Proof): readonly Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return readList(content)
    .filter(isObject)
    .flatMap(
      (block): readonly Part[] =>
        lookUp(blockReaders, readText(block['type']))?.(block, stamp) ?? [{ type: 'opaque', wire: WIRE, value: block }],
    );
}

const readReasoning = (message: Readonly<JsonObject>, stamp: (value: string) => Proof): readonly Part[] => {
  const parts = foldDetails(readDetails(message['reasoning_details']), stamp);
  if (parts.some(({ text }) => text !== '')) return parts;
  const text = readText(message['reasoning_content']) || readText(message['reasoning']);
  return text === '' ? parts : [{ type: 'reasoning', text }, ...parts];
};

const readCall = (call: JsonObject, id: string, stamp: (value: string) => Proof): Part => {
  if (isCustom(call)) {
    const custom = readObject(call['custom']);
    return {
      type: 'tool-call',
      kind: 'custom',
      id,
      name: readText(custom['name']),
      input: readArguments(custom['input']),
    };
  }
  const { name, arguments: input } = readObject(call['function']);
  const signature = readSignature(call);
  return {
    type: 'tool-call',
    kind: 'function',
    id,
    name: readText(name),
    input: readArguments(input) || '{}',
    ...(signature === '' ? {} : { proof: stamp(signature) }),
  };
};

const readCalls = (
  message: Readonly<JsonObject>,
  choice: number,
  context: ReadContext,
  stamp: (value: string) => Proof,
): readonly Part[] => {
  const legacy = readObject(message['function_call']);
  const calls = readList(message['tool_calls']).filter(isObject);
  const all = readText(legacy['name']) === '' ? calls : [...calls, { function: legacy }];
  return all.map((call, index) => readCall(call, readText(call['id']) || deriveCallId(context, choice, index), stamp));
};

/** Pictures that the model made, as OpenRouter shows them. */
export const readImages = (value: unknown): readonly MediaPart[] =>
  readList(value).flatMap((image): readonly MediaPart[] => {
    const media = readImageUrl(readText(readObject(readObject(image)['image_url'])['url']));
    return media === undefined ? [] : [{ type: 'media', media }];
  });

/** Citations stand beside the text they belong to; they go with the last one. */
const cite = (parts: readonly Part[], annotations: unknown): readonly Part[] => {
  const last = parts.findLastIndex(({ type }) => type === 'text');
  const from = parts
    .slice(0, Math.max(0, last))
    .reduce((sum, part) => sum + (part.type === 'text' ? countCodePoints(part.text) : 0), 0);
  const citations = readAnnotations(annotations, from);
  return citations.length === 0
    ? parts
    : parts.map((part, index) => (index === last && part.type === 'text' ? { ...part, citations } : part));
};

/** Reasoning, content, refusal, pictures, calls. What the vendor adds stays in `extra`. */
export function decodeMessage(
  message: Readonly<JsonObject>,
  choice: number,
  context: ReadContext,
): { readonly parts: readonly Part[]; readonly extra: JsonObject } {
  const stamp = (value: string): Proof => ({ origin: context.origin, value });
  const refusal = readText(message['refusal']);
  const parts: readonly Part[] = [
    ...readReasoning(message, stamp),
    ...readContent(message['content'], stamp),
    ...(refusal === '' ? [] : [{ type: 'refusal', text: refusal } as const]),
    ...readImages(message['images']),
    ...readCalls(message, choice, context, stamp),
  ];
  return { parts: cite(parts, message['annotations']), extra: omitKnown(message, known) };
}
