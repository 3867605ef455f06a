import type { Estimate } from '../../contracts/price.ts';
import type { EmbedRequest } from '../../canonical/embedding.ts';
import type { Media, Part } from '../../canonical/part.ts';
import type { GenerateRequest } from '../../canonical/request.ts';
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

interface Weight {
  /** Characters of base64 in the body, which do not count as text. */
  readonly chars: number;
  readonly tokens: number;
}

const tokensOf = (mediaType: string, bytes: number): number =>
  mediaType.startsWith('image/')
    ? Math.min(MAX_PER_IMAGE, Math.max(MIN_PER_IMAGE, Math.ceil(bytes / BYTES_PER_IMAGE_TOKEN)))
    : Math.ceil(bytes / BYTES_PER_MEDIA_TOKEN);

const weighMedia = (media: Media): Weight => {
  if ('base64' in media)
    return { chars: media.base64.length, tokens: tokensOf(media.mediaType, (media.base64.length * 3) / 4) };
  return { chars: 0, tokens: media.mediaType.startsWith('image/') ? MAX_PER_IMAGE : 0 };
};

const weighParts = (parts: readonly Part[]): Weight => {
  let chars = 0;
  let tokens = 0;
  for (const part of parts) {
    const weight =
      part.type === 'media' ? weighMedia(part.media) : part.type === 'tool-result' ? weighParts(part.parts) : undefined;
    chars += weight?.chars ?? 0;
    tokens += weight?.tokens ?? 0;
  }
  return { chars, tokens };
};

const countInput = (weight: number, { turns }: GenerateRequest): number => {
  const { chars, tokens } = weighParts(turns.flatMap(({ parts }) => parts));
  return Math.ceil(Math.max(0, weight - chars) / WEIGHT_PER_TOKEN) + tokens;
};

/** Inputs that the client has already tokenized are counted by their tokens. */
const countInputs = (weight: number, { inputs }: EmbedRequest): number => {
  if (inputs.some((input) => typeof input === 'string')) return Math.ceil(weight / WEIGHT_PER_TOKEN);
  return inputs.reduce((sum, input) => sum + input.length, 0);
};

export interface Caps {
  /** A cap that the client declared in another member than that of its wire. */
  readonly declaredCap?: number | undefined;
  /** The most that any target of the model can write; undefined if not known. */
  readonly maxOutput?: number | undefined;
}

/**
 * The output per choice. A cap in a member that the wire does not have can raise the assumed output but never lower it,
 * because the provider can ignore it.
 */
const capOutput = (
  { maxTokens }: GenerateRequest,
  { declaredCap = 0, maxOutput = Number.POSITIVE_INFINITY }: Caps,
): { readonly tokens: number; readonly declared: boolean } => {
  const tokens = Math.max(maxTokens ?? USUAL_OUTPUT, declaredCap);
  return { tokens: Math.min(tokens, maxOutput), declared: maxTokens !== undefined || declaredCap >= tokens };
};

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
  if (!('turns' in request)) return { inputTokens: countInputs(weight, request), outputTokens: 0, declared: false };
  const inputTokens = countInput(weight, request);
  if (operation === 'count-tokens') return { inputTokens, outputTokens: 0, declared: false };
  const { tokens, declared } = capOutput(request, caps);
  return { inputTokens, outputTokens: tokens * request.choices, declared };
}
