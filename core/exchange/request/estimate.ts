import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { operations } from '../../canonical/operation/operations.ts';
import type { AgentBound } from '../../contracts/capabilities.ts';
import type { Estimate, HostedEstimate } from '../../contracts/price.ts';
import type { EmbedRequest } from '../../canonical/operation/embedding.ts';
import { estimateImageTokens, type ImageRequest } from '../../canonical/operation/image.ts';
import { DOCUMENTS_PER_SEARCH, type RerankRequest } from '../../canonical/operation/rerank.ts';
import { estimateSpeechTokens, type SpeakRequest } from '../../canonical/operation/speech.ts';
import {
  OUTPUT_PER_SECOND,
  TOKENS_PER_SECOND,
  type TranscribeRequest,
} from '../../canonical/operation/transcription.ts';
import type { Media, Part } from '../../canonical/part.ts';
import type { GenerateRequest, Turn } from '../../canonical/request.ts';
import { countCodePoints } from '../../canonical/text/code-points.ts';
import type { UsageUnit } from '../../canonical/usage.ts';
import type { Operation } from '../../canonical/wire.ts';
import type { RequestOf } from '../../contracts/codec-context.ts';

/**
 * No tokenizer runs on the request path. In recorded prompts of 300 tokens and more, a JSON body has 0.95 tokens per
 * four bytes of Latin text: the JSON structure makes up for denser text. Other scripts weigh more:
 * canonical/text-weight.
 */
const WEIGHT_PER_TOKEN = 4;
/** Output tokens that are assumed without a declared cap, unless the model can write less. */
const USUAL_OUTPUT = 4_096;

/**
 * An image costs by its area, estimated from its bytes. Anthropic scales larger images down; OpenAI's minimum is 85.
 */
const BYTES_PER_IMAGE_TOKEN = 750;
const MIN_PER_IMAGE = 85;
const MAX_PER_IMAGE = 1_600;
/** A page of a document is some 50 kB and 2,000 tokens, a second of speech 32 kB and at most 32 tokens. */
const BYTES_PER_MEDIA_TOKEN = 25;

/** What media add to the weight of a body. */
interface MediaWeight {
  /** Characters of base64 in the body, which do not count as text. */
  chars: number;
  tokens: number;
}

const tokensOf = (mediaType: string, bytes: number): number =>
  mediaType.startsWith('image/')
    ? Math.min(MAX_PER_IMAGE, Math.max(MIN_PER_IMAGE, Math.ceil(bytes / BYTES_PER_IMAGE_TOKEN)))
    : Math.ceil(bytes / BYTES_PER_MEDIA_TOKEN);

const addMedia = (sum: MediaWeight, media: Media): void => {
  if ('base64' in media) {
    sum.chars += media.base64.length;
    sum.tokens += tokensOf(media.mediaType, (media.base64.length * 3) / 4);
  } else if (media.mediaType.startsWith('image/')) sum.tokens += MAX_PER_IMAGE;
};

const addParts = (sum: MediaWeight, parts: readonly Part[]): void => {
  for (const part of parts)
    if (part.type === 'media') addMedia(sum, part.media);
    else if (part.type === 'tool-result') addParts(sum, part.parts);
};

/** Text by the weight of the body, media by their size. */
const countInput = (weight: number, lists: readonly Pick<Turn, 'parts'>[]): number => {
  const media = { chars: 0, tokens: 0 };
  for (const { parts } of lists) addParts(media, parts);
  return Math.ceil(Math.max(0, weight - media.chars) / WEIGHT_PER_TOKEN) + media.tokens;
};

/** Inputs that the client has already tokenized are counted by their tokens. */
const countInputs = (weight: number, { inputs }: EmbedRequest): number => {
  if (inputs.some((input) => typeof input === 'string')) return Math.ceil(weight / WEIGHT_PER_TOKEN);
  return inputs.reduce((sum, input) => sum + input.length, 0);
};

export interface Caps {
  /** A cap that the client declared in another member than that of its wire. */
  readonly declaredCap?: number | undefined;
  /** The cap that the model sets where the request has none. */
  readonly usual?: number | undefined;
  /** What a run of an agent reserves. */
  readonly agent?: AgentBound | undefined;
  /** The most that any target of the model can write; undefined if not known. */
  readonly maxOutput?: number | undefined;
}

