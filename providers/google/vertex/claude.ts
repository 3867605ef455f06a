import type { EndpointWire, Headers, ModelFamily, ShippedPrice, WrittenRateCard } from '../../../core/api/index.ts';
import { lookUp, type Lose } from '../../../core/api/codec.ts';
import { classify } from './classify.ts';

/** The wire of Claude models, whose codec is in the provider `anthropic`. */
const WIRE = 'messages';

export const isClaude = (model: string): boolean => /^(?:publishers\/anthropic\/models\/)?claude-/.test(model);

/**
 * The values of `anthropic-beta` that Claude at Vertex AI accepts. It refuses others with a 400:
 * https://github.com/BerriAI/litellm/blob/main/litellm/anthropic_beta_headers_config.json
 */
const knownBetas: readonly string[] = [
  'compact-2026-01-12',
  'compact-2026-09-04',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'interleaved-thinking-2025-05-14',
  'per-turn-control-2026-07-01',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'tool-search-tool-2025-10-19',
  'web-search-2025-03-05',
];
/** Betas with another name there. */
const renamed: Readonly<Record<string, string>> = { 'advanced-tool-use-2025-11-20': 'tool-search-tool-2025-10-19' };

/** The betas of calls to Claude. */
interface Betas {
  /** Reports those that are not sent. */
  report(headers: Headers, lose: Lose): void;
  /** The headers that are sent. The version is in the body. */
  filter(headers: Headers): Headers;
}

/** @param more betas of the settings, besides the known ones */
export function createBetas(more: readonly string[] = []): Betas {
  const accepted = new Set([...knownBetas, ...more]);
  const split = (headers: Headers): readonly string[] =>
    (headers['anthropic-beta'] ?? '')
      .split(',')
      .map((beta) => beta.trim())
      .filter((beta) => beta !== '')
      .map((beta) => lookUp(renamed, beta) ?? beta);
  return {
    report: (headers, lose) => {
      for (const beta of split(headers))
        if (!accepted.has(beta)) lose('anthropic-beta', 'dropped', `Vertex AI refuses the beta '${beta}'`);
    },
    filter: (headers) => {
      const { 'anthropic-version': _version, 'anthropic-beta': given, ...others } = headers;
      const betas = given === undefined ? [] : split(headers).filter((beta) => accepted.has(beta));
      return betas.length === 0 ? others : { ...others, 'anthropic-beta': [...new Set(betas)].join(',') };
    },
  };
}

/** In place of the header `anthropic-version`: https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai */
const version = { member: 'anthropic_version', value: 'vertex-2023-10-16' };

/** @param addressOf the address of a method; counting has a resource of its own */
export const createClaudeWires = (
  addressOf: (plain: string, streamed: string, resource?: string) => EndpointWire['buildRequest'],
  betas: Betas,
): readonly EndpointWire[] => [
  {
    operation: 'generate',
    wire: WIRE,
    // The path has the model.
    edits: (_body, { headers, lose }) => {
      betas.report(headers, lose);
      return [{ member: 'model', value: undefined }, version];
    },
    buildRequest: addressOf(':rawPredict', ':streamRawPredict'),
    classify,
    stateless: true,
  },
  {
    operation: 'count-tokens',
    wire: WIRE,
    edits: () => [version],
    buildRequest: addressOf(':rawPredict', ':rawPredict', 'publishers/anthropic/models/count-tokens'),
    classify,
    stateless: true,
  },
];

/** Vertex AI takes media as bytes only. */
export const claudeFamilies = (families: readonly ModelFamily[]): readonly ModelFamily[] =>
  families.map(({ prefix, capabilities }) => ({ prefix, capabilities: { ...capabilities, mediaUrls: false } }));

/** The name of a dated model: `claude-haiku-4-5@20251001`. */
const vertexName = (name: string): string => name.replace(/-(\d{8})$/, '@$1');

const page = 'https://cloud.google.com/gemini-enterprise-agent-platform/generative-ai/pricing';

/** Prompts above 200k tokens of Claude Sonnet 4.5, which Anthropic no longer charges more for: its page, not theirs. */
const longSonnet: WrittenRateCard['longContext'] = [
  { above: 200_000, input: 6, cacheWrite5m: 7.5, cacheWrite1h: 12, cacheRead: 0.6, output: 22.5 },
];

/**
 * The prices of the global endpoint, which are those of Anthropic but for long prompts of an older model. The page also
 * says that other endpoints cost 10 % more from Claude 4.5 on; `inference_geo` and fast mode are Anthropic's own.
 */
export const claudePrices = (prices: readonly ShippedPrice[]): readonly ShippedPrice[] =>
  prices.map(({ models, price, ...source }) => {
    const isLong = models.includes('claude-sonnet-4-5');
    return {
      ...source,
      ...(isLong ? { page } : {}),
      models: models.map(vertexName),
      price: [price].flat().map(({ regions: _regions, tiers: _tiers, ...rates }) => ({
        ...rates,
        ...(isLong ? { longContext: longSonnet } : {}),
      })),
    };
  });
