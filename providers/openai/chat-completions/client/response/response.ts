import type {
  Choice,
  GenerateResponse,
  JsonObject,
  Part,
  ReasoningPart,
  RefusalPart,
  TextPart,
  ToolCallPart,
  Usage,
} from '../../../../../core/api/index.ts';
import { sealProof, type WriteContext, writeExtraMembers, type WriteFrame } from '../../../../../core/api/codec.ts';
import { writeLogprobs } from '../../logprobs.ts';
import { describeTier } from '../../../service-tier.ts';
import { spanOf, writeAnnotations } from '../../annotations.ts';
import { writeFinish } from '../../finish.ts';
import { isLegacy } from '../../request-form.ts';
import { writeMediaUrl } from '../../media.ts';
import { writeDetails } from '../../reasoning-details.ts';
import { sealCallId } from '../../sealed-ids.ts';
import { MESSAGE, WIRE } from '../../shape.ts';
import { markEstimated, writeUsage } from '../../usage.ts';
import { loseOpaque } from '../../web-search.ts';

/** Written for a model that the provider did not report. */
export const UNNAMED = 'unknown';

/** An empty function input is written as `{}`, so that clients can parse it. */
const inputOf = ({ kind, input }: ToolCallPart): string => (kind === 'function' && input === '' ? '{}' : input);

/** The thought signature of a call, where Google's clients of this wire expect it. */
export const writeCallProof = (proof: ToolCallPart['proof']): JsonObject =>
  proof === undefined ? {} : { extra_content: { google: { thought_signature: sealProof(proof) } } };

const encodeCall = (call: ToolCallPart): JsonObject =>
  call.kind === 'custom'
    ? { id: sealCallId(call.id, call.proof), type: 'custom', custom: { name: call.name, input: call.input } }
    : {
        id: sealCallId(call.id, call.proof),
        type: 'function',
        function: { name: call.name, arguments: inputOf(call) },
        ...writeCallProof(call.proof),
      };

const ofType = <T extends Part['type']>(parts: readonly Part[], type: T): readonly Extract<Part, { type: T }>[] =>
  parts.filter((part): part is Extract<Part, { type: T }> => part.type === type);

const joinTexts = (parts: readonly { readonly text: string }[]): string => parts.map(({ text }) => text).join('');

const encodeCalls = (calls: readonly ToolCallPart[], path: string, { request, lose }: WriteContext): JsonObject => {
  const [first] = calls;
  if (first === undefined) return {};
  if (!isLegacy(request)) return { tool_calls: calls.map(encodeCall) };
  if (calls.length > 1)
    lose(`${path}.function_call`, 'dropped', 'function_call holds one call; the others are left out');
  return { function_call: { name: first.name, arguments: inputOf(first) } };
};

/** Excluded reasoning is billed but not written. */
const encodeReasoning = (parts: readonly ReasoningPart[], { request }: WriteContext): JsonObject => {
  if (parts.length === 0 || request.reasoning?.show === false) return {};
  const text = joinTexts(parts);
  return { ...(text === '' ? {} : { reasoning_content: text }), reasoning_details: writeDetails(parts, sealProof) };
};

const encodeAnnotations = (parts: readonly Part[], path: string, { lose }: WriteContext): JsonObject => {
  let from = 0;
  const annotations = ofType(parts, 'text').flatMap(({ text, citations = [] }) => {
    const span = spanOf(text, from);
    from = span.to;
    return writeAnnotations(citations, span, () =>
      lose(`${path}.annotations`, 'dropped', 'chat-completions has no citation without a URL'),
    );
  });
  return annotations.length === 0 ? {} : { annotations };
};

const encodeImages = (parts: readonly Part[], path: string, { lose }: WriteContext): JsonObject => {
  const images = ofType(parts, 'media').flatMap(({ media }) => {
    const url = writeMediaUrl(media);
    if (url !== undefined && media.mediaType.startsWith('image/')) return [{ type: 'image_url', image_url: { url } }];
    lose(`${path}.images`, 'dropped', 'responses of chat-completions hold no media but images');
    return [];
  });
  for (const part of ofType(parts, 'opaque')) loseOpaque(part, path, lose);
  return images.length === 0 ? {} : { images };
};

/** Google also signs texts. Such a signature is optional and has no place on this wire. */
const loseTextProofs = (parts: readonly Part[], path: string, { request, lose }: WriteContext): void => {
  if (request.reasoning?.show !== false && parts.some((part) => part.type === 'text' && part.proof !== undefined))
    lose(`${path}.content`, 'dropped', 'chat-completions has no signature on texts');
};

const listTokens = (parts: readonly (TextPart | RefusalPart)[]): readonly JsonObject[] | null => {
  const tokens = parts.flatMap(({ logprobs = [] }) => writeLogprobs(logprobs));
  return tokens.length === 0 ? null : tokens;
};

