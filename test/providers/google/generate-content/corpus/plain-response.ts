import { inputTotal, type GenerateResponse, type JsonObject } from '../../../../../core/api/index.ts';

/**
 * What a user sees of a response: read here directly from recorded JSON, and in {@link summarise} from the codec's
 * result.
 */
export interface PlainAnswer {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly choices: readonly PlainChoice[];
  readonly usage:
    | { readonly input: number; readonly cached: number; readonly output: number; readonly thought: number }
    | undefined;
}
interface PlainChoice {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly (readonly [name: string, input: unknown])[];
  readonly signatures: readonly string[];
  /** Media by type and bytes. */
  readonly media: readonly (readonly [type: unknown, data: unknown])[];
  /** What only this wire knows, whole. */
  readonly others: readonly unknown[];
  readonly sources: readonly string[];
  readonly finish: string;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const object = (value: unknown): JsonObject => (isObject(value) ? value : {});
const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Grown part by part. */
interface Growing {
  text: string;
  thought: string;
  readonly calls: [name: string, input: JsonObject][];
  readonly signatures: string[];
  readonly media: [unknown, unknown][];
  readonly others: unknown[];
  sources: string[];
  finish: unknown;
}

/** `$.a.b[0].c`: the recordings know only texts. */
const growArgument = (input: JsonObject, path: string, piece: string): void => {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '' && step !== '$');
  let node = input;
  for (const [place, step] of steps.slice(0, -1).entries())
    node = (node[step] ??= /^\d+$/.test(steps[place + 1] ?? '') ? [] : {}) as JsonObject;
  const last = steps.at(-1) ?? '';
  node[last] = text(node[last]) + piece;
};

const growCall = (calls: Growing['calls'], { name, args, partialArgs }: JsonObject): void => {
  if (name !== undefined) calls.push([text(name), { ...object(args) }]);
  const input = calls.at(-1)?.[1] ?? {};
  for (const { jsonPath, stringValue } of objects(partialArgs)) growArgument(input, text(jsonPath), text(stringValue));
};

const growPart = (growing: Growing, part: JsonObject): void => {
  const { thoughtSignature: signature, inlineData, functionCall } = part;
  if (typeof signature === 'string' && !isObject(inlineData)) growing.signatures.push(signature);
  if (typeof part['text'] === 'string') growing[part['thought'] === true ? 'thought' : 'text'] += part['text'];
  else if (isObject(functionCall)) growCall(growing.calls, functionCall);
  else if (isObject(inlineData)) growing.media.push([inlineData['mimeType'], inlineData['data']]);
  else if (Object.keys(part).some((name) => name !== 'thoughtSignature')) growing.others.push(part);
};

const sourcesOf = ({ groundingMetadata, citationMetadata }: JsonObject): string[] => {
  const chunks = objects(object(groundingMetadata)['groundingChunks']);
  const indices = objects(object(groundingMetadata)['groundingSupports']).flatMap(
    ({ groundingChunkIndices: listed }) => listed as readonly number[],
  );
  const grounded = indices.map((index) => text(object(chunks[index]?.['web'])['uri']));
  return [...grounded, ...objects(object(citationMetadata)['citations']).map(({ uri }) => text(uri))].filter(
    (uri) => uri !== '',
  );
};

const finishOf = ({ finish, calls }: Growing): string => {
  if (finish === 'MAX_TOKENS') return 'length';
  if (finish === 'SAFETY' || finish === 'MODEL_ARMOR') return 'content_filter';
  return calls.length > 0 ? 'tool_calls' : 'stop';
};

/** Cumulative: the last chunk that counts, counts. */
const usageOf = (chunks: readonly JsonObject[]): PlainAnswer['usage'] => {
  const last = chunks
    .map(({ usageMetadata }) => object(usageMetadata))
    .findLast((usage) => 'candidatesTokenCount' in usage || 'totalTokenCount' in usage);
  if (last === undefined) return undefined;
  const cached = count(last['cachedContentTokenCount']);
  return {
    input: Math.max(cached, count(last['promptTokenCount']) + count(last['toolUsePromptTokenCount'])),
    cached,
    output: count(last['candidatesTokenCount']) + count(last['thoughtsTokenCount']),
    thought: count(last['thoughtsTokenCount']),
  };
};

/** The chunks of one answer; a plain answer is one chunk. */
export const readPlainly = (chunks: readonly JsonObject[]): PlainAnswer => {
  const growing = new Map<number, Growing>();
  for (const candidate of chunks.flatMap(({ candidates }) => objects(candidates))) {
    const index = count(candidate['index']);
    const choice = growing.get(index) ?? {
      text: '',
      thought: '',
      calls: [],
      signatures: [],
      media: [],
      others: [],
      sources: [],
      finish: undefined,
    };
    growing.set(index, choice);
    for (const part of objects(object(candidate['content'])['parts'])) growPart(choice, part);
    choice.finish = candidate['finishReason'] ?? choice.finish;
    const sources = sourcesOf(candidate);
    if (sources.length > 0) choice.sources = sources;
  }
  return {
    id: chunks[0]?.['responseId'] as string | undefined,
    model: chunks[0]?.['modelVersion'] as string | undefined,
    choices: [...growing.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, choice]) => ({ ...choice, finish: finishOf(choice), sources: choice.sources.toSorted() })),
    usage: usageOf(chunks),
  };
};

/** The same of a canonical answer. */
export const summarise = ({ id, model, choices, usage }: GenerateResponse): PlainAnswer => ({
  id,
  model,
  choices: choices.map(({ parts, finish }) => ({
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    thought: parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [[part.name, JSON.parse(part.input) as unknown] as const] : [],
    ),
    signatures: parts.flatMap((part) => {
      if (part.type === 'opaque')
        return isObject(part.value) && typeof part.value['thoughtSignature'] === 'string'
          ? [part.value['thoughtSignature']]
          : [];
      return 'proof' in part && part.proof !== undefined ? [part.proof.value] : [];
    }),
    media: parts.flatMap((part) =>
      part.type === 'media'
        ? [[part.media.mediaType, 'base64' in part.media ? part.media.base64 : undefined] as const]
        : [],
    ),
    others: parts.flatMap((part) => (part.type === 'opaque' && part.search === undefined ? [part.value] : [])),
    sources: parts
      .flatMap((part) => (part.type === 'text' ? (part.citations ?? []).map(({ url = '' }) => url) : []))
      .toSorted(),
    finish: finish.reason,
  })),
  usage:
    usage === undefined
      ? undefined
      : { input: inputTotal(usage), cached: usage.cacheRead, output: usage.output, thought: usage.reasoning },
});