/**
 * The output per choice. A cap in a member that the wire does not have can raise the assumed output but never lower it,
 * because the provider can ignore it.
 */
const capOutput = (
  request: GenerateRequest,
  { declaredCap = 0, maxOutput = Number.POSITIVE_INFINITY, usual }: Caps,
): { readonly tokens: number; readonly declared: boolean } => {
  const maxTokens = request.maxTokens ?? usual;
  const tokens = Math.max(maxTokens ?? USUAL_OUTPUT, declaredCap);
  return { tokens: Math.min(tokens, maxOutput), declared: maxTokens !== undefined || declaredCap >= tokens };
};

/** What limits reserve of a request that is billed by units. */
const countUnits = (tool: string, unit: UsageUnit, uses: number, imageTokens = 0): HostedEstimate => ({
  tool,
  uses,
  declared: true,
  unit,
  inputTokens: 0,
  outputTokens: 0,
  imageTokens,
});

/** The documents of a request to rerank. Where they are billed by searches, limits reserve these. */
const estimateRerank = (weight: number, { documents }: RerankRequest): Estimate => ({
  ...withoutOutput(Math.ceil(weight / WEIGHT_PER_TOKEN)),
  hosted: [countUnits('rerank', 'searches', Math.ceil(documents.length / DOCUMENTS_PER_SEARCH))],
});

/** The audio of a request to transcribe, by its duration, beside the texts of its form. */
const estimateAudio = (weight: number, { audio: { seconds } }: TranscribeRequest): Estimate => ({
  inputTokens: Math.ceil(weight / WEIGHT_PER_TOKEN) + Math.ceil(seconds * TOKENS_PER_SECOND),
  outputTokens: Math.ceil(seconds * OUTPUT_PER_SECOND),
  declared: false,
  hosted: [countUnits('transcribe', 'seconds', Math.ceil(seconds))],
});
/** The text of a request to speak: vendors bill its characters, or the tokens of the audio. */
const estimateSpeech = (weight: number, { text }: SpeakRequest): Estimate => ({
  inputTokens: Math.ceil(weight / WEIGHT_PER_TOKEN),
  outputTokens: estimateSpeechTokens(text),
  declared: false,
  hosted: [countUnits('speak', 'characters', countCodePoints(text))],
});

const countUploaded = ({ uploaded = [] }: ImageRequest): number =>
  uploaded.reduce((sum, { mediaType, bytes }) => sum + tokensOf(mediaType, bytes), 0);

/** The images of a request: each has its tokens, and is a unit of its own. */
const estimateImages = (weight: number, request: ImageRequest): Estimate => {
  const { count, images, size, quality } = request;
  const imageTokens = count * estimateImageTokens(request);
  return {
    inputTokens: countInput(weight, [{ parts: images }]) + countUploaded(request),
    outputTokens: imageTokens,
    declared: size !== undefined && quality !== undefined && quality !== 'auto',
    hosted: [{ ...countUnits('image', 'images', count, imageTokens), image: omitUndefined({ size, quality }) }],
  };
};

const withoutOutput = (inputTokens: number): Estimate => ({ inputTokens, outputTokens: 0, declared: false });

/**
 * Estimates the tokens of a request. Input: by the weight of the body, media by kind and size. Output: by the largest
 * declared cap, else a usual value, times the number of choices. Reasoning is part of the output.
 * @param weight of the whole body: `weighBody`
 */
export function estimateTokens<O extends Operation>(
  operation: O,
  weight: number,
  request: RequestOf<O>,
  caps: Caps,
): Estimate {
  if (caps.agent !== undefined) return { ...caps.agent, declared: true };
  if ('inputs' in request) return withoutOutput(countInputs(weight, request));
  if ('documents' in request) return estimateRerank(weight, request);
  if ('audio' in request) return estimateAudio(weight, request);
  if ('text' in request) return estimateSpeech(weight, request);
  if ('count' in request) return estimateImages(weight, request);
  if ('contents' in request) return withoutOutput(countInput(weight, [{ parts: request.contents.flat() }]));
  const inputTokens = countInput(weight, request.turns);
  if (operations[operation].hasNoOutput === true) return withoutOutput(inputTokens);
  const { tokens, declared } = capOutput(request, caps);
  return { inputTokens, outputTokens: tokens * request.choices, declared };
}
