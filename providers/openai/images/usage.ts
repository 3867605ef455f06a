import { inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import {
  defineKnownMembers,
  isObject,
  noTokens,
  omitUndefined,
  readCount,
  readObject,
  readParts,
  readText,
} from '../../../core/api/codec.ts';
import { reportedCosts } from '../chat-completions/usage-members.ts';
import { readReportedCost } from '../usage-units.ts';

const kinds = { text_tokens: true, image_tokens: true } as const;

export const usageMembers = defineKnownMembers({
  input_tokens: true,
  input_tokens_details: { ...kinds, cached_tokens: true, cached_tokens_details: kinds },
  output_tokens: true,
  output_tokens_details: kinds,
  total_tokens: true,
  prompt_tokens: true,
  prompt_tokens_details: { cached_tokens: true, image_tokens: true, text_tokens: true },
  completion_tokens: true,
  completion_tokens_details: { image_tokens: true, text_tokens: true, reasoning_tokens: true },
  ...reportedCosts,
});

/** OpenRouter names its counts as on chat completions (rubyll-37617a6b). */
const detailsOf = (value: Readonly<JsonObject>, name: 'input' | 'output'): Readonly<JsonObject> =>
  readObject(
    value[`${name}_tokens_details`] ?? value[name === 'input' ? 'prompt_tokens_details' : 'completion_tokens_details'],
  );

/** @param value a response, or the event that completes an image */
const readKind = ({ size, quality }: Readonly<JsonObject>): Pick<Usage, 'image'> => {
  const image = omitUndefined({ size: readText(size) || undefined, quality: readText(quality) || undefined });
  return Object.keys(image).length === 0 ? {} : { image };
};

/**
 * The usage of a response with so many images. Text and images have rates of their own, in the input and in the output.
 * Models that are billed by image report no tokens: their usage is the images.
 * @param holder a response, or the event that completes an image
 */
export function readUsage(holder: Readonly<JsonObject>, images: number): Usage | undefined {
  const value = holder['usage'];
  const units = images > 0 ? { units: { images }, ...readKind(holder) } : {};
  if (!isObject(value)) return images > 0 ? { ...noTokens, source: 'provider', ...units } : undefined;
  const input = detailsOf(value, 'input');
  const all = readCount(value['input_tokens'] ?? value['prompt_tokens']);
  const cacheRead = Math.min(readCount(input['cached_tokens']), all);
  const cachedImage = readCount(readObject(input['cached_tokens_details'])['image_tokens']);
  const inputUncached = all - cacheRead;
  const output = readCount(value['output_tokens'] ?? value['completion_tokens']);
  const written = detailsOf(value, 'output');
  // Older responses have no details of the output: it is the images.
  const outputImage = written['image_tokens'] ?? (written['text_tokens'] === undefined ? output : 0);
  return {
    ...noTokens,
    inputUncached,
    cacheRead,
    output,
    ...readParts(inputUncached, { inputImage: readCount(input['image_tokens']) - cachedImage }),
    ...readParts(cacheRead, { cacheReadImage: cachedImage }),
    ...readParts(output, { outputImage }),
    ...units,
    source: 'provider',
    ...readReportedCost(value),
    raw: value,
  };
}

/** Absent for a model that is billed by image. */
export function writeUsage(usage: Usage | undefined): JsonObject | undefined {
  if (usage === undefined || inputTotal(usage) + usage.output === 0) return undefined;
  const { inputImage = 0, cacheReadImage = 0, output, outputImage = 0 } = usage;
  const input = inputTotal(usage);
  const images = inputImage + cacheReadImage;
  return {
    input_tokens: input,
    input_tokens_details: { image_tokens: images, text_tokens: input - images },
    output_tokens: output,
    output_tokens_details: { image_tokens: outputImage, text_tokens: output - outputImage },
    total_tokens: input + output,
  };
}