/** Some vendors send the probabilities without being asked. */
const encodeLogprobs = (parts: readonly Part[], { request }: WriteContext): JsonObject | null => {
  if (request.logprobs === undefined) return null;
  const [content, refusal] = [listTokens(ofType(parts, 'text')), listTokens(ofType(parts, 'refusal'))];
  return content === null && refusal === null ? null : { content, refusal };
};

const encodeMessage = ({ parts, finish }: Choice, path: string, context: WriteContext): JsonObject => {
  loseTextProofs(parts, path, context);
  const text = joinTexts(ofType(parts, 'text'));
  const refusal = joinTexts(ofType(parts, 'refusal')) || (finish.explanation ?? '');
  const calls = ofType(parts, 'tool-call');
  return {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || refusal !== '' || finish.reason === 'content_filter') ? null : text,
    refusal: refusal === '' ? null : refusal,
    ...encodeReasoning(ofType(parts, 'reasoning'), context),
    ...encodeCalls(calls, path, context),
    ...encodeAnnotations(parts, path, context),
    ...encodeImages(parts, path, context),
  };
};

const encodeChoice = (choice: Choice, index: number, context: WriteContext): JsonObject => {
  const path = `choices[${index}]`;
  const extra = Object.entries(writeExtraMembers(choice.extra, WIRE, context.lose, `${path}.`));
  const members = extra.filter(([name]) => !name.startsWith(MESSAGE));
  const inside = extra.filter(([name]) => name.startsWith(MESSAGE));
  return {
    index,
    message: {
      ...Object.fromEntries(inside.map(([name, value]) => [name.slice(MESSAGE.length), value])),
      ...encodeMessage(choice, `${path}.message`, context),
    },
    logprobs: encodeLogprobs(choice.parts, context),
    ...Object.fromEntries(members),
    finish_reason: writeFinish(choice.finish, isLegacy(context.request)),
  };
};

/** https://platform.openai.com/docs/api-reference/chat/object */
export const encodeResponse = (response: GenerateResponse, context: WriteContext): JsonObject => ({
  id: response.id === undefined || response.id === '' ? context.newId('chatcmpl-') : response.id,
  object: 'chat.completion',
  created: context.created,
  model: response.model ?? UNNAMED,
  choices: response.choices.map((choice, index) => encodeChoice(choice, index, context)),
  ...(response.usage === undefined ? {} : { usage: writeUsage(response.usage) }),
  ...markEstimated(response.usage),
  ...(response.usage?.tier === undefined ? {} : { service_tier: describeTier(response.usage.tier) }),
  ...writeExtraMembers(response.extra, WIRE, context.lose),
});

/**
 * Writes the frames of one stream. The text around a delta is the same in every frame, so only the delta is serialised.
 */
export class ChunkWriter {
  readonly #context: WriteContext;
  readonly #tail: string;
  /** Everything before the first choice; `undefined` until the response starts. */
  #head: string | undefined;

  constructor(context: WriteContext) {
    this.#context = context;
    this.#tail = context.request.includeUsage ? ',"usage":null}' : '}';
  }

  /** Sets the id and the model, which every chunk repeats. */
  begin({ id = '', model = UNNAMED }: { readonly id?: string; readonly model?: string }): void {
    this.#head = this.#formatHead(id, model);
  }

  delta(choice: number, delta: JsonObject, write: WriteFrame, logprobs: JsonObject | null = null): void {
    write(undefined, this.#formatChoice(choice, JSON.stringify(delta), 'null', logprobs));
  }

  finish(choice: number, reason: string, write: WriteFrame): void {
    write(undefined, this.#formatChoice(choice, '{}', JSON.stringify(reason)));
  }

  usage(usage: Usage, write: WriteFrame): void {
    const { tier } = usage;
    const members = {
      usage: writeUsage(usage),
      ...(tier === undefined ? {} : { service_tier: describeTier(tier) }),
      ...markEstimated(usage),
    };
    this.#head ??= this.#formatHead('', UNNAMED);
    write(undefined, `${this.#head}],${JSON.stringify(members).slice(1)}`);
  }

  #formatChoice(choice: number, delta: string, reason: string, logprobs: JsonObject | null = null): string {
    this.#head ??= this.#formatHead('', UNNAMED);
    const tokens = logprobs === null ? 'null' : JSON.stringify(logprobs);
    const end = `"logprobs":${tokens},"finish_reason":${reason}}]${this.#tail}`;
    return `${this.#head}{"index":${choice},"delta":${delta},${end}`;
  }

  #formatHead(id: string, model: string): string {
    const { created, newId } = this.#context;
    const head = { id: id === '' ? newId('chatcmpl-') : id, object: 'chat.completion.chunk', created, model };
    return `${JSON.stringify(head).slice(0, -1)},"choices":[`;
  }
}
