import { cacheWriteTotal, inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import { isObject, omitUndefined, readCount, readObject, readParts } from '../../../core/api/codec.ts';
import { readReportedCost, readUnits, unitMembers } from '../usage-units.ts';

/** What a response reports as its usage, whatever the wire calls the members. */
interface UsageReport {
  /** The usage object of the response. */
  readonly usage: Readonly<JsonObject>;
  /** Of the response. Mistral has it in the usage object. */
  readonly tier: unknown;
  readonly input: number;
  readonly output: number;
  readonly total: number;
  readonly cached: number;
  readonly reasoning: number;
  readonly inputDetails: Readonly<JsonObject>;
  readonly outputDetails: Readonly<JsonObject>;
}

/**
 * Vendors differ in what input and output include, and `total_tokens` shows it. What it has beyond their sum is the
 * audio of the prompt (Mistral) or the cached input if it is exactly that, else output: the reasoning (xAI), or
 * thoughts that no member names (Google).
 */
const completeTotals = (report: UsageReport, beyond: number): UsageReport => {
  const { input, output, cached, reasoning, inputDetails } = report;
  const isInput = beyond !== reasoning && (beyond === cached || beyond === readCount(inputDetails['audio_tokens']));
  return isInput ? { ...report, input: input + beyond } : { ...report, output: output + beyond };
};

/** The tokens that were written for twelve hours. All others were written for half an hour. */
const readLongWrites = (details: Readonly<JsonObject>): number =>
  readCount(readObject(details['cache_write_tokens_details'])['ttl_12h_tokens']);

/**
 * The usage in disjoint parts, from totals that include them. The parts never exceed their totals: a server that
 * reports more cached tokens than input (Grok at Azure counts a prompt of its own there) bills the input. More
 * reasoning than output is added to the output.
 */
export function composeUsage(report: UsageReport): Usage {
  const beyond = report.total - report.input - report.output;
  const totals = beyond > 0 && report.input > 0 ? completeTotals(report, beyond) : report;
  const { input } = totals;
  const { usage, reasoning, inputDetails, outputDetails } = report;
  // A server that reports more reasoning than output (Vercel, for Gemini) counts the reasoning beside it.
  const output = reasoning > totals.output ? totals.output + reasoning : totals.output;
  const tier = report.tier ?? usage['service_tier'];
  let units: Pick<Usage, 'units'> = {};
  for (const name in usage) if (unitMembers.has(name)) units = readUnits(usage);
  const cacheRead = Math.min(report.cached, input);
  const written = Math.min(readCount(inputDetails['cache_write_tokens']), input - cacheRead);
  const cacheWrite12h = written > 0 ? Math.min(readLongWrites(inputDetails), written) : 0;
  const inputUncached = input - cacheRead - written;
  const { audio_tokens: cachedAudio } = readObject(inputDetails['cached_tokens_details']);
  const cacheReadAudio = Math.min(cacheRead, readCount(cachedAudio));
  return {
    inputUncached,
    cacheRead,
    cacheWrite5m: written - cacheWrite12h,
    cacheWrite1h: 0,
    ...(cacheWrite12h > 0 ? { cacheWrite12h } : {}),
    output,
    reasoning,
    ...(cacheReadAudio > 0 ? { cacheReadAudio } : {}),
    ...readParts(inputUncached, {
      inputAudio: readCount(inputDetails['audio_tokens']) - cacheReadAudio,
      inputImage: inputDetails['image_tokens'],
      inputVideo: inputDetails['video_tokens'],
    }),
    ...readParts(output - reasoning, {
      outputAudio: outputDetails['audio_tokens'],
      outputImage: outputDetails['image_tokens'],
    }),
    ...units,
    ...(typeof tier === 'string' && tier !== '' ? { tier } : {}),
    ...(usage['cost'] === undefined && usage['cost_in_usd_ticks'] === undefined ? {} : readReportedCost(usage)),
    source: 'provider',
    raw: usage,
  };
}

/** Cached input of OpenAI, DeepSeek, Mistral and Moonshot, in this order. */
const readCached = (usage: Readonly<JsonObject>, details: Readonly<JsonObject>): number =>
  readCount(
    details['cached_tokens'] ??
      usage['prompt_cache_hit_tokens'] ??
      usage['num_cached_tokens'] ??
      usage['cached_tokens'],
  );

/**
 * Puts figures in the places where OpenAI has them. DeepSeek's counts of the cache add up to the prompt. Vercel names
 * cache writes as Anthropic does. Perplexity bills the sources that it read as input, and reports them and the
 * reasoning beside its totals.
 */
const align = (usage: Readonly<JsonObject>): Readonly<JsonObject> => {
  const { prompt_tokens: prompt, cache_creation_input_tokens: written, citation_tokens: citations } = usage;
  const details = readObject(usage['prompt_tokens_details']);
  const input =
    typeof prompt === 'number'
      ? readCount(prompt)
      : readCount(usage['prompt_cache_hit_tokens']) + readCount(usage['prompt_cache_miss_tokens']);
  const output = readCount(usage['completion_tokens']);
  return {
    ...usage,
    prompt_tokens: input + readCount(citations),
    completion_tokens: readCount(citations) > 0 ? output + readCount(usage['reasoning_tokens']) : output,
    prompt_tokens_details: { ...details, cache_write_tokens: details['cache_write_tokens'] ?? written },
    completion_tokens_details: {
      reasoning_tokens: usage['reasoning_tokens'],
      ...readObject(usage['completion_tokens_details']),
    },
  };
};

/** Members of vendors whose figures are in other places. */
const elsewhere: ReadonlySet<string> = new Set([
  'prompt_cache_miss_tokens',
  'cache_creation_input_tokens',
  'citation_tokens',
  'reasoning_tokens',
]);

/** `undefined` without any count. `prompt_tokens` includes the tokens read from and written to the cache. */
export function readUsage(value: unknown, tier?: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = value;
  if (typeof prompt !== 'number' && typeof completion !== 'number' && typeof total !== 'number') return undefined;
  let usage: Readonly<JsonObject> = value;
  for (const name in value) if (elsewhere.has(name)) usage = align(value);
  const inputDetails = readObject(usage['prompt_tokens_details']);
  const outputDetails = readObject(usage['completion_tokens_details']);
  return composeUsage({
    usage: value,
    tier,
    input: readCount(usage['prompt_tokens']),
    output: readCount(usage['completion_tokens']),
    total: readCount(usage['total_tokens']),
    cached: readCached(usage, inputDetails),
    reasoning: readCount(outputDetails['reasoning_tokens']),
    inputDetails,
    outputDetails,
  });
}

/**
 * Reads the usage of one response, plain or chunk by chunk. The tier can be in an earlier chunk than the usage. Groq
 * sends the usage of a stream in `x_groq`.
 */
export function createUsageReader(): (response: Readonly<JsonObject>) => Usage | undefined {
  let tier: unknown;
  return (response) => {
    tier = response['service_tier'] ?? tier;
    return readUsage(response['usage'], tier) ?? readUsage(readObject(response['x_groq'])['usage'], tier);
  };
}

/** The lifetimes of cache writes, where some are longer than half an hour. */
export const writeLifetimes = ({ cacheWrite5m, cacheWrite1h, cacheWrite12h }: Usage): JsonObject =>
  cacheWrite12h === undefined
    ? {}
    : { cache_write_tokens_details: { ttl_30m_tokens: cacheWrite5m + cacheWrite1h, ttl_12h_tokens: cacheWrite12h } };

/** A kind of tokens is written only where it was reported. */
const writeInputDetails = (usage: Usage): JsonObject => {
  const { cacheRead, cacheReadAudio, inputAudio, inputImage, inputVideo } = usage;
  const audio = cacheReadAudio === undefined ? inputAudio : cacheReadAudio + (inputAudio ?? 0);
  return omitUndefined({
    cached_tokens: cacheRead,
    cache_write_tokens: cacheWriteTotal(usage),
    ...writeLifetimes(usage),
    audio_tokens: audio,
    image_tokens: inputImage,
    video_tokens: inputVideo,
    cached_tokens_details: cacheReadAudio === undefined ? undefined : { audio_tokens: cacheReadAudio },
  });
};

/** `total_tokens` is always the sum of the two. */
export function writeUsage(usage: Usage): JsonObject {
  const prompt = inputTotal(usage);
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: writeInputDetails(usage),
    completion_tokens_details: omitUndefined({
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.outputAudio,
      image_tokens: usage.outputImage,
    }),
  };
}

