import type { JsonObject, MediaPart, Part } from '../../../../../core/api/index.ts';
import {
  isObject,
  lookUp,
  type Proof,
  type ReadContext,
  readList,
  readObject,
  readObjects,
  readText,
} from '../../../../../core/api/codec.ts';
import { countCodePoints, hasNoArguments } from '../../../../../core/api/internal.ts';
import { readAnnotations } from '../../annotations.ts';
import { readImageUrl } from '../../media.ts';
import { foldDetails, readDetails } from '../../reasoning-details.ts';
import { WIRE, omitKnown } from '../../shape.ts';
import { ThinkTags } from './think-tags.ts';

/** The members of a message, or of a delta, that this codec reads. */
export const messageMembers: ReadonlySet<string> = new Set([
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

/** The text of Mistral's `thinking` blocks: a list of texts, or a string. */
function readThinking(block: Readonly<JsonObject>): string {
  const { thinking } = block;
  return typeof thinking === 'string'
    ? thinking
    : readList(thinking)
        .map((piece) => readText(readObject(piece)['text']))
        .join('');
}

/** Arguments are a text; Ollama and old versions of vLLM send an object. */
export const readArguments = (value: unknown): string =>
  isObject(value) || Array.isArray(value) ? JSON.stringify(value) : readText(value);

/** Whether it is the call of a custom tool. Some servers send both bodies and leave one of them empty. */
export const isCustom = (call: Readonly<JsonObject>): boolean =>
  call['type'] === 'custom' || (call['type'] !== 'function' && isObject(call['custom']) && !isObject(call['function']));

/** The thought signature of a call, where Google's server of this wire puts it. */
export const readSignature = (call: Readonly<JsonObject>): string =>
  readText(readObject(readObject(call['extra_content'])['google'])['thought_signature']);

/** An id for a call that has none, the same each time the same conversation is read. */
export const deriveCallId = (context: ReadContext, choice: number, call: number): string =>
  `call_${context.turn}_${choice}_${call}`;

const blockReaders: Readonly<
  Record<string, (block: JsonObject, proofOf: (value: string) => Proof) => readonly Part[]>
> = {
  text: (block) => (readText(block['text']) === '' ? [] : [{ type: 'text', text: readText(block['text']) }]),
  refusal: (block) => [{ type: 'refusal', text: readText(block['refusal']) }],
  thinking: (block, proofOf) => {
    const signature = readText(block['signature']);
    return [
      { type: 'reasoning', text: readThinking(block), ...(signature === '' ? {} : { proof: proofOf(signature) }) },
    ];
  },
};

/** OpenAI sends a text, Mistral a list, Cloudflare the object of a structured output. */
export function readContent(content: unknown, proofOf: (value: string) => Proof): readonly Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (isObject(content)) return [{ type: 'text', text: JSON.stringify(content) }];
  return readObjects(content).flatMap(
    (block): readonly Part[] =>
      lookUp(blockReaders, readText(block['type']))?.(block, proofOf) ?? [{ type: 'opaque', wire: WIRE, value: block }],
  );
}

const readReasoning = (message: Readonly<JsonObject>, proofOf: (value: string) => Proof): readonly Part[] => {
  const parts = foldDetails(readDetails(message['reasoning_details']), proofOf);
  if (parts.some(({ text }) => text !== '')) return parts;
  const text = readText(message['reasoning_content']) || readText(message['reasoning']);
  return text === '' ? parts : [{ type: 'reasoning', text }, ...parts];
};

const readCall = (call: JsonObject, id: string, proofOf: (value: string) => Proof): Part => {
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
  const { name, arguments: value } = readObject(call['function']);
  const input = readArguments(value);
  const signature = readSignature(call);
  return {
    type: 'tool-call',
    kind: 'function',
    id,
    name: readText(name),
    input: hasNoArguments(input) ? '{}' : input,
    ...(signature === '' ? {} : { proof: proofOf(signature) }),
  };
};

const readCalls = (
  message: Readonly<JsonObject>,
  choice: number,
  context: ReadContext,
  proofOf: (value: string) => Proof,
): readonly Part[] => {
  const legacy = readObject(message['function_call']);
  const calls = readObjects(message['tool_calls']);
  const all = readText(legacy['name']) === '' ? calls : [...calls, { function: legacy }];
  return all.map((call, index) =>
    readCall(call, readText(call['id']) || deriveCallId(context, choice, index), proofOf),
  );
};

/** Images that the model made, as OpenRouter sends them. */
export const readImages = (value: unknown): readonly MediaPart[] =>
  readList(value).flatMap((image): readonly MediaPart[] => {
    const media = readImageUrl(readText(readObject(readObject(image)['image_url'])['url']));
    return media === undefined ? [] : [{ type: 'media', media }];
  });

/** The annotations of a message are put on its last text. */
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

/** A text with its reasoning in tags, if the server writes it so. */
const readTagged = (content: string): readonly Part[] => {
  const tags = new ThinkTags();
  const [begun, rest] = [tags.add(content), tags.end()];
  const [reasoning, text] = [begun.reasoning + rest.reasoning, begun.text + rest.text];
  return [
    ...(reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning } as const]),
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
  ];
};

/** Reasoning, content, refusal, images and calls. Other members stay in `extra`. */
export function decodeMessage(
  message: Readonly<JsonObject>,
  choice: number,
  context: ReadContext,
): { readonly parts: readonly Part[]; readonly extra: JsonObject } {
  const proofOf = (value: string): Proof => ({ origin: context.origin, value });
  const { content } = message;
  const refusal = readText(message['refusal']);
  const parts: readonly Part[] = [
    ...readReasoning(message, proofOf),
    ...(context.thinkTags === true && typeof content === 'string'
      ? readTagged(content)
      : readContent(content, proofOf)),
    ...(refusal === '' ? [] : [{ type: 'refusal', text: refusal } as const]),
    ...readImages(message['images']),
    ...readCalls(message, choice, context, proofOf),
  ];
  return { parts: cite(parts, message['annotations']), extra: omitKnown(message, messageMembers) };
}