/** The member in which a response, or the chunk of a stream, says that the gateway has estimated its usage. */
const ESTIMATED = 'x_koine_estimated';

/** Marks a response by its usage. SDKs ignore the member. */
export const markEstimated = (usage: Usage | undefined): JsonObject =>
  usage?.source === 'estimated' ? { [ESTIMATED]: true } : {};

/** How a wire names its figures. */
export interface UsageNames {
  readonly input: string;
  readonly inputDetails: string;
  readonly output: string;
  readonly outputDetails: string;
}

export const usageNames: UsageNames = {
  input: 'prompt_tokens',
  inputDetails: 'prompt_tokens_details',
  output: 'completion_tokens',
  outputDetails: 'completion_tokens_details',
};

const isCount = (value: unknown): boolean =>
  value === undefined || value === null || value === 0 || readCount(value) === value;

/**
 * The usage object of a vendor with the figures that this wire promises: the total is the sum of input and output,
 * which include the cached tokens and the reasoning. Everything else in it stays.
 * @param usage what was read from it
 * @returns undefined if the object is right, or if a total in it is not a valid count, which nothing can correct
 */
export function correctUsage(raw: Readonly<JsonObject>, usage: Usage, names: UsageNames): JsonObject | undefined {
  const input = inputTotal(usage);
  const { cacheRead, output, reasoning } = usage;
  const inputDetails = readObject(raw[names.inputDetails]);
  const outputDetails = readObject(raw[names.outputDetails]);
  const isCacheRight = (inputDetails['cached_tokens'] ?? 0) === cacheRead;
  const isReasoningRight = (outputDetails['reasoning_tokens'] ?? 0) === reasoning;
  const total = input + output;
  const isRight = raw[names.input] === input && raw[names.output] === output && raw['total_tokens'] === total;
  if (isRight && isCacheRight && isReasoningRight) return undefined;
  const hasInvalid = [names.input, names.output, 'total_tokens'].some((name) => !isCount(raw[name]));
  if (hasInvalid) return undefined;
  return {
    ...raw,
    [names.input]: input,
    [names.output]: output,
    total_tokens: total,
    ...(isCacheRight ? {} : { [names.inputDetails]: { ...inputDetails, cached_tokens: cacheRead } }),
    ...(isReasoningRight ? {} : { [names.outputDetails]: { ...outputDetails, reasoning_tokens: reasoning } }),
  };
}
